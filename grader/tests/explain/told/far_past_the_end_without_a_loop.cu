// Far past the end by a whole number of all threads, and there is no loop.
// grid: 1
// block: 32
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:2000000000
// finds: out_of_bounds
// fix: bounds_fix_compare
__global__ void k(const float* in, float* out, int m) {
  const int t = threadIdx.x;
  out[t] = in[t + m];  // <--
}
