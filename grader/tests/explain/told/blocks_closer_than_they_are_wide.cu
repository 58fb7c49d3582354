// A constant stands where the block's size belongs: blocks of 128 threads, 32 elements apart.
// grid: 4
// block: 128
// arg: f32[512]:random
// arg: f32[512]:poison
// finds: race
// cause: race.same_element
// evidence: step_block_distance
// fix: step_fix_block_width
// with: elements 128
// with: distance 32
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i] + blockIdx.x;  // <--
}
