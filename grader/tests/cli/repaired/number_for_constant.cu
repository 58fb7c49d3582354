// lab: lab1
// change: for (int p = tid; p < n / kVec; p += nthreads) {
template <typename T>
struct alignas(16) Pack {
  T v[16 / sizeof(T)];
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  constexpr int kVec = 16 / sizeof(T);
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int nthreads = blockDim.x * gridDim.x;
  const Pack<T>* pa = reinterpret_cast<const Pack<T>*>(a);
  const Pack<T>* pb = reinterpret_cast<const Pack<T>*>(b);
  Pack<T>* pc = reinterpret_cast<Pack<T>*>(c);
  for (int p = tid; p < n / 4; p += nthreads) {
    Pack<T> x = pa[p], y = pb[p], z;
    for (int k = 0; k < kVec; ++k) z.v[k] = x.v[k] + y.v[k];
    pc[p] = z;
  }
  for (int i = n - n % kVec + tid; i < n; i += nthreads) c[i] = a[i] + b[i];
}
