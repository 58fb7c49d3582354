// A flat index in a block of two dimensions.
// grid: 1
// block: 16x16
// arg: f32[256]:random
// arg: f32[16]:poison
// finds: race
// says: no part that comes from threadIdx.y
// never: atomic
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];  // <--
}
