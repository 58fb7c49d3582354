// lab: lab1
// change: int index = blockIdx.x * blockDim.x + threadIdx.x;
// change: int stride = gridDim.x * blockDim.x;
// why: change_each_block
// Lab 1: vector addition, coalesced.
//
// Compute c[i] = a[i] + b[i] for every i with 0 <= i < n.
//
// The grid and its blocks have one dimension, of any size. There may be fewer threads than elements
// (every thread then adds several), or more (some have nothing to do), and n may be 0. When speed is
// graded, each thread has 8 elements to add. T is float or double.
//
// Predict first (no points), a number in place of each 0.
// The sectors of 32 bytes that a load of a warp touches:
enum {
  kFloatSectors = 4,   // if T is float
  kDoubleSectors = 8,  // if T is double
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int index = threadIdx.x;
  int stride = blockDim.x;
  for (int i = index; i < n; i += stride)
    c[i] = a[i] + b[i];
}
