// verdict: wrong_result
// class: constant answer
// defect: wrong_result.constant
// Every element is written, and all are the sum of the first two.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[0] + b[0];
  }
}
