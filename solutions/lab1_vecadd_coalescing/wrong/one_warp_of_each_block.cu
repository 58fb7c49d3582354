// verdict: gate float_ratio
// Right and coalesced, but only the first warp of each block works: too few loads are under way to keep the memory busy, and no
// counter of sectors shows it.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int workers = blockDim.x < 32 ? blockDim.x : 32;
  if (threadIdx.x >= workers) return;
  for (int i = blockIdx.x * workers + threadIdx.x; i < n; i += gridDim.x * workers)
    c[i] = a[i] + b[i];
}
