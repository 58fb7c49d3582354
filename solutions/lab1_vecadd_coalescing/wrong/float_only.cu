// verdict: missing_kernel
// defect: missing_kernel
// Not a template any more: there is no vecadd for doubles.
__global__ void vecadd(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    c[i] = a[i] + b[i];
  }
}
