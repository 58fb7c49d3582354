// A transposed matrix has rows of the other length.
// grid: 2x1
// block: 32x32
// arg: f32[1023]:random
// arg: f32[1023]:poison
// arg: i32:31
// arg: i32:33
// finds: out_of_bounds
// cause: out_of_bounds.wrong_row_length
// evidence: index_row_multiplied
// fix: index_fix_other_row_length
// with: wanted 31
// with: used 33
__global__ void k(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * 32 + threadIdx.y, col = blockIdx.y * 32 + threadIdx.x;
  if (row < cols && col < rows) out[row * cols + col] = in[col * cols + row];  // <--
}
