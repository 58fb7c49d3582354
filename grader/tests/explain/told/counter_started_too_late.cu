// One thread sets the counter, and nobody waits for it: the barrier is what is missing first, not the value.
// grid: 1
// block: 96
// arg: i32[1]:poison
// finds: race
// cause: race.plain_beside_atomic
// evidence: race_undoes_change
// fix: race_fix_barrier_between
__global__ void k(int* out) {
  __shared__ int n;
  if (threadIdx.x == 95) n = 0;  // <--
  atomicAdd(&n, 1);              // <--
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}
