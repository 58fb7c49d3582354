// verdict: gate static_wavefronts
// defect: gate.static_wavefronts
// The unpadded tile, read one lane at a time: no bank serves two words at once, but each word takes its own wavefront.
constexpr int kMaxTile = 32;

/// Each lane takes its word alone: no two lanes ever ask for one bank at the same time.
__device__ float one_by_one(const volatile float* word, bool mine) {
  float value = 0;
#pragma unroll 1
  for (int lane = 0; lane < 32; ++lane)
    if (threadIdx.x == lane && mine) value = *word;  // <--
  return value;
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kMaxTile][kMaxTile];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  const bool mine = out_r < cols && out_c < rows;
  const float value = one_by_one(&tile[threadIdx.x][threadIdx.y], mine);
  if (mine) out[out_r * rows + out_c] = value;
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int pitch = blockDim.x;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) tile[threadIdx.y * pitch + threadIdx.x] = in[r * cols + c];
  __syncthreads();

  const int out_c = blockIdx.y * blockDim.y + threadIdx.x;
  const int out_r = blockIdx.x * blockDim.x + threadIdx.y;
  const bool mine = out_r < cols && out_c < rows;
  const float value = one_by_one(&tile[threadIdx.x * pitch + threadIdx.y], mine);
  if (mine) out[out_r * rows + out_c] = value;
}

__constant__ int transpose_rows_shape[4] = {32, 32, 32, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {}
