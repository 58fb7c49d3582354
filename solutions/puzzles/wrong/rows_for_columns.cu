// verdict: race
// defect: race.rows_overlap
// A row is as long as there are columns, not rows.
__global__ void p6_row_column(int* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    out[row * rows + column] = 100 * row + column;  // <--
  }
}

// The other puzzles are not begun.
__global__ void p1_thread(int* out) {}
__global__ void p2_block(int* out) {}
__global__ void p3_guard(const int* in, int* out, int n) {}
__global__ void p4_mirror(const int* in, int* out, int n) {}
__global__ void p5_stride(const int* in, int* sums, int n) {}
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {}
__global__ void p8_corner(const int* in, int* corners, int columns) {}
__global__ void p9_barrier(const int* in, int* out) {}
__global__ void p10_warp_sum(const int* in, int* sums) {}
