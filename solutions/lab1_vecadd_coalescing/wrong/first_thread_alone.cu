// verdict: budget
// defect: budget.one_lane
// The first thread of the launch does the whole array alone.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];  // <--
}
