// The same in two lines, and the number of turns is not known when it is compiled.
// grid: 1
// block: 128
// arg: f32[128]:random
// arg: f32[1]:poison
// arg: i32:64
// finds: race
// cause: race.no_barrier_in_loop
// evidence: race_no_order_in_loop
// fix: race_fix_barrier_for_all_before_end
__global__ void k(const float* in, float* out, int h) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = h; o > 0; o /= 2) {
    if (t < o) {
      const float v = s[t + o];  // <--
      s[t] = s[t] + v;           // <--
    }
  }
  if (t == 0) *out = s[0];
}
