// Neighbours exchange their elements turn by turn. No atomic function does that; a barrier between the turns does.
// grid: 1
// block: 64
// arg: i32[128]:random
// arg: i32[128]:poison
// finds: race
// cause: race.no_barrier_in_loop
// evidence: race_no_order_in_loop
// fix: race_fix_barrier_for_all_before_end
__global__ void k(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 64] = in[t + 64];
  __syncthreads();
  for (int p = 0; p < 128; p++) {
    const int i = 2 * t + (p & 1);
    if (i < 127) {
      const int a = s[i], b = s[i + 1];  // <--
      if (a > b) {
        s[i] = b;  // <--
        s[i + 1] = a;
      }
    }
  }
  __syncthreads();
  out[t] = s[t];
  out[t + 64] = s[t + 64];
}
