// Style: a careful physicist who stages in double "to lose nothing"; twice the shared memory, an extra column as well.
// Right: 33 doubles per row put 16 doubles of a column into 16 pairs of banks, and float to double to float changes nothing.
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ double tile[kMaxTile][kMaxTile + 1];
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    tile[threadIdx.y][threadIdx.x] = (double)in[row * cols + col];
  }
  __syncthreads();
  int ocol = blockIdx.y * blockDim.y + threadIdx.x;
  int orow = blockIdx.x * blockDim.x + threadIdx.y;
  if (orow < cols && ocol < rows) {
    out[orow * rows + ocol] = (float)tile[threadIdx.x][threadIdx.y];
  }
}

// There is room for floats only here.
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int edge = blockDim.x, step = edge + 1;
  int col = blockIdx.x * edge + threadIdx.x;
  int row = blockIdx.y * edge + threadIdx.y;
  int mine = threadIdx.y * step + threadIdx.x;
  int theirs = threadIdx.x * step + threadIdx.y;
  if (row < rows && col < cols) {
    tile[mine] = in[row * cols + col];
  } else {
    tile[mine] = 0;
  }
  __syncthreads();
  int ocol = blockIdx.y * edge + threadIdx.x;
  int orow = blockIdx.x * edge + threadIdx.y;
  if (orow < cols && ocol < rows) {
    out[orow * rows + ocol] = tile[theirs];
  }
}

// 4 x 4 elements a thread would be nice; four in a column will do.
__constant__ int transpose_rows_shape[4] = {32, 8, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int left = 32 * blockIdx.x, top = 32 * blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  float a = 0, b = 0, c = 0, d = 0;
  if (left + x < cols) {
    if (top + y < rows) a = in[(top + y) * cols + left + x];
    if (top + y + 8 < rows) b = in[(top + y + 8) * cols + left + x];
    if (top + y + 16 < rows) c = in[(top + y + 16) * cols + left + x];
    if (top + y + 24 < rows) d = in[(top + y + 24) * cols + left + x];
  }
  tile[y][x] = a;
  tile[y + 8][x] = b;
  tile[y + 16][x] = c;
  tile[y + 24][x] = d;
  __syncthreads();
  if (top + x < rows) {
    if (left + y < cols) out[(left + y) * rows + top + x] = tile[x][y];
    if (left + y + 8 < cols) out[(left + y + 8) * rows + top + x] = tile[x][y + 8];
    if (left + y + 16 < cols) out[(left + y + 16) * rows + top + x] = tile[x][y + 16];
    if (left + y + 24 < cols) out[(left + y + 24) * rows + top + x] = tile[x][y + 24];
  }
}
