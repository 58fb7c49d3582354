// A thread reads its own element once more, while another may be changing it already.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
  __syncthreads();
  const float own = out[t];           // <--
  if (t < 32) out[t + 32] = 2 * own;  // <--
}
