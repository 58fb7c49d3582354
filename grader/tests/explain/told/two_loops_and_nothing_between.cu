// Two loops that the compiler unrolls, one after the other: the barrier belongs between them, and not into a turn.
// grid: 1
// block: 64
// arg: f32[256]:random
// arg: f32[256]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) s[t * 4 + i] = in[t * 4 + i];     // <--
  for (int i = 0; i < 4; ++i) out[i * 64 + t] = s[i * 64 + t];  // <--
}
