// Rows that are taken for shorter than they are: their ends and the next beginnings are one place.
// grid: 1x2
// block: 32x32
// arg: f32[1023]:random
// arg: f32[1023]:poison
// arg: i32:33
// arg: i32:31
// finds: race
// cause: race.rows_overlap
// evidence: index_rows_overlap
// fix: index_fix_other_row_length
// with: length 31
// never: blockIdx
__global__ void k(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * 32 + threadIdx.y, col = blockIdx.y * 32 + threadIdx.x;
  if (row < cols && col < rows) out[row * cols + col] = in[col * cols + row];  // <--
}
