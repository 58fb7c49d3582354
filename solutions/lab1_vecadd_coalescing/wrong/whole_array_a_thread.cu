// verdict: budget
// defect: budget.repeated_work
// Every thread adds all elements, as on a single core.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = 0; i < n; i++) {
    c[i] = a[i] + b[i];  // <--
  }
}
