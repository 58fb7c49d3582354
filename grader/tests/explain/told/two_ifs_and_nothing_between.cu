// No barrier between two conditions: there is room for one between them, and nothing to take apart.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:64
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];  // <--
  int j = t * 3 % 64;
  if (j < n) out[j] = s[63 - j];  // <--
}
