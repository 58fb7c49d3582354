// A bound on threads that the launch breaks: it fails.
template <typename T>
__global__ void __launch_bounds__(16) vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) c[i] = a[i] + b[i];
}
