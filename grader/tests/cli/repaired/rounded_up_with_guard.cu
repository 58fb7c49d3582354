// lab: lab1
// change: const int share = (n + threads - 1) / threads;
// change: if (i < n) c[i] = a[i] + b[i];
// Lab 1: vector addition

enum {
  kFloatSectors = 4,
  kDoubleSectors = 8,
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int threads = gridDim.x * blockDim.x;  // how many we are
  const int me = blockIdx.x * blockDim.x + threadIdx.x;

  // The work is split fairly: each thread gets as many elements as all others.
  const int share = n / threads;

  for (int k = 0; k < share; ++k) {
    // In round k, thread 0 takes element k * threads, thread 1 the one after it, ...
    const int i = me + k * threads;
    c[i] = a[i] + b[i];
  }
}
