// lab: lab1
// change: while (idx < n) {
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  size_t idx = blockIdx.x * blockDim.x + threadIdx.x;
  size_t step = gridDim.x * blockDim.x;
  while (idx <= n - 1) {
    c[idx] = a[idx] + b[idx];
    idx += step;
  }
}
