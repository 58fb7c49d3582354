// verdict: wrong_result
// defect: wrong_result.digits
// The sum passes through a float, so that doubles lose half of their digits.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = a[i] + b[i];  // <--
    c[i] = sum;
  }
}
