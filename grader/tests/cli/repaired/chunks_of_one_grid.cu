// lab: lab1
// change: unsigned first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
// change: for (; first < n; first += gridDim.x * (blockDim.x * 4)) for (int k = 0; k < 4; ++k) {
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const unsigned first = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const unsigned i = first + k * blockDim.x;
    if (i < n) c[i] = a[i] + b[i];
  }
}
