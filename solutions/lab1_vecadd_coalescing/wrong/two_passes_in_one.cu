// verdict: race
// defect: race.missing_syncwarp
// Stores a, then adds b from the other end: nothing makes a block wait until the block with the
// element has stored it.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) c[i] = a[i];                   // <--
  for (int i = first; i < n; i += step) c[n - 1 - i] += b[n - 1 - i];  // <--
}
