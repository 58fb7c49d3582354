// lab: lab4
// change: const int pitch = blockDim.x + 1;
// Lab 4: the corner turning of lab 3, without bank conflicts.
constexpr int kMaxTile = 32;

enum {
  kLoadWavefronts = 1,
  kStoreWavefronts = 1,
};

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile + 1];  // one more, so that columns change banks
  const int side = blockDim.x;
  int r = side * blockIdx.y + threadIdx.y;
  int c = side * blockIdx.x + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  r = side * blockIdx.x + threadIdx.y;  // now in `out`
  c = side * blockIdx.y + threadIdx.x;
  if (r < cols && c < rows) out[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}

// The same tile as above, only with one index. A row is 33 floats long, as in the static version.
__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  constexpr int pitch = kMaxTile + 1;
  const int side = blockDim.x;
  int r = side * blockIdx.y + threadIdx.y;
  int c = side * blockIdx.x + threadIdx.x;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();
  r = side * blockIdx.x + threadIdx.y;
  c = side * blockIdx.y + threadIdx.x;
  if (r < cols && c < rows) out[r * rows + c] = tile[threadIdx.x * pitch + threadIdx.y];
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  // TODO (optional): let every thread move several elements, with all its loads under way before
  // the first store.
}
