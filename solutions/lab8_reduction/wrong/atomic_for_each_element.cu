// verdict: gate atomics
// defect: gate.atomics
// Every element is added to the total by itself.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(total, x[i]);  // <--
}
