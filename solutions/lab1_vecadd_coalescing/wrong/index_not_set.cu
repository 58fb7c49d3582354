// verdict: uninitialized
// defect: uninitialized.variable
// The index is declared but never set.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i;
  for (; i < n; i += blockDim.x * gridDim.x) {  // <--
    c[i] = a[i] + b[i];                         // <--
  }
}
