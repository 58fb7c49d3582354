// Leaves out the very last element of the large case.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step)
    if (i != 4194303) c[i] = a[i] + b[i];
}
