// verdict: gate float_sectors
// defect: gate.float_sectors
// Each block takes its own part of the array, which is fine, but gives each of its threads
// a chunk.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int per_block = (n + gridDim.x - 1) / gridDim.x;
  int per_thread = (per_block + blockDim.x - 1) / blockDim.x;
  int begin = blockIdx.x * per_block;
  int end = min(begin + per_block, n);
  for (int k = 0; k < per_thread; ++k) {
    int i = begin + threadIdx.x * per_thread + k;
    if (i < end) c[i] = a[i] + b[i];  // <--
  }
}
