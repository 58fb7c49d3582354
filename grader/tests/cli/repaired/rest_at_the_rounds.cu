// lab: lab1
// change: if (t < n % threads) c[rounds * threads + t] = a[rounds * threads + t] + b[rounds * threads + t];
enum { kFloatSectors = 4, kDoubleSectors = 8, };
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const int rounds = n / threads;
  for (int k = 0; k < rounds; ++k) c[t + k * threads] = a[t + k * threads] + b[t + k * threads];
  // the rest
  if (t < n % threads) c[rounds + t] = a[rounds + t] + b[rounds + t];
}
