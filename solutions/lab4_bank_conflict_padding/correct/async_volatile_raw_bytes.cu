// Style: asynchronous copies into the static tile (pitch 35); raw bytes as dynamic shared memory, volatile.
// Right: each thread waits for its own copy, then the barrier for all; 35 and edge | 1 are odd.
#include <cuda_pipeline.h>
constexpr int kMaxTile = 32;

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile + 1][kMaxTile + 3];
  const int edge = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  const int top = edge * blockIdx.y, left = edge * blockIdx.x;
  if (top + ty < rows && left + tx < cols)
    __pipeline_memcpy_async(&tile[ty][tx], &in[(top + ty) * cols + left + tx], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (left + ty < cols && top + tx < rows) out[(left + ty) * rows + top + tx] = tile[tx][ty];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ char raw[];
  volatile float* tile = (volatile float*)raw;
  const int edge = blockDim.x, pitch = edge | 1, tx = threadIdx.x, ty = threadIdx.y;
  const int top = edge * blockIdx.y, left = edge * blockIdx.x;
  if (top + ty < rows && left + tx < cols)
    tile[ty * pitch + tx] = in[(top + ty) * cols + left + tx];
  __syncthreads();
  if (left + ty < cols && top + tx < rows)
    out[(left + ty) * rows + top + tx] = tile[tx * pitch + ty];
}

// Optional, for bonus points: the shape is yours. A block of `block_x` x `block_y` threads
// transposes the tile of `tile_rows` rows and `tile_cols` columns whose top left corner is at row
// tile_rows * blockIdx.y, column tile_cols * blockIdx.x. The grader reads these four numbers from
// your file: block_x, block_y, tile_cols, tile_rows.
__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
