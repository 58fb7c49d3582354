// lab: lab8
// change: for (int half = kMaxBlock / 2; half >= kWarp; half /= 2) {
// change: if (t < half && t + half < blockDim.x) partial[t] += partial[t + half];
// why: change_halves
// Lab 8: reduction: registers, then a tree, then the shuffles of one warp.
constexpr int kMaxBlock = 1024;
constexpr int kWarp = 32;

enum {
  kAtomics = 4096,
  kWavefronts = 122880,  // 8 + 12 + 6 + 3 + 1 for each block
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T partial[kMaxBlock];
  const int t = threadIdx.x;

  T mine = 0;
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) mine += x[i];
  partial[t] = mine;
  __syncthreads();

  // Fold the upper half onto the lower one, until one warp has the rest.
  for (int half = blockDim.x / 2; half >= kWarp; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }

  if (t >= kWarp) return;
  T value = partial[t];
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  if (t == 0) atomicAdd(total, value);
}
