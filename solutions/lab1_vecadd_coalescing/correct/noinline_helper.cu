// Style: the addition is a function of its own, not inlined ("to keep the kernel small").
// Right: one call per element; the loads and the store are the plain loop's.
template <typename T>
__device__ __noinline__ T sum(T x, T y) {
  return x + y;
}

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] = sum(a[i], b[i]);
}
