constexpr int kMaxTile = 32;

// where element (r, c) of the tile lives in dynamic shared memory
__device__ __forceinline__ int place(int r, int c, int edge) {
  const int s = r + c;
  return r * edge + (s >= edge ? s - edge : s);
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * blockDim.y, c0 = blockIdx.x * blockDim.x;
  if (r0 + ty < rows && c0 + tx < cols) tile[ty][tx ^ ty] = in[(r0 + ty) * cols + c0 + tx];
  __syncthreads();
  if (r0 + tx < rows && c0 + ty < cols) out[(c0 + ty) * rows + r0 + tx] = tile[tx][ty ^ tx];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int edge = blockDim.x;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * edge, c0 = blockIdx.x * edge;
  if (r0 + ty < rows && c0 + tx < cols) tile[place(ty, tx, edge)] = in[(r0 + ty) * cols + c0 + tx];
  __syncthreads();
  if (r0 + tx < rows && c0 + ty < cols) out[(c0 + ty) * rows + r0 + tx] = tile[place(tx, ty, edge)];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // not done
}
