// Style: one long long number for the element, all coordinates by / and %, on both sides.
// Right: (number / 32) % 32 and number % 32 are the thread's row and column; the bounds are those of each side.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile * kTile];
  const long long tid = threadIdx.y * blockDim.x + threadIdx.x;
  const long long block = (long long)blockIdx.y * gridDim.x + blockIdx.x;
  const long long br = block / gridDim.x, bc = block % gridDim.x;
  long long i = (br * kTile + tid / kTile) * cols + bc * kTile + tid % kTile;
  if (bc * kTile + tid % kTile < cols && i / cols < rows)
    tile[tid] = in[i / cols * cols + i % cols];
  __syncthreads();
  long long j = (bc * kTile + tid / kTile) * rows + br * kTile + tid % kTile;
  if (br * kTile + tid % kTile < rows && j / rows < cols)
    out[j / rows * rows + j % rows] = tile[tid % kTile * kTile + tid / kTile];
}
