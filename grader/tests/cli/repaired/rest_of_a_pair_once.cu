// lab: lab1
// change: for (; at < n; at += all) c[at] = a[at] + b[at];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int all = blockDim.x * gridDim.x;
  int at = threadIdx.x + blockIdx.x * blockDim.x;
  while (at + 2 * all < n) {
    c[at] = a[at] + b[at];
    c[at + all] = a[at + all] + b[at + all];
    c[at + 2 * all] = a[at + 2 * all] + b[at + 2 * all];
    at += 3 * all;
  }
  if (at < n) c[at] = a[at] + b[at];
}
