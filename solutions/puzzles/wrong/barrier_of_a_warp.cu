// verdict: race
// defect: race.missing_barrier
// __syncwarp() waits for the warp alone.
__global__ void p9_barrier(const int* in, int* out) {
  __shared__ int tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = in[i];  // <--
  __syncwarp();
  out[i] = tile[255 - threadIdx.x];  // <--
}

// The other puzzles are not begun.
__global__ void p1_thread(int* out) {}
__global__ void p2_block(int* out) {}
__global__ void p3_guard(const int* in, int* out, int n) {}
__global__ void p4_mirror(const int* in, int* out, int n) {}
__global__ void p5_stride(const int* in, int* sums, int n) {}
__global__ void p6_row_column(int* out, int rows, int columns) {}
__global__ void p7_turn(const int* in, int* out, int rows, int columns) {}
__global__ void p8_corner(const int* in, int* corners, int columns) {}
__global__ void p10_warp_sum(const int* in, int* sums) {}
