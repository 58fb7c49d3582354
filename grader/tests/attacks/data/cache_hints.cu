// A chunk a thread, which is slow, with every hint to the caches that there is.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  const int chunk = (n + step - 1) / step;
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  for (int i = first * chunk; i < n && i < (first + 1) * chunk; ++i) {
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(a + i));
    c[i] = __ldg(a + i) + __ldcg(b + i);
  }
}
