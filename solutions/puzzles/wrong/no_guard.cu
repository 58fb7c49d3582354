// verdict: out_of_bounds
// defect: out_of_bounds.tail
// The guard is always true.
__global__ void p3_guard(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (true) {
    out[i] = 2 * in[i];  // <--
  }
}

// The other puzzles are not begun.
__global__ void p1_thread(int* out) {}
__global__ void p2_block(int* out) {}
__global__ void p4_mirror(const int* in, int* out, int n) {}
__global__ void p5_stride(const int* in, int* sums, int n) {}
__global__ void p6_row_column(int* out, int rows, int columns) {}
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {}
__global__ void p8_corner(const int* in, int* corners, int columns) {}
__global__ void p9_barrier(const int* in, int* out) {}
__global__ void p10_warp_sum(const int* in, int* sums) {}
