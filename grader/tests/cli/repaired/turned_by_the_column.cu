// lab: lab4
// change: if (x < rows && y < cols) out[y * rows + x] = box[tx][turn(ty, tx)];
constexpr int kMaxTile = 32;

__device__ int turn(int column, int by) { return (column + by) % kMaxTile; }

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float box[kMaxTile][kMaxTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
  if (x < cols && y < rows) box[ty][turn(tx, ty)] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + tx;
  y = blockIdx.x * blockDim.x + ty;
  if (x < rows && y < cols) out[y * rows + x] = box[tx][turn(ty, ty)];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {}
