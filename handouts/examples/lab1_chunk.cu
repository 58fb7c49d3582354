// Vector addition as on a CPU: each thread takes a chunk of neighbouring elements.
// The sums are correct.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int chunk = (n + threads - 1) / threads;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = first; i < first + chunk && i < n; ++i) c[i] = a[i] + b[i];
}
