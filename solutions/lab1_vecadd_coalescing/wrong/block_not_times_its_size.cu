// verdict: wrong_result
// defect: race.same_element
// The block's number is not multiplied by its size: neighbouring blocks handle nearly the same elements, and most are left out.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    c[i] = a[i] + b[i];  // <--
  }
}
