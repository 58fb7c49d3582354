// lab: lab1
// change: __device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }
template <typename T>
__device__ int globalIndex() { return blockIdx.x * gridDim.x + threadIdx.x; }
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = globalIndex<T>(); i < n; i += stride) c[i] = a[i] + b[i];
}
