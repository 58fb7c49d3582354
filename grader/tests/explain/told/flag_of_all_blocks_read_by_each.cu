// All blocks store the same, which alone does no harm, but each reads it too: before or after the others.
// grid: 8
// block: 64
// arg: i32[512]:random
// arg: i32[1]:zero
// arg: i32[8]:poison
// finds: race
// cause: race.between_blocks
// fix: race_fix_write_elsewhere
__global__ void k(const int* in, int* found, int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = *found;  // <--
  __syncthreads();
  if (in[blockIdx.x * 64 + threadIdx.x] != 0) *found = 1;  // <--
}
