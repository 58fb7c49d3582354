// The index is far past the end of the first array: the array that lies there is not the one that is meant.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[6400]:poison
// arg: i32:100000
// finds: out_of_bounds
// evidence: bounds_after
// with: array in
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x] = in[threadIdx.x + n];  // <--
}
