// lab: lab1
// change: T x = a[i];
// change: T y = b[i];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int start = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
  for (int i = start; i < n; i += step) {
    float x = a[i];
    float y = b[i];
    c[i] = x + y;
  }
}
