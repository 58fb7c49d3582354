// verdict: budget
// defect: budget.narrow_counter
// never: the index has to move by the step
// The index is a short, which wraps around to negative numbers before it reaches the end.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const short step = blockDim.x * gridDim.x;
  for (short i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {  // <--
    c[i] = a[i] + b[i];
  }
}
