// A pointer that is set in one branch only.
// grid: 1
// block: 32
// arg: f32[32]:poison
// arg: i32:32
// finds: out_of_bounds
// cause: out_of_bounds.null_pointer
// evidence: bounds_null
// fix: bounds_fix_null
__global__ void k(float* out, int n) {
  float* p = nullptr;
  if (n > 1000) p = out;
  p[threadIdx.x] = 1;  // <--
}
