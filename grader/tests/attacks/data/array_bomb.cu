// More memory than there is, in a few words.
__device__ char huge_array[1ull << 40];
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  huge_array[n] = 1;
  c[0] = a[0] + b[0] + T(huge_array[n + 1]);
}
