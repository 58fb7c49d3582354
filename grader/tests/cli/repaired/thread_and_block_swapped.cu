// lab: lab1
// change: int i = threadIdx.x + blockDim.x * blockIdx.x;
// Lab 1: vector addition, coalesced.
//
// Compute c[i] = a[i] + b[i] for every i with 0 <= i < n.
//
// The grader chooses the launch: a one-dimensional grid of one-dimensional blocks, of any size.
// There may be fewer threads than elements (every thread then adds several), or more (some have
// nothing to do), and n may be 0. When it grades speed there is one thread for every 8 elements. T
// is float or double.
//
// Useful names: threadIdx.x, blockIdx.x, blockDim.x (threads in a block), gridDim.x (blocks in the
// grid).
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i = blockIdx.x + blockDim.x * threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  for (; i < n; i += stride) c[i] = a[i] + b[i];
}
