// Nothing that a parser of PTX has ever seen.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  asm volatile("%p%p%p ((((([[[[[{{{{{ \"\"\" .reg .b99 %%r<4294967295>; @!@!@ \001\377;");
  c[0] = a[0] + b[0];
}
