// Sleeps for hours.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) {
    for (int turn = 0; turn < 1000; ++turn) __nanosleep(1000000);
    c[i] = a[i] + b[i];
  }
}
