// Each thread fences off its store, but the one that counts for its block has not waited for the others.
// grid: 8
// block: 64
// arg: f32[512]:random
// arg: f32[512]:poison
// arg: f32[1]:poison
// arg: i32[1]:zero
// finds: race
// cause: race.between_blocks
// evidence: race_counts_for_block
// fix: race_fix_barrier_before_count
// with: line 22
// never: launch of its own
__global__ void k(const float* in, float* part, float* out, unsigned* count) {
  __shared__ bool last;
  const int t = threadIdx.x;
  part[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t] * 2;  // <--
  __threadfence();
  if (t == 0) {
    const unsigned blocks = gridDim.x;
    // the one that comes last
    const unsigned c = atomicInc(count, blocks - 1);
    last = c == blocks - 1;
  }
  __syncthreads();
  if (last) {
    __threadfence();
    if (t == 0) {
      float a = 0;
      for (int i = 0; i < gridDim.x * 64; i++) a += ((volatile float*)part)[i];  // <--
      *out = a;
    }
  }
}
