// Gigabytes of variables, and they are used.
__device__ unsigned pile[1u << 28];
__device__ unsigned small[16];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1u << 28; i += gridDim.x * blockDim.x)
    pile[i] = i;
  c[0] = a[0] + b[0] + T(pile[n] + small[n % 16]);
}
