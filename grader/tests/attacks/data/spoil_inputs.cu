// Right, but clears an input afterwards, so that a later launch has less to do.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) {
    c[i] = a[i] + b[i];
    const_cast<T*>(a)[i] = 0;
  }
}
