// lab: lab1
// change: #define GLOBAL_ID (threadIdx.x + blockIdx.x * blockDim.x)
#define GLOBAL_ID (threadIdx.x + blockIdx.x + blockDim.x)
#define GLOBAL_SIZE (blockDim.x * gridDim.x)

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) {
    c[i] = a[i] + b[i];
  }
}
