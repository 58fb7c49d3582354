// verdict: wrong_result
// defect: wrong_result.tail
// One element per thread, as in many first examples: with fewer threads than elements the rest is
// never written.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
