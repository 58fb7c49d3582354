// Style: a warp has a chunk of 256 elements, its lanes go through it 32 at a time; warps stride over the grid.
// Right: the last warp of a block may be short (blocks of 33 threads), so lanes step by the warp's own width.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int kChunk = 256;
  const int warpsInBlock = (blockDim.x + 31) / 32;
  const int warpInBlock = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int width = min(32, (int)blockDim.x - 32 * warpInBlock);  // lanes of this warp that exist
  const int warps = gridDim.x * warpsInBlock;
  for (int w = blockIdx.x * warpsInBlock + warpInBlock; (long long)w * kChunk < n; w += warps) {
    const int begin = w * kChunk;
    const int end = begin + kChunk < n ? begin + kChunk : n;
#pragma unroll 8
    for (int i = begin + lane; i < end; i += width) c[i] = a[i] + b[i];
  }
}
