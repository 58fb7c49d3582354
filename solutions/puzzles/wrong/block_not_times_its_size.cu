// verdict: wrong_result
// defect: race.same_element
// The block's position is not multiplied by its size: blocks overlap.
__global__ void p2_block(int* out) {
  int i = blockIdx.x + threadIdx.x;
  out[i] = i;  // <--
}

// The other puzzles are not begun.
__global__ void p1_thread(int* out) {}
__global__ void p3_guard(const int* in, int* out, int n) {}
__global__ void p4_mirror(const int* in, int* out, int n) {}
__global__ void p5_stride(const int* in, int* sums, int n) {}
__global__ void p6_row_column(int* out, int rows, int columns) {}
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {}
__global__ void p8_corner(const int* in, int* corners, int columns) {}
__global__ void p9_barrier(const int* in, int* out) {}
__global__ void p10_warp_sum(const int* in, int* sums) {}
