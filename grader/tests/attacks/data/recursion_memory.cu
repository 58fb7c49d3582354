// Frames of 8 KiB, sixty deep, in every thread.
__device__ __noinline__ int deep(int level, int seed) {
  volatile int frame[2048];
  for (int i = 0; i < 2048; i += 256) frame[i] = seed + i;
  if (level == 0) return frame[seed & 1023];
  return deep(level - 1, seed + 1) + frame[seed & 1792];
}
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int add = deep(60, threadIdx.x);
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    c[i] = a[i] + b[i] + T(add - add);
}
