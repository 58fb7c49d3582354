// Functions that call one another, of which the kernel calls one that is never come to.
@FUNCTIONS@
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
  if (n < 0) c[0] = f0(n);
}
