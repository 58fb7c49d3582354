// verdict: budget
// defect: budget.repeated_work
// Steps by the threads of its own block, not of the grid: every block repeats the work of later ones.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
    c[i] = a[i] + b[i];  // <--
  }
}
