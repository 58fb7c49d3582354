// Lab 3
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,      // how many sectors does a store of a warp touch?
  kColumnWavefronts = 32,  // how many wavefronts does a load of a tile's column take?
};

#define IN(r, c) in[(r) * cols + (c)]
#define OUT(r, c) out[(r) * rows + (c)]
#define CELL(r, c) buf[(r) * kTile + (c)]

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T buf[kTile * kTile];
  const int bi = kTile * blockIdx.y, bj = kTile * blockIdx.x;  // corner of the tile
  const int i = threadIdx.y, j = threadIdx.x;

  if (bi + i < rows && bj + j < cols) CELL(i, j) = IN(bi + i, bj + j);
  __syncthreads();
  if (bj + i < cols && bi + j < rows) OUT(bj + i, bi + j) = CELL(j, i);
}
