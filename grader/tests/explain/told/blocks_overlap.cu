// The block's number is not multiplied with its size.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: race
// cause: race.same_element
// evidence: step_block_distance
// fix: step_fix_block_width
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x + threadIdx.x;
  out[i] = in[threadIdx.x];  // <--
}
