// Lab 3: corner turning
constexpr int kTile = 32;

enum {
  kStoreSectors = 4,
  kColumnWavefronts = 32,
};

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T cache[kTile][kTile];

  const unsigned lx = threadIdx.x, ly = threadIdx.y;
  const unsigned baseX = kTile * blockIdx.x;
  const unsigned baseY = kTile * blockIdx.y;

  // source and destination coordinates of this thread
  const unsigned dstC = lx + baseY;
  const unsigned dstR = ly + baseX;
  const unsigned srcR = ly + baseY;
  const unsigned srcC = lx + baseX;

  if (srcR >= (unsigned)rows || srcC >= (unsigned)cols) {
    cache[ly][lx] = static_cast<T>(0);
  } else {
    cache[ly][lx] = in[srcC + cols * srcR];
  }
  __syncthreads();

  if (dstR < (unsigned)cols) {
    if (dstC < (unsigned)rows) {
      out[dstC + rows * dstR] = cache[lx][ly];
    }
  }
}
