// verdict: gate atomics
// defect: gate.atomics
// Every thread adds its own sum to the total.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  atomicAdd(total, mine);  // <--
}
