// The barrier shares its line with the write, and both stand in a condition.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:32
// finds: race
// cause: race.barrier_not_on_every_path
// fix: race_fix_barrier_out_of_condition
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  // clang-format off
  if (t < n) { s[t] = in[t]; __syncthreads(); }  // <--
  out[t] = s[63 - t];  // <--
}
