// Half a megabyte of local memory for each thread: all that CUDA allows.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  volatile unsigned char mine[500000];
  for (int i = 0; i < 500000; i += 500) mine[i] = i;
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    c[i] = a[i] + b[i] + T(mine[i % 1000 * 500] - (unsigned char)(i % 1000 * 500));
}
