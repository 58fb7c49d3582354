// Style: a helper variable in global memory (__device__ int, not const) for the start.
// Right: nobody writes it; all lanes read the same word once, one sector per warp and 0.4 % of the traffic.
__device__ int first_element = 0;

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int i = first_element + blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] + b[i];
    i += gridDim.x * blockDim.x;
  }
}
