// lab: lab1
// change: int lo = 2 * blockDim.x * blockIdx.x;
// change: for (; lo < n; lo += 2 * blockDim.x * gridDim.x) {
template <class T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int lo = 2 * blockDim.x * blockIdx.x;
  if (lo < n) {
    int i = lo + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    i += blockDim.x;
    if (i < n) c[i] = a[i] + b[i];
  }
}
