// The row is multiplied by the width of a block, and not by the length of a row.
// grid: 2x2
// block: 16x16
// arg: f32[1024]:random
// arg: f32[1024]:poison
// arg: i32:32
// finds: race
// says: multiply the row by the length of a row of
// says: not by 16, which is a block's width
// never: what one block covers
__global__ void k(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * 16 + x] = in[y * n + x];  // <--
}
