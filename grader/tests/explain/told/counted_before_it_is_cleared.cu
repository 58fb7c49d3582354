// Counters that are cleared while others count already: only a barrier helps, and what is lost is said.
// grid: 1
// block: 64
// arg: i32[64]:random
// arg: i32[16]:poison
// finds: race
// cause: race.plain_beside_atomic
// evidence: race_undoes_change
// fix: race_fix_barrier_between
__global__ void k(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;  // <--
  atomicAdd(&bins[in[threadIdx.x] & 15], 1);    // <--
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
