// lab: lab1
// change: for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n + 2 - 1) / 2; i += all) {
// change: if (2 * i + 1 < n) c[2 * i + 1] = a[2 * i + 1] + b[2 * i + 1];
enum { kFloatSectors = 4, kDoubleSectors = 8, };
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int all = gridDim.x * blockDim.x;
  // two neighbours for each thread
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += all) {
    c[2 * i] = a[2 * i] + b[2 * i];
    c[2 * i + 1] = a[2 * i + 1] + b[2 * i + 1];
  }
}
