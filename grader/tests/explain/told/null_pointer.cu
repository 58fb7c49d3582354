// A pointer that is set in one branch only.
// grid: 1
// block: 32
// arg: f32[32]:poison
// arg: i32:32
// finds: out_of_bounds
// says: through a pointer that is null
// never: no array
__global__ void k(float* out, int n) {
  float* p = nullptr;
  if (n > 1000) p = out;
  p[threadIdx.x] = 1;  // <--
}
