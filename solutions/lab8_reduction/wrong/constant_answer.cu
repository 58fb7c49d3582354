// verdict: wrong_result
// class: constant answer
// defect: wrong_result.value
// The total is set to the same number, whatever the elements are.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  if (n > 0 && blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(total, T(1));
}
