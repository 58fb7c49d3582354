// lab: lab1
// change: int end = blockIdx.x + 1 == gridDim.x ? n : begin + range;
// each block takes a range of its own, and its threads walk through it together
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int range = n / gridDim.x;
  int begin = blockIdx.x * range;
  int end = begin + range;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) c[i] = a[i] + b[i];
}
