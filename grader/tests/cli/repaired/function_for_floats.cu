// lab: lab1
// change: return fma(m, x, y);
#define GROUP_ID blockIdx.x
#define GROUP_SIZE blockDim.x

template <typename T>
__device__ __forceinline__ T mad(T m, T x, T y) {
  return fmaf(m, x, y);
}

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i = GROUP_ID * GROUP_SIZE + threadIdx.x;
  while (i < n) {
    c[i] = mad(T(1), a[i], b[i]);
    i += GROUP_SIZE * gridDim.x;
  }
}
