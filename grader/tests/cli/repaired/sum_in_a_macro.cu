// lab: lab4
// change: #define PITCH (blockDim.x + 1)
#define TX threadIdx.x
#define TY threadIdx.y
#define PITCH blockDim.x + 1

constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];
  unsigned x0 = blockIdx.x * blockDim.x, y0 = blockIdx.y * blockDim.y;
  if (x0 + TX < cols && y0 + TY < rows)
    tile[TY][TX] = in[(y0 + TY) * cols + x0 + TX];
  __syncthreads();
  if (x0 + TY < cols && y0 + TX < rows)
    out[(x0 + TY) * rows + y0 + TX] = tile[TX][TY];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  unsigned x0 = blockIdx.x * blockDim.x, y0 = blockIdx.y * blockDim.y;
  if (x0 + TX < cols && y0 + TY < rows)
    tile[TY * PITCH + TX] = in[(y0 + TY) * cols + x0 + TX];
  __syncthreads();
  if (x0 + TY < cols && y0 + TX < rows)
    out[(x0 + TY) * rows + y0 + TX] = tile[TX * PITCH + TY];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}

