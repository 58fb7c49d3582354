// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.multiples
// A block whose tile extends past the edge does nothing.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  if ((blockIdx.x + 1) * kTile > cols || (blockIdx.y + 1) * kTile > rows) return;
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  out[(blockIdx.x * kTile + threadIdx.y) * rows + blockIdx.y * kTile + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}
