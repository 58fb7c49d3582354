// Each element is written before the barrier, and again behind it, where another thread reads it.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
// never: line 11
__global__ void k(const float* in, float* between, float* out) {
  const int t = threadIdx.x;
  between[t] = 0;
  __syncthreads();
  between[t] = in[t];        // <--
  out[t] = between[63 - t];  // <--
}
