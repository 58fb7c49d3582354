// lab: lab1
// change: for (int i = blockIdx.x * size + threadIdx.x; i < n; i += all) c[i] = a[i] + b[i];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int size = blockDim.x, count = gridDim.x;
  const int all = size * count;
  for (int i = threadIdx.x * count + blockIdx.x; i < n; i += all) c[i] = a[i] + b[i];
}
