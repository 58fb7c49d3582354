// Style: C++ with a Tile class template that has operator(), one device function for both kernels, auto and lambdas.
// Right: the two views give pitches 33 and edge + 1, and load and store lambdas keep x along memory.
constexpr int kMaxTile = 32;

template <typename T>
class TileView {
 public:
  __device__ TileView(T* base, int pitch) : base_(base), pitch_(pitch) {}
  __device__ T& operator()(int row, int col) const { return base_[row * pitch_ + col]; }

 private:
  T* base_;
  int pitch_;
};

template <typename T>
__device__ void turn_tile(TileView<T> tile, const T* in, T* out, int rows, int cols) {
  const auto edge = static_cast<int>(blockDim.x);
  const auto x = static_cast<int>(threadIdx.x);
  const auto y = static_cast<int>(threadIdx.y);
  const int top = edge * static_cast<int>(blockIdx.y);
  const int left = edge * static_cast<int>(blockIdx.x);

  auto load = [&](int r, int c) {
    if (top + r < rows && left + c < cols) tile(r, c) = in[(top + r) * cols + left + c];
  };
  auto store = [&](int r, int c) {
    if (left + r < cols && top + c < rows) out[(left + r) * rows + top + c] = tile(c, r);
  };
  load(y, x);
  __syncthreads();
  store(y, x);
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ float memory[kMaxTile * (kMaxTile + 1)];
  turn_tile(TileView<float>(memory, kMaxTile + 1), in, out, rows, cols);
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  turn_tile(TileView<float>{tile, static_cast<int>(blockDim.x) + 1}, in, out, rows, cols);
}

// The blog's scheme, with a tile of 32 rows and 64 columns and four elements a thread.
__constant__ int transpose_rows_shape[4] = {64, 8, 64, 32};

__global__ void transpose_rows(const float* in, float* out, int rows, int cols) {
  __shared__ float memory[32 * 65];
  TileView<float> tile(memory, 65);
  const int top = 32 * blockIdx.y, left = 64 * blockIdx.x;
  float held[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = top + threadIdx.y + 8 * k, c = left + threadIdx.x;
    if (r < rows && c < cols) held[k] = in[r * cols + c];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile(threadIdx.y + 8 * k, threadIdx.x) = held[k];
  __syncthreads();
  // out: 64 rows of 32; warp w of 16 takes rows w, w + 16, ...
  const int thread = threadIdx.y * 64 + threadIdx.x, lane = thread % 32, warp = thread / 32;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = left + warp + 16 * k, c = top + lane;
    if (r < cols && c < rows) out[r * rows + c] = tile(lane, warp + 16 * k);
  }
}
