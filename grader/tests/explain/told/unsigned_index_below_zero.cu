// An unsigned index of 0 minus 1: far past the end of the array that was meant, and nearer to another.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// evidence: bounds_wrapped_below
// with: array a
// with: below 1
// fix: bounds_fix_wrapped_below
__global__ void k(const float* a, const float* b, float* c) {
  const unsigned i = threadIdx.x;
  c[i] = a[i - 1] + b[i];  // <--
}
