// Style: C of the eighties: do/while behind an if, register, no braces to spare.
// Right: the if lets in only threads that have a first element; the rest is the grid-stride loop.
#define GRID_THREADS (gridDim.x * blockDim.x)
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  unsigned int k;
  k = blockIdx.x;
  k *= blockDim.x;
  k += threadIdx.x;
  if (k < (unsigned int)n) do {
      c[k] = a[k];
      c[k] += b[k];
    } while ((k += GRID_THREADS) < (unsigned int)n);
}
