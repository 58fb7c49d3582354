// Style: unrolled by hand: four elements, a grid apart, are loaded before the first is stored; then a tail.
// Right: the four loads of a thread lie a grid apart, so each is coalesced; the tail is the plain loop.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const long long s = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * s < n; i += 4 * s) {
    T a0 = a[i], a1 = a[i + s], a2 = a[i + 2 * s], a3 = a[i + 3 * s];
    T b0 = b[i], b1 = b[i + s], b2 = b[i + 2 * s], b3 = b[i + 3 * s];
    c[i] = a0 + b0;
    c[i + s] = a1 + b1;
    c[i + 2 * s] = a2 + b2;
    c[i + 3 * s] = a3 + b3;
  }
  for (; i < n; i += s) c[i] = a[i] + b[i];
}
