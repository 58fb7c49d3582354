// lab: lab8
// change: constexpr int kLast = 0;
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

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// In your kernel, with 4096 blocks of 256 threads and an element each:
enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 36864,  // how many wavefronts of shared memory do all blocks take?
};

constexpr int kLast = 31;

// Adds up a warp. The values are handed down, so that the last lane has them all.
template <typename T>
__device__ T add_down(T value) {
  for (int distance = 1; distance < 32; distance *= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T of_warp[kMaxBlock / 32];
  T mine = 0;
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    mine += x[i];
    i += step;
  }

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  mine = add_down(mine);
  if (lane == kLast) of_warp[warp] = mine;
  __syncthreads();

  if (warp == 0) {  // the first warp adds the sums of all
    T rest = lane < blockDim.x / 32 ? of_warp[lane] : T(0);
    rest = add_down(rest);
    if (lane == kLast) atomicAdd(total, rest);
  }
}
