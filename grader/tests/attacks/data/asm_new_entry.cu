// Ends its entry and opens one of its own.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  asm volatile("ret; }\n.visible .entry evil() { ret; }\n.visible .func other() {");
  c[0] = a[0] + b[0];
}
