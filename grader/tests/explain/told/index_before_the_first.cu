// The left neighbour of the first element.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// evidence: bounds_before
// fix: bounds_fix_negative
__global__ void k(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = in[i - 1] + in[i];  // <--
}
