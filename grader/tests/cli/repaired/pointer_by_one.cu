// lab: lab1
// change: pc += jump;
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  const int jump = blockDim.x * gridDim.x;
  const T* pa = a + start;
  const T* pb = b + start;
  T* pc = c + start;
  for (int left = n - start; left > 0; left -= jump) {
    *pc = *pa + *pb;
    pa += jump;
    pb += jump;
    pc++;
  }
}
