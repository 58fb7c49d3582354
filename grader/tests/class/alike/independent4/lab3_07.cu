// lab 3, corner turning. warp = row of the block, lane = place in the row
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T sh[kTile][kTile];
  int id = threadIdx.x + threadIdx.y * blockDim.x;
  int lane = id & 31;
  int warp = id >> 5;

  int readRow = (blockIdx.y << 5) + warp;
  int readCol = (blockIdx.x << 5) + lane;
  if (readCol < cols && readRow < rows)
    sh[warp][lane] = in[readCol + cols * readRow];

  __syncthreads();

  // now the warp takes a column
  int writeRow = (blockIdx.x << 5) + warp;
  int writeCol = (blockIdx.y << 5) + lane;
  if (writeCol < rows && writeRow < cols)
    out[writeCol + rows * writeRow] = sh[lane][warp];
}
