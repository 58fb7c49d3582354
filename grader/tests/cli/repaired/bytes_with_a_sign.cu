// lab: lab9
// change: const unsigned char* bytes = reinterpret_cast<const unsigned char*>(data);
// why: change_narrow_char
// Lab 9: histogram.
//
// Count how often each value occurs among the n bytes of `data`: counts[v] must be the number of
// elements with data[i] == v. `counts` has 256 elements, which are 0 before the launch.
//
// The grader chooses the launch: a one-dimensional grid of any size, with blocks of any multiple of
// 32 threads up to 1024: fewer than there are bins, or more. There may be fewer threads than bytes
// (every thread then counts several), or more, and n may be 0.
//
// Useful names: atomicAdd(address, value) adds without losing what other threads add, in global and
// in shared memory. __shared__ declares an array for the block, __syncthreads() is its barrier.
constexpr int kBins = 256;

// Predict first (no points), a number in place of each 0.
// The atomics of histogram(), with 16 Mi bytes and 1024 blocks of 256 threads:
enum {
  kGlobalAtomics = 0,  // on global memory
  kSharedAtomics = 0,  // on shared memory
};

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  // TODO: let every block count its share in a histogram of its own in shared memory, and add that
  // to `counts` at the end. Mind who clears the shared histogram, and who waits for whom.
  __shared__ int bins[kBins];
  const signed char* bytes = reinterpret_cast<const signed char*>(data);
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) bins[v] = 0;
  __syncthreads();
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    atomicAdd(&bins[bytes[i]], 1);
  }
  __syncthreads();
  for (int v = threadIdx.x; v < kBins; v += blockDim.x) {
    if (bins[v] != 0) atomicAdd(counts + v, bins[v]);
  }
}

// Optional, for bonus points: the same result, graded with bytes that are all equal.
__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  // TODO (optional): let a thread count equal bytes in a row in a variable, or let the threads of a
  // warp that have the same byte choose one that adds for all, so that few atomics are left.
}
