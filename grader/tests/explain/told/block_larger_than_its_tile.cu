// A tile of 16 x 16 in a block of 32 x 32.
// grid: 1
// block: 32x32
// arg: f32[1024]:random
// arg: f32[1024]:poison
// finds: out_of_bounds
// fix: bounds_fix_tile_of_block
// with: columns 16
__global__ void k(const float* in, float* out) {
  __shared__ float tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = in[ty * 32 + tx];  // <--
  __syncthreads();
  out[ty * 32 + tx] = tile[tx][ty];
}
