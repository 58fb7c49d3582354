// The index has no part of the block's: stores of values, which no atomic function mends.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[64]:poison
// finds: race
// cause: race.same_element
// fix: race_fix_block_in_index
// with: part blockIdx.x
__global__ void k(const float* in, float* out) {
  out[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];  // <--
}
