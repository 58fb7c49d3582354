// Nothing keeps threads without an element back.
// grid: 1
// block: 64
// arg: f32[40]:random
// arg: f32[40]:poison
// finds: out_of_bounds
// fix: index_fix_compare
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // <--
}
