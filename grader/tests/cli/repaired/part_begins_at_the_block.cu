// lab: lab1
// change: const int from = blockIdx.x * per_block;
enum { kFloatSectors = 4, kDoubleSectors = 8, };
// every block gets its own stretch of the arrays
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int per_block = (n + gridDim.x - 1) / gridDim.x;
  const int from = blockIdx.x * blockDim.x;
  const int to = min(from + per_block, n);
  for (int i = from + threadIdx.x; i < to; i += blockDim.x) {
    c[i] = a[i] + b[i];
  }
}
