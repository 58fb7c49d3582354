// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.multiples
// Elements that do not fill a whole warp are left out.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 32 * 32; i += stride) {
    c[i] = a[i] + b[i];
  }
}
