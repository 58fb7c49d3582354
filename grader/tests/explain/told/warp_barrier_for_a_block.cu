// A barrier of each warp where a block's is needed.
// grid: 1
// block: 64
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// evidence: race_syncwarp_orders_one_warp
// fix: race_fix_barrier_between
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;  // <--
  __syncwarp();
  out[threadIdx.x] = s[63 - threadIdx.x];  // <--
}
