// lab: lab3
// change: int outRow = blockIdx.x * kTile + threadIdx.y;
// change: int outCol = blockIdx.y * kTile + threadIdx.x;
// change: T value = tile[threadIdx.x][threadIdx.y];
// why: change_own_element
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int inRow = blockIdx.y * kTile + threadIdx.y;
  int inCol = blockIdx.x * kTile + threadIdx.x;
  bool canRead = inRow < rows && inCol < cols;
  if (canRead) {
    tile[threadIdx.y][threadIdx.x] = in[inRow * cols + inCol];
  }
  __syncthreads();
  int outRow = inCol;
  int outCol = inRow;
  bool canWrite = outRow < cols && outCol < rows;
  if (canWrite) {
    T value = tile[threadIdx.y][threadIdx.x];
    out[outRow * rows + outCol] = value;
  }
}
