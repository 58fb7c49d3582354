// lab: lab3
// change: const int out_x = kTile * blockIdx.y + threadIdx.x, out_y = kTile * blockIdx.x + threadIdx.y; if (out_x < rows && out_y < cols) out[out_y * rows + out_x] = tile[threadIdx.x][threadIdx.y];
// why: change_turned_place
// Lab 3: corner turning.
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,
  kColumnWavefronts = 32,
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];

  const int x = kTile * blockIdx.x + threadIdx.x;
  const int y = kTile * blockIdx.y + threadIdx.y;

  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();

  // the tile is read turned: that is the transpose. out has rows of length `rows`
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
