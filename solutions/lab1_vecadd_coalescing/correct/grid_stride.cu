// The grid-stride loop: all threads of the grid step over the array together, so that at each step
// the threads of a warp touch 32 neighbouring elements. Correct for every grid, and short.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];
  }
}
