// The row is multiplied by the width of a block, and not by the length of a row.
// grid: 2x2
// block: 16x16
// arg: f32[1024]:random
// arg: f32[1024]:poison
// arg: i32:32
// finds: race
// cause: race.rows_overlap
// evidence: index_rows_overlap
// fix: index_fix_row_length_block
__global__ void k(const float* in, float* out, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * 16 + x] = in[y * n + x];  // <--
}
