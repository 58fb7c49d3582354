// lab: lab4
// change: int mirrored = threadIdx.x * (blockDim.x + 1) + threadIdx.y;
constexpr int kMaxTile = 32;

enum {
  kLoadWavefronts = 1,   // a load from it
  kStoreWavefronts = 1,  // a store to it
};

struct Place { int r, c; };

// the element of this thread, in the block (bx, by) of square blocks
__device__ Place place(int bx, int by) {
  Place p;
  p.r = by * blockDim.x + threadIdx.y;
  p.c = bx * blockDim.x + threadIdx.x;
  return p;
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float s[kMaxTile][kMaxTile + 1];
  Place p = place(blockIdx.x, blockIdx.y);
  if (p.r < rows && p.c < cols) s[threadIdx.y][threadIdx.x] = in[p.r * cols + p.c];
  __syncthreads();
  Place q = place(blockIdx.y, blockIdx.x);
  if (q.r < cols && q.c < rows) out[q.r * rows + q.c] = s[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int me = threadIdx.y * (blockDim.x + 1) + threadIdx.x;
  int mirrored = threadIdx.x * blockDim.x + threadIdx.y;
  Place p = place(blockIdx.x, blockIdx.y);
  if (p.r < rows && p.c < cols) tile[me] = in[p.r * cols + p.c];
  __syncthreads();
  Place q = place(blockIdx.y, blockIdx.x);
  if (q.r < cols && q.c < rows) out[q.r * rows + q.c] = tile[mirrored];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
}
