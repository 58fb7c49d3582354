// verdict: budget
// defect: budget
// A while loop whose index never changes: it never ends.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] + b[i];  // <--
  }
}
