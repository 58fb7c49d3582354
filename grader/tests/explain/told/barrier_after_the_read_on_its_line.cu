// The same with a barrier behind the read.
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
  // clang-format off
  s[t] = in[t];  // <--
  out[t] = s[63 - t]; __syncthreads();  // <--
  s[t] = 0;
}
