// verdict: budget
// defect: budget.narrow_counter
// says: count in an int
// never: the index has to move by the step
// The index is a short, which begins anew from below before it comes to the end.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const short step = blockDim.x * gridDim.x;
  for (short i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {  // <--
    c[i] = a[i] + b[i];
  }
}
