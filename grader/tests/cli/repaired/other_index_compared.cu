// lab: lab1
// change: if (j < n) {
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x;

  // two at a time
  for (int i = t; i < n; i += 2 * all) {
    int j = i + all;
    T s0 = a[i] + b[i];
    if (i + 1 < n) {
      T s1 = a[j] + b[j];
      c[j] = s1;
    }
    c[i] = s0;
  }
}
