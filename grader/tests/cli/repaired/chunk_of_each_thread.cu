// lab: lab1
// change: for (int i = id; i < n; i += threads) c[i] = a[i] + b[i];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int threads = gridDim.x * blockDim.x;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int per = (n + threads - 1) / threads;
  int start = id * per;
  int stop = min(start + per, n);
  for (int i = start; i < stop; i++) c[i] = a[i] + b[i];
}
