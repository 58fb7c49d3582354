// A flat index in a block of two dimensions.
// grid: 1
// block: 16x16
// arg: f32[256]:random
// arg: f32[16]:poison
// finds: race
// cause: race.same_element
// fix: race_fix_thread_in_index
// with: part threadIdx.y
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];  // <--
}
