// Of solutions/lab1_vecadd_coalescing/correct/loads_first.cu
template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  size_t pos = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
  const size_t step = (size_t)blockDim.x * gridDim.x;
  while (n > pos + step * 3) {
    T second[4];
    T first[4];
    for (int q = 0; q < 4; q++) {
      second[q] = b[pos + step * q];
      first[q] = a[pos + step * q];
    }
    int q = 0;
    while (q < 4) {
      c[pos + step * q] = second[q] + first[q];
      q++;
    }
    pos += step + step * 3;
  }
  while (pos < n) {
    c[pos] = b[pos] + a[pos];
    pos += step;
  }
}
