// The tiled kernel, and a bonus kernel for speed: 8 x 8 elements of C per thread. At each step of k a
// thread reads 8 + 8 operands, 16 bytes at a time, for 64 multiplications, so arithmetic, and
// no longer shared memory, limits the speed.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < m; k0 += kTile) {
    tile_a[y][x] = row < n && k0 + x < m ? a[row * m + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < m && col < p ? b[(k0 + y) * p + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

constexpr int kThreads = 128;
constexpr int kTileRows = 64;
constexpr int kTileCols = 128;
constexpr int kDepth = 16;
constexpr int kEach = 8;      // rows, and columns, of C a thread
constexpr int kLaneRows = 4;  // the lanes of a warp: 4 rows of 8
constexpr int kLaneCols = 8;
constexpr int kWarpCols = kTileCols / (kLaneCols * kEach);
constexpr int kQuadsA = kTileRows * kDepth / 4 / kThreads;  // groups of four that a thread fetches
constexpr int kQuadsB = kTileCols * kDepth / 4 / kThreads;
__constant__ int matmul_registers_shape[4] = {kThreads, 1, kTileCols, kTileRows};

struct Tiles {
  float a[kDepth][kTileRows + 4];  // turned: a column of A is a row of the tile
  float b[kDepth][kTileCols];
};

// Four neighbours of a row, 0 where the matrix ends. kInQuads: rows hold a multiple of four floats,
// and the matrix begins at a multiple of 16 bytes.
template <bool kInQuads>
__device__ float4 fetch(const float* x, int row, int col, int rows, int cols) {
  float4 quad = make_float4(0, 0, 0, 0);
  if (row >= rows) return quad;
  const float* from = x + static_cast<size_t>(row) * cols + col;
  if (kInQuads) {
    if (col < cols) quad = *reinterpret_cast<const float4*>(from);
  } else {
    if (col < cols) quad.x = from[0];
    if (col + 1 < cols) quad.y = from[1];
    if (col + 2 < cols) quad.z = from[2];
    if (col + 3 < cols) quad.w = from[3];
  }
  return quad;
}

// Two pairs of tiles, used in turn: the operands of the next step are on their way from memory into
// registers while this step is multiplied, then go into the other pair. Of a thread's eight rows
// four lie side by side and four a warp's height further on, and so with the columns. Neighbouring
// threads read the same four operands of B and different ones of A, or the other way round, which
// shared memory serves together.
template <bool kInQuads>
__device__ void multiply(const float* __restrict__ a, const float* __restrict__ b,
                         float* __restrict__ c, int n, int m, int p, Tiles* tiles) {
  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int lane_row = (lane & 1) | (lane >> 4) << 1;
  const int lane_col = lane >> 1 & 7;
  const int first_row = blockIdx.y * kTileRows;
  const int first_col = blockIdx.x * kTileCols;
  const int my_row = warp / kWarpCols * kLaneRows * kEach + lane_row * 4;
  const int my_col = warp % kWarpCols * kLaneCols * kEach + lane_col * 4;
  constexpr int kFurtherRow = kLaneRows * 4;
  constexpr int kFurtherCol = kLaneCols * 4;

  float4 quad_a[kQuadsA], quad_b[kQuadsB];
  const auto load = [&](int k0) {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) {
      const int q = thread + i * kThreads;
      quad_a[i] = fetch<kInQuads>(a, first_row + q / (kDepth / 4), k0 + q % (kDepth / 4) * 4, n, m);
    }
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i) {
      const int q = thread + i * kThreads;
      quad_b[i] =
          fetch<kInQuads>(b, k0 + q / (kTileCols / 4), first_col + q % (kTileCols / 4) * 4, m, p);
    }
  };
  const auto keep = [&](Tiles& to) {
#pragma unroll
    for (int i = 0; i < kQuadsA; ++i) {
      const int q = thread + i * kThreads;
      const int row = q / (kDepth / 4);
      const int k = q % (kDepth / 4) * 4;
      to.a[k][row] = quad_a[i].x;
      to.a[k + 1][row] = quad_a[i].y;
      to.a[k + 2][row] = quad_a[i].z;
      to.a[k + 3][row] = quad_a[i].w;
    }
#pragma unroll
    for (int i = 0; i < kQuadsB; ++i) {
      const int q = thread + i * kThreads;
      *reinterpret_cast<float4*>(&to.b[q / (kTileCols / 4)][q % (kTileCols / 4) * 4]) = quad_b[i];
    }
  };

  float sum[kEach][kEach] = {};
  if (m > 0) {
    load(0);
    keep(tiles[0]);
  }
  __syncthreads();
  for (int k0 = 0; k0 < m; k0 += kDepth) {
    const int now = k0 / kDepth % 2;
    const Tiles& tile = tiles[now];
    const bool more = k0 + kDepth < m;
    if (more) load(k0 + kDepth);
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float4 left[2], right[2];
      left[0] = *reinterpret_cast<const float4*>(&tile.a[k][my_row]);
      left[1] = *reinterpret_cast<const float4*>(&tile.a[k][my_row + kFurtherRow]);
      right[0] = *reinterpret_cast<const float4*>(&tile.b[k][my_col]);
      right[1] = *reinterpret_cast<const float4*>(&tile.b[k][my_col + kFurtherCol]);
      const float rows[kEach] = {left[0].x, left[0].y, left[0].z, left[0].w,
                                 left[1].x, left[1].y, left[1].z, left[1].w};
      const float cols[kEach] = {right[0].x, right[0].y, right[0].z, right[0].w,
                                 right[1].x, right[1].y, right[1].z, right[1].w};
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += rows[i] * cols[j];
      }
    }
    if (more) keep(tiles[1 - now]);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int row = first_row + my_row + i / 4 * kFurtherRow + i % 4;
    if (row >= n) continue;
#pragma unroll
    for (int j = 0; j < kEach; j += 4) {
      const int col = first_col + my_col + j / 4 * kFurtherCol;
      float* to = c + static_cast<size_t>(row) * p + col;
      if (kInQuads) {
        if (col < p)
          *reinterpret_cast<float4*>(to) =
              make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      } else {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          if (col + q < p) to[q] = sum[i][j + q];
        }
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads, 4)
    matmul_registers(const float* __restrict__ a, const float* __restrict__ b,
                     float* __restrict__ c, int n, int m, int p) {
  __shared__ __align__(16) Tiles tiles[2];
  const size_t begin =
      reinterpret_cast<size_t>(a) | reinterpret_cast<size_t>(b) | reinterpret_cast<size_t>(c);
  if (m % 4 == 0 && p % 4 == 0 && begin % 16 == 0)
    multiply<true>(a, b, c, n, m, p, tiles);
  else
    multiply<false>(a, b, c, n, m, p, tiles);
}
