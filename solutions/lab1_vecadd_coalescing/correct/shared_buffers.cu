// Style: the lecture's template for everything: shared buffers, load, barrier, add, barrier, store.
// Right: the loop's bounds are the block's, so every thread reaches each barrier; neighbours side by side.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  __shared__ T sa[1024], sb[1024];
  const int t = threadIdx.x;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    const int i = base + t;
    if (i < n) {
      sa[t] = a[i];
      sb[t] = b[i];
    }
    __syncthreads();
    T sum = 0;
    if (i < n) sum = sa[t] + sb[t];
    __syncthreads();
    if (i < n) c[i] = sum;
  }
}
