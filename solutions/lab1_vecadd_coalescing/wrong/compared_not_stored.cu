// verdict: wrong_result
// defect: no_effect
// == instead of =: it compares, and nothing is stored.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    c[i] == a[i] + b[i];  // <--
}
