// lab: lab8
// change: if (t < half && t + half < blockDim.x) {
// why: change_partner
// Lab 8: reduction.
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

// tree with halves: 45 a block
enum {
  kAtomics = 4096,
  kWavefronts = 4096 * 45,
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  // room for the largest block; what a smaller block does not use is 0 and does no harm
  __shared__ T numbers[kMaxBlock];
  const int t = threadIdx.x;

  // 1. every thread adds up its own elements
  T own = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    own += x[i];
  }
  numbers[t] = own;
  __syncthreads();

  // 2. the tree. Blocks can be 96 or so, and 3 / 2 is not good, so always begin at 1024 / 2: all halves
  //    are whole
  for (int half = kMaxBlock / 2; half > 0; half /= 2) {
    if (t < half) {
      numbers[t] += numbers[t + half];
    }
    __syncthreads();
  }

  // 3. one thread reports
  if (t == 0) atomicAdd(total, numbers[0]);
}
