// More registers than any machine has.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  asm volatile("{ .reg .b64 %%mine<2000000000>; .local .align 16 .b8 deep[2000000000]; }");
  c[0] = a[0] + b[0];
}
