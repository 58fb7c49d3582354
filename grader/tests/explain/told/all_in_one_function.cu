// The kernel only calls a function of the student's own: the lines are those of the function.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
// with: barrier __syncthreads()
// with: above {1}
// with: below {2}
__device__ void body(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];               // <--
  const float v = s[63 - t];  // <--
  out[t] = v;
}
__global__ void k(const float* in, float* out) { body(in, out); }
