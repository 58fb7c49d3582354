// verdict: out_of_bounds
// class: off-by-one tail
// defect: out_of_bounds.one_past
// `<=` instead of `<`: one element too many.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x) {
    c[i] = a[i] + b[i];  // <--
  }
}
