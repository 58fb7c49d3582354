// The output has one element, and each block has its own place in it. The input is longer, but nobody meant it.
// grid: 3
// block: 32
// arg: f32[96]:random
// arg: f32[1]:zero
// finds: out_of_bounds
// cause: out_of_bounds.wrong_index
// evidence: index_is_block_number
// fix: index_fix_block_number
// with: array total
__global__ void k(const float* in, float* total) {
  float mine = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
  if (threadIdx.x == 0) total[blockIdx.x] = mine;  // <--
}
