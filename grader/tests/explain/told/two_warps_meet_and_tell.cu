// A barrier of two warps, after which one of them tells a third what both did.
// grid: 2
// block: 96
// arg: f32[192]:random
// arg: f32[192]:poison
// finds: nothing
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  __shared__ int flag;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (warp == 0) s[lane] = in[blockIdx.x * 96 + lane];
  if (warp < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (warp == 1 && lane == 0) {
    __threadfence_block();
    atomicExch(&flag, 1);
  }
  if (warp == 2) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[blockIdx.x * 32 + lane] = s[lane];
  }
}
