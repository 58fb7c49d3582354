// Lab 8: reduction.
//
// Add all n elements of x to *total, which is 0 before the launch.
//
// The grader chooses the launch: a one-dimensional grid of any size, with blocks of 32, 64, 96, ...
// or 1024 threads (any multiple of 32). There may be fewer threads than elements (every thread then
// adds several), or more (some have nothing to add), and n may be 0. T is float or double. The
// elements are small whole numbers, so every order of the additions gives the same sum.
//
// Useful names: atomicAdd(address, value) adds without losing what other threads add. __shared__
// declares an array for the block, __syncthreads() is its barrier. In a warp,
// __shfl_down_sync(0xffffffff, value, distance) is the `value` of the thread that many places
// further; all 32 threads must call it.
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// In your kernel, with 4096 blocks of 256 threads and an element each:
enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 36864,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  T acc = T();
  const unsigned threads = blockDim.x * gridDim.x;
  for (unsigned k = blockDim.x * blockIdx.x + threadIdx.x; k < (unsigned)n; k += threads)
    acc = acc + x[k];

  // inside the warp, written out
  acc += __shfl_down_sync(0xffffffff, acc, 16);
  acc += __shfl_down_sync(0xffffffff, acc, 8);
  acc += __shfl_down_sync(0xffffffff, acc, 4);
  acc += __shfl_down_sync(0xffffffff, acc, 2);
  acc += __shfl_down_sync(0xffffffff, acc, 1);

  // between the warps: at most 32 numbers, one thread can do that
  __shared__ T perWarp[32];
  if ((threadIdx.x & 31) == 0) perWarp[threadIdx.x >> 5] = acc;
  __syncthreads();
  if (threadIdx.x != 0) return;
  T result = perWarp[0];
  for (int w = 1; w < blockDim.x >> 5; w++) result += perWarp[w];
  atomicAdd(total, result);
}
