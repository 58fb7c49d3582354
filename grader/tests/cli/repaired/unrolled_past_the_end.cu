// lab: lab1
// change: for (; i + stride < n; i += 2 * stride) {
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // two elements per iteration
  for (; i < n; i += 2 * stride) {
    T x = a[i] + b[i];
    T y = a[i + stride] + b[i + stride];
    c[i] = x;
    c[i + stride] = y;
  }
  if (i < n) c[i] = a[i] + b[i];
}
