// verdict: wrong_result
// class: only block (0,0)
// defect: wrong_result.first_block
// The first block is right and all others do nothing, which one small array does not show.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  if (blockIdx.x != 0) return;
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];
  }
}
