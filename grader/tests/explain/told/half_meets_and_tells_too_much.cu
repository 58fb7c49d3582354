// The same, but the other half of the warp was never met.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  __shared__ int flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 32) s[t] = in[blockIdx.x * 64 + t];  // <--
  if (t < 16) {
    __syncwarp(0xffffu);
    if (t == 0) {
      __threadfence_block();
      atomicExch(&flag, 1);
    }
  } else if (t >= 32) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[blockIdx.x * 32 + t - 32] = s[t - 32];  // <--
  }
}
