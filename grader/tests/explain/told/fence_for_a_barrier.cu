// A fence in place of a barrier: it makes nobody wait. The two accesses stand in conditions of their own.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:64
// finds: race
// cause: race.missing_barrier
// evidence: race_fence_makes_nobody_wait
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];  // <--
  __threadfence_block();
  if (t < n) out[t] = s[63 - t];  // <--
}
