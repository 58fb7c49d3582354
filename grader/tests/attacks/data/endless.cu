// Never ends.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (volatile int i = 0; i >= 0; i = 0) {
  }
  c[0] = a[0] + b[0];
}
