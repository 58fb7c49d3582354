// Jumps to an address of its own making.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  void (*function)(T*) = reinterpret_cast<void (*)(T*)>(0x1234ull + n);
  function(c);
}
