// Both warps store the same, and one has read before: 0, or what the other has stored.
// grid: 2
// block: 64
// arg: i32[128]:random
// arg: i32[2]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
// thread: (63,0,0)
__global__ void k(const int* in, int* out) {
  __shared__ int any;
  const int t = threadIdx.x;
  if (t == 0) any = 0;
  __syncthreads();
  if (t == 63) out[blockIdx.x] = any;  // <--
  __syncwarp();
  if (in[blockIdx.x * 64 + t] != 12345) any = 1;  // <--
}
