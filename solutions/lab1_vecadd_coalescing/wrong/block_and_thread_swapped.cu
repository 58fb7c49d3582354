// verdict: gate float_sectors
// class: swapped index
// defect: gate.float_sectors
// threadIdx.x and blockIdx.x are swapped: correct, but neighbours are a whole grid apart.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = threadIdx.x * gridDim.x + blockIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];  // <--
  }
}
