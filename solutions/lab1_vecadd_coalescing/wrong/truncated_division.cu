// verdict: wrong_result
// defect: wrong_result.never_written
// n / threads rounds down: the elements that are left over are never written.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = n / threads;
  for (int k = 0; k < steps; ++k)
    c[k * threads + thread] = a[k * threads + thread] + b[k * threads + thread];
}
