// The place in the whole matrix, where the place in the block is meant.
// grid: 2x2
// block: 32x32
// arg: f32[4096]:random
// arg: f32[4096]:poison
// finds: out_of_bounds
// cause: out_of_bounds.block_index_in_shared
// fix: index_fix_block_part
// with: array tile
__global__ void k(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  tile[row][col] = in[row * 64 + col];  // <--
  __syncthreads();
  out[row * 64 + col] = tile[threadIdx.x][threadIdx.y];
}
