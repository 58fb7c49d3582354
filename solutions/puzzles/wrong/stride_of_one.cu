// verdict: wrong_result
// defect: wrong_result.value
// Steps by one: every thread adds up nearly the whole array.
__global__ void p5_stride(const int* in, int* sums, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = thread; i < n; i += 1) {
    sum += in[i];
  }
  sums[thread] = sum;
}

// The other puzzles are not begun.
__global__ void p1_thread(int* out) {}
__global__ void p2_block(int* out) {}
__global__ void p3_guard(const int* in, int* out, int n) {}
__global__ void p4_mirror(const int* in, int* out, int n) {}
__global__ void p6_row_column(int* out, int rows, int columns) {}
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {}
__global__ void p8_corner(const int* in, int* corners, int columns) {}
__global__ void p9_barrier(const int* in, int* out) {}
__global__ void p10_warp_sum(const int* in, int* sums) {}
