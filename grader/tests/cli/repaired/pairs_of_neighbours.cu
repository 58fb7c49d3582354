// lab: lab1
// change: for (int i = me; i < n; i += 2 * threads) {
// change: const int next = i + threads;
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 2 * me; i < n; i += 2 * threads) {
    const int next = i + 1;
    c[i] = a[i] + b[i];
    if (next < n) c[next] = a[next] + b[next];
  }
}
