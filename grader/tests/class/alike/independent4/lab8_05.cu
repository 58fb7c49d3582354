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
  kWavefronts = 122880,  // how many wavefronts of shared memory do all blocks take?
};

// Halves in shared memory until 32 numbers are left, then shuffles. Blocks that are no power of
// two are filled up with zeros.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T data[kMaxBlock];
  const int t = threadIdx.x;
  const int size = blockDim.x;

  int pow2 = 32;
  while (pow2 < size) pow2 *= 2;

  T s = 0;
  for (int pos = blockIdx.x * size + t; pos < n; pos += size * gridDim.x) s += x[pos];
  data[t] = s;
  if (t + size < pow2) data[t + size] = 0;
  __syncthreads();

  for (int step = pow2 / 2; step >= 32; step /= 2) {
    if (t < step) data[t] += data[t + step];
    __syncthreads();
  }

  if (t < 32) {
    T r = data[t];
#pragma unroll
    for (int step = 16; step > 0; step /= 2) r += __shfl_down_sync(0xffffffff, r, step);
    if (t == 0) atomicAdd(total, r);
  }
}
