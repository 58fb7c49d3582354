// The barrier shares its line with the write, and stands before it: no condition, and none is to be blamed.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[63 - t] = in[t];
  // clang-format off
  __syncthreads(); s[t] += 1;  // <--
  out[t] = s[63 - t];  // <--
}
