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
  kWavefronts = 65536,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int tid = threadIdx.x;
  const int warpNo = tid / 32;
  const int laneNo = tid % 32;
  const int warpCount = blockDim.x / 32;
  const int jump = gridDim.x * blockDim.x;

  __shared__ T m[32 * 32];
  T s = 0;
  int pos = blockIdx.x * blockDim.x + tid;
  while (pos < n) {
    s += x[pos];
    pos += jump;
  }
  m[laneNo + 32 * warpNo] = s;
  __syncthreads();

  if (warpNo != 0) return;

  // sum over the warps
  s = 0;
  int r = 0;
  while (r != warpCount) {
    s += m[(r << 5) + laneNo];
    ++r;
  }
  // sum over the lanes
  s += __shfl_down_sync(0xffffffff, s, 16);
  s += __shfl_down_sync(0xffffffff, s, 8);
  s += __shfl_down_sync(0xffffffff, s, 4);
  s += __shfl_down_sync(0xffffffff, s, 2);
  s += __shfl_down_sync(0xffffffff, s, 1);
  if (laneNo == 0) atomicAdd(total, s);
}
