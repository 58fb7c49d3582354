// verdict: gate float_sectors
// defect: gate.float_sectors
// A chunk per thread, as on a CPU: correct, but the threads of a warp are a
// chunk apart.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int chunk = (n + threads - 1) / threads;
  for (int k = 0; k < chunk; ++k) {
    int i = thread * chunk + k;
    if (i < n) c[i] = a[i] + b[i];  // <--
  }
}
