// lab: lab3
// change: const int tall = blockIdx.y == gridDim.y - 1 ? (rows - 1) % kTile + 1 : kTile;
// change: const int wide = blockIdx.x == gridDim.x - 1 ? (cols - 1) % kTile + 1 : kTile;
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;

  // how much of the tile there is
  const int tall = blockIdx.y == gridDim.y - 1 ? rows % kTile : kTile;
  const int wide = blockIdx.x == gridDim.x - 1 ? cols % kTile : kTile;

  const T* src = in + kTile * blockIdx.y * cols + kTile * blockIdx.x;
  T* dst = out + kTile * blockIdx.x * rows + kTile * blockIdx.y;

  if (ty < tall && tx < wide) tile[ty * kTile + tx] = src[ty * cols + tx];
  __syncthreads();
  if (ty < wide && tx < tall) dst[ty * rows + tx] = tile[tx * kTile + ty];
}
