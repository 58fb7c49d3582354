// Rows that are taken for shorter than they are: their ends and the next beginnings are one place.
// grid: 1x2
// block: 32x32
// arg: f32[1023]:random
// arg: f32[1023]:poison
// arg: i32:33
// arg: i32:31
// finds: race
// says: are one place by rows of 31
// says: see how long a row of `argument 2` is, 33 or 31: the row is multiplied by that
// never: blocks run in any order
// never: blockIdx
__global__ void k(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * 32 + threadIdx.y, col = blockIdx.y * 32 + threadIdx.x;
  if (row < cols && col < rows) out[row * cols + col] = in[col * cols + row];  // <--
}
