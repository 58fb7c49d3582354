// verdict: gate ratio
// defect: gate.ratio
// Correct, coalesced on both sides and free of conflicts, but the first warp moves the whole tile, row by row, while 31 warps
// wait: each row pays the memory latency again, and no counter of sectors shows it.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  if (threadIdx.y == 0) {
    const int c = blockIdx.x * kTile + threadIdx.x;
#pragma unroll 1
    for (int y = 0; y < kTile; ++y) {
      const int r = blockIdx.y * kTile + y;
      if (r < rows && c < cols) tile[y][threadIdx.x] = in[r * cols + c];
    }
  }
  __syncthreads();
  if (threadIdx.y == 0) {
    const int c = blockIdx.y * kTile + threadIdx.x;
#pragma unroll 1
    for (int y = 0; y < kTile; ++y) {
      const int r = blockIdx.x * kTile + y;
      if (r < cols && c < rows) out[r * rows + c] = tile[threadIdx.x][y];
    }
  }
}
