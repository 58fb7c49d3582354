// lab: lab4
// change: tile[y][(x + y) % b] = in[row * cols + col];
// change: out[col * rows + row] = tile[x][(y + x) % b];
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const unsigned b = blockDim.x;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  unsigned col = blockIdx.x * b + x;
  unsigned row = blockIdx.y * b + y;

  if (row < (unsigned)rows && col < (unsigned)cols)
    tile[y][(x + y) & (b - 1u)] = in[row * cols + col];

  __syncthreads();

  col = blockIdx.x * b + y;
  row = blockIdx.y * b + x;
  if (row < (unsigned)rows && col < (unsigned)cols)
    out[col * rows + row] = tile[x][(y + x) & (b - 1u)];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const unsigned b = blockDim.x;
  const unsigned pitch = b + 1u;
  float* const put = tile + threadIdx.y * pitch + threadIdx.x;
  const float* const get = tile + threadIdx.x * pitch + threadIdx.y;
  unsigned col = blockIdx.x * b + threadIdx.x;
  unsigned row = blockIdx.y * b + threadIdx.y;

  if (row < (unsigned)rows && col < (unsigned)cols) *put = in[row * cols + col];

  __syncthreads();

  col = blockIdx.x * b + threadIdx.y;
  row = blockIdx.y * b + threadIdx.x;
  if (row < (unsigned)rows && col < (unsigned)cols) out[col * rows + row] = *get;
}

// Optional, for bonus points: the shape is yours.
__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
