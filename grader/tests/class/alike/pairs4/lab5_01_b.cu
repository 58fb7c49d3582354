// Lab 5: matrix product through shared tiles.
constexpr int kTile = 32;

enum {
  kLoadSectors = 4,
  kAllLoadSectors = 1048576,
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const int lx = threadIdx.x, ly = threadIdx.y;
  const int j = lx + kTile * blockIdx.x;
  const int i = ly + kTile * blockIdx.y;
  __shared__ float first[kTile][kTile];
  __shared__ float second[kTile][kTile];
  const bool okJ = j < p;
  const bool okI = i < n;

  float result = 0;
  int offset = 0;
  while (offset < m) {
    // second matrix
    const int down = ly + offset;
    if (!okJ || down >= m) {
      second[ly][lx] = 0;
    } else {
      second[ly][lx] = b[j + p * down];
    }
    // first matrix
    const int across = lx + offset;
    if (!okI || across >= m) {
      first[ly][lx] = 0;
    } else {
      first[ly][lx] = a[across + m * i];
    }
    __syncthreads();
    int e = 0;
    while (e < kTile) {
      result = result + second[e][lx] * first[ly][e];
      e++;
    }
    __syncthreads();
    offset += kTile;
  }

  if (!okI || !okJ) return;
  c[j + p * i] = result;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
}
