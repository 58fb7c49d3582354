// Behind 32767 a short goes on at -32768.
// grid: 600
// block: 64
// arg: f32[38400]:random
// arg: f32[38400]:poison
// arg: i32:38400
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// fix: bounds_fix_short_index
__global__ void k(const float* in, float* out, int n) {
  const short i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = in[i];  // <--
}
