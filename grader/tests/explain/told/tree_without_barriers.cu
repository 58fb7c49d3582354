// A tree of sums without a barrier in its loop: the wait belongs where a turn ends.
// grid: 1
// block: 128
// arg: f32[128]:random
// arg: f32[1]:poison
// finds: race
// cause: race.no_barrier_in_loop
// evidence: race_next_iteration
// evidence: race_reads_too_early
// fix: race_fix_barrier_for_all_before_end
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = 64; o; o >>= 1) {
    if (t < o) s[t] += s[t + o];  // <--
  }
  if (t == 0) *out = s[0];
}
