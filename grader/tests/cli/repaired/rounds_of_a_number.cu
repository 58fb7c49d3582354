// lab: lab1
// change: const int rounds = (n + threads - 1) / threads;
// why: change_fixed_count
enum { kFloatSectors = 4, kDoubleSectors = 8 };

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int me = threadIdx.x + blockIdx.x * blockDim.x;
  const int rounds = 8;  // every thread has 8 elements
  // round k: the whole grid takes elements k * threads ... (k + 1) * threads - 1
  for (int k = 0; k < rounds; k++) {
    int i = k * threads + me;
    if (i < n) {
      T x = a[i];
      T y = b[i];
      c[i] = x + y;
    }
  }
}
