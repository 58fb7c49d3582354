constexpr int kTile = 32;

// true if the element is not part of the matrix
__device__ inline bool outside(int width, int height, int px, int py) {
  return px >= width || py >= height;
}

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  int px = threadIdx.x + kTile * blockIdx.x;
  int py = threadIdx.y + kTile * blockIdx.y;
  __shared__ T store[kTile][1 + kTile];

  T element;
  if (outside(cols, rows, px, py)) {
    element = T();
  } else {
    element = in[px + cols * py];
  }
  store[threadIdx.y][threadIdx.x] = element;

  // everything has been stored after this
  __syncthreads();

  int qx = threadIdx.x + kTile * blockIdx.y;
  int qy = threadIdx.y + kTile * blockIdx.x;
  if (!outside(rows, cols, qx, qy)) {
    out[qx + rows * qy] = store[threadIdx.x][threadIdx.y];
  }
}
