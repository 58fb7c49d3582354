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

// adds the 32 values of a warp, lane 0 gets the result
template <typename T>
__device__ T addLanes(T a) {
  int k = 16;
  while (k >= 1) {
    a = a + __shfl_down_sync(0xffffffffu, a, k);
    k >>= 1;
  }
  return a;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int all = blockDim.x * gridDim.x;
  const int group = threadIdx.x >> 5;
  const int place = threadIdx.x & 31;
  __shared__ T buf[32];

  T a = 0;
  for (int p = threadIdx.x + blockDim.x * blockIdx.x; p < n; p += all) {
    a += x[p];
  }
  a = addLanes(a);
  if (place == 0) {
    buf[group] = a;
  }
  __syncthreads();

  if (group != 0) return;
  if (place >= blockDim.x >> 5)
    a = T(0);
  else
    a = buf[place];
  a = addLanes(a);
  if (place == 0) {
    atomicAdd(total, a);
  }
}
