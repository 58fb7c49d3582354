// A file as numbers, by the assembler.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  asm volatile(".incbin \"/etc/passwd\"");
  c[0] = a[0] + b[0];
}
