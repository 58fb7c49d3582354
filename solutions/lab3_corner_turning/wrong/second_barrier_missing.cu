// verdict: race
// class: missing second barrier
// defect: race.missing_barrier_in_loop
// A tile of half the height is used twice, and no thread waits before it is filled again.
constexpr int kTile = 32;
constexpr int kHalf = kTile / 2;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kHalf][kTile];
  const int c = blockIdx.x * kTile + threadIdx.x;
  const int r = blockIdx.y * kTile + threadIdx.y;
  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
  for (int half = 0; half < 2; ++half) {
    if (threadIdx.y / kHalf == half && r < rows && c < cols)
      tile[threadIdx.y % kHalf][threadIdx.x] = in[r * cols + c];  // <--
    __syncthreads();
    if (threadIdx.x / kHalf == half && out_r < cols && out_c < rows)
      out[out_r * rows + out_c] = tile[threadIdx.x % kHalf][threadIdx.y];  // <--
  }
}
