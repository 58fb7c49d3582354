// verdict: uninitialized
// defect: uninitialized.variable
// A check that looks like a bounds check: with fewer elements than threads in a block, some threads never set their index.
// The optimised build happens to set it anyway.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i;
  if (threadIdx.x < n) i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += blockDim.x * gridDim.x) {  // <--
    c[i] = a[i] + b[i];                         // <--
  }
}
