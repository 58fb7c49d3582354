// verdict: out_of_bounds
// defect: out_of_bounds.tail
// The threads past the end of the arrays work too.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    c[i] = a[i] + b[i];  // <--
    i += stride;
  } while (i < n);
}
