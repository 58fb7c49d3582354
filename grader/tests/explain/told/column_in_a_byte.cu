// A column that is an unsigned char wraps around after 255.
// grid: 10x1
// block: 32x8
// arg: f32[2560]:random
// arg: f32[2560]:poison
// arg: i32:8
// arg: i32:320
// finds: race warning
// evidence: index_wraps_around
// fix: index_fix_wider_type
__global__ void k(const float* in, float* out, int rows, int cols) {
  const unsigned char col = blockIdx.x * 32 + threadIdx.x;
  const int row = threadIdx.y;
  if (row < rows && col < cols) out[row * cols + col] = in[row * cols + col];  // <--
}
