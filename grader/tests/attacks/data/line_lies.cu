// Claims to be another file, so that the report of a fault quotes that.
#line 1 "@FOLDER@/alice/lab1.cu"
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
