// lab5: flat arrays in shared memory
constexpr int kTile = 32;

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// For n = 1024, m = 128 and p = 1024:
enum {
  kLoadSectors = 4,     // how many sectors does a global load of a warp touch?
  kAllLoadSectors = 1048576,  // how many do all of them move?
};

#define AT(i, j) ((i) * kTile + (j))

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float bufA[kTile * kTile];
  __shared__ float bufB[kTile * kTile];
  int tid = threadIdx.y * kTile + threadIdx.x;
  int ly = tid / kTile;
  int lx = tid % kTile;
  int gy = blockIdx.y * kTile + ly;
  int gx = blockIdx.x * kTile + lx;

  float acc = 0;
  for (int base = 0; base < m; base += kTile) {
    bufA[tid] = 0;
    bufB[tid] = 0;
    if (gy < n && base + lx < m) bufA[tid] = a[gy * m + base + lx];
    if (gx < p && base + ly < m) bufB[tid] = b[(base + ly) * p + gx];
    __syncthreads();
    for (int z = 0; z < kTile; z++) acc += bufA[AT(ly, z)] * bufB[AT(z, lx)];
    __syncthreads();
  }
  if (gy >= n || gx >= p) return;
  c[gy * p + gx] = acc;
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads computes
// the tile of C of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional): let every thread compute several elements of C, kept in registers.
}
