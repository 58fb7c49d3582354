// The instructions themselves, as an old hand writes them.
__device__ __forceinline__ void cp_async16(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void cp_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ __forceinline__ void cp_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ __align__(16) float smem[512];
  const int t = threadIdx.x, stride = gridDim.x;
  const unsigned base = (unsigned)__cvta_generic_to_shared(smem);
  int row = blockIdx.x, p = 0;
  if (t < 64 && row < rows) cp_async16(base + t * 16, in + row * 256 + t * 4);
  cp_commit();
  for (; row < rows; row += stride) {
    const int next = row + stride;
    if (t < 64 && next < rows) cp_async16(base + (p ^ 256) * 4 + t * 16, in + next * 256 + t * 4);
    cp_commit();
    cp_wait<1>();
    __syncthreads();
    const float x = smem[p + t];
    int n = 0;
    for (int k = 0; k < 256; k += 4) {
      n += smem[p + k] < x;
      n += smem[p + k + 1] < x;
      n += smem[p + k + 2] < x;
      n += smem[p + k + 3] < x;
    }
    __syncthreads();
    out[row * 256 + t] = n;
    p ^= 256;
  }
}
