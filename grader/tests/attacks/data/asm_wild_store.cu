// Addresses nobody gave it: of shared memory as global, of parameters, of nothing.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  asm volatile("st.global.u32 [%0], 1;" ::"l"(0x7f0000000000ull + threadIdx.x * 4));
  c[0] = a[0] + b[0];
}
