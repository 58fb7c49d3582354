// The reader's warp comes first when it is simulated; what the program wants is the write first, and the barrier after it.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// evidence: race_reads_too_early
// fix: race_fix_barrier_between
// thread: (0,0,0)
// thread: (32,0,0)
// with: line {2}
// with: other_line {1}
// never: WAR
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];                    // <--
  if (t < 32) out[t] = s[t + 32];  // <--
}
