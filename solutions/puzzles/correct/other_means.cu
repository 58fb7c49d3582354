// The same by other means: a butterfly of shuffles, a barrier that counts, blockDim for 16.
__global__ void p1_thread(int* out) {
  int i = (int)threadIdx.x + (int)(blockIdx.x * blockDim.x);
  out[i] = i;
}

__global__ void p2_block(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

__global__ void p3_guard(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = 2 * in[i];
  }
}

__global__ void p4_mirror(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[n - 1 - i];
  }
}

__global__ void p5_stride(const int* in, int* sums, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  sums[thread] = sum;
}

__global__ void p6_row_column(int* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    out[row * columns + column] = 100 * row + column;
  }
}

__global__ void p7_turn(const int* in, int* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns) {
    out[column * rows + row] = in[row * columns + column];
  }
}

__global__ void p8_corner(const int* in, int* corners, int columns) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    corners[blockIdx.y * gridDim.x + blockIdx.x] =
        in[blockIdx.y * blockDim.y * columns + blockIdx.x * blockDim.x];
  }
}

__global__ void p9_barrier(const int* in, int* out) {
  __shared__ int tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads_count(1);
  out[i] = tile[255 - threadIdx.x];
}

__global__ void p10_warp_sum(const int* in, int* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x % 32 == 0) {
    sums[i / 32] = sum;
  }
}
