// lab: lab1
// change: pos += step;
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int step = gridDim.x * blockDim.x;
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  while (pos < n) {
    c[pos] = a[pos] + b[pos];
    pos =+ step;
  }
}
