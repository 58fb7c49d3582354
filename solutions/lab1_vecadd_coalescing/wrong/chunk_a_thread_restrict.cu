// verdict: gate float_sectors
// defect: gate.float_sectors
// The chunk-per-thread kernel at its best: __restrict__ and an unrolled loop help, but do not fix
// it.
template <typename T>
__global__ void vecadd(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int chunk = (n + threads - 1) / threads;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  const int last = first + chunk < n ? first + chunk : n;
#pragma unroll 8
  for (int i = first; i < last; ++i) c[i] = a[i] + b[i];  // <--
}
