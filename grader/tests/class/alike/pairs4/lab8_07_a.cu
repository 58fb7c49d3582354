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

// Each block takes one connected piece of x.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  const int piece = n / gridDim.x + (n % gridDim.x != 0);
  const long long from = (long long)piece * blockIdx.x;
  if (from >= n) return;
  const int length = min((long long)piece, n - from);
  const T* mine = x + from;

  T subtotal = 0;
  for (int e = threadIdx.x; e < length; e += blockDim.x) subtotal += mine[e];

  __shared__ T rest[32];
  if (threadIdx.x < 32) rest[threadIdx.x] = 0;
  __syncthreads();
  for (int gap = 1; gap <= 16; gap *= 2) subtotal += __shfl_down_sync(0xffffffff, subtotal, gap);
  if (threadIdx.x % 32 == 0) rest[threadIdx.x / 32] = subtotal;
  __syncthreads();
  if (threadIdx.x / 32 == 0) {
    T last = rest[threadIdx.x];
    for (int gap = 1; gap <= 16; gap *= 2) last += __shfl_down_sync(0xffffffff, last, gap);
    if (threadIdx.x == 0) atomicAdd(total, last);
  }
}
