// One barrier a turn: who is ahead reads, in the next turn, before the other has stored in this one.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:3
// finds: race
// cause: race.missing_barrier_in_loop
// evidence: race_next_iteration
// evidence: race_reads_too_early
// fix: race_fix_barrier_before_end
// with: end 22
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const float v = s[63 - t];  // <--
    __syncthreads();
    s[t] = v + 1;  // <--
  }
  out[t] = s[t];
}
