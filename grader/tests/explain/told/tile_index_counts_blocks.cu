// The place in the whole matrix, where the place in the block is meant.
// grid: 2x2
// block: 32x32
// arg: f32[4096]:random
// arg: f32[4096]:poison
// finds: out_of_bounds
// says: leave the block's part (blockIdx) out of the index of tile
// never: declared with
__global__ void k(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  tile[row][col] = in[row * 64 + col];  // <--
  __syncthreads();
  out[row * 64 + col] = tile[threadIdx.x][threadIdx.y];
}
