// Lab 3
constexpr int kTile = 32;

// Position of a thread in a matrix of h x w elements
struct Pos {
  int y, x;
  __device__ bool inside(int h, int w) const { return y < h && x < w; }
  __device__ int index(int w) const { return y * w + x; }
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  const int i = threadIdx.y, j = threadIdx.x;

  Pos src = {kTile * (int)blockIdx.y + i, kTile * (int)blockIdx.x + j};
  if (src.inside(rows, cols)) tile[i][j] = in[src.index(cols)];

  __syncthreads();

  // block indices trade places, thread indices do not
  Pos dst = {kTile * (int)blockIdx.x + i, kTile * (int)blockIdx.y + j};
  if (dst.inside(cols, rows)) out[dst.index(rows)] = tile[j][i];
}
