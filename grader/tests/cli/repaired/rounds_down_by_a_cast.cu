// lab: lab1
// change: const int part = (n + (int)gridDim.x - 1) / (int)gridDim.x;
// Lab 1: vector addition, coalesced.
//
// Compute c[i] = a[i] + b[i] for every i with 0 <= i < n.
//
// The grader chooses the launch: a one-dimensional grid of one-dimensional blocks, of any size.
// There may be fewer threads than elements (every thread then adds several), or more (some have
// nothing to do), and n may be 0. When it grades speed, each thread has 8 elements to add. T is float
// or double.
//
// Useful names: threadIdx.x, blockIdx.x, blockDim.x (threads in a block), gridDim.x (blocks in the
// grid).
// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// The sectors of 32 bytes that a load of a warp touches:
enum {
  kFloatSectors = 4,   // if T is float
  kDoubleSectors = 8,  // if T is double
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  // Like a parallel for on the CPU: the array is split among the blocks, and the threads of a block
  // walk through its part side by side.
  const int part = n / (int)gridDim.x;
  const int begin = blockIdx.x * part;
  const int end = min(begin + part, n);
  for (int i = begin + (int)threadIdx.x; i < end; i += blockDim.x) {
    const T left = a[i];
    const T right = b[i];
    c[i] = left + right;
  }
}
