// Starts a kernel from the device.
template <typename T>
__global__ void helper(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) c[i] = a[i] + b[i];
}
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) helper<<<64, 256>>>(a, b, c, n);
}
