// verdict: gate static_ratio
// defect: gate.static_ratio
// Both kernels are correct, coalesced and padded, but the first warp moves the whole tile, row by row, while the others wait:
// each row pays the memory latency again, and no counter shows it.
constexpr int kMaxTile = 32;

__device__ void turn(const float* in, float* out, int rows, int cols, float* tile, int pitch) {
  const int size = blockDim.x;
  if (threadIdx.y == 0) {
    const int c = blockIdx.x * size + threadIdx.x;
#pragma unroll 1
    for (int y = 0; y < size; ++y) {
      const int r = blockIdx.y * size + y;
      if (r < rows && c < cols) tile[y * pitch + threadIdx.x] = in[r * cols + c];
    }
  }
  __syncthreads();
  if (threadIdx.y == 0) {
    const int c = blockIdx.y * size + threadIdx.x;
#pragma unroll 1
    for (int y = 0; y < size; ++y) {
      const int r = blockIdx.x * size + y;
      if (r < cols && c < rows) out[r * rows + c] = tile[threadIdx.x * pitch + y];
    }
  }
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile * (kMaxTile + 1)];
  turn(in, out, rows, cols, tile, kMaxTile + 1);
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  turn(in, out, rows, cols, tile, blockDim.x + 1);
}

__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
