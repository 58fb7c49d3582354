// A table that makes the output large.
#define TEN(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ \
  __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
__device__ int table[] = {TEN(TEN(TEN(TEN(TEN(TEN(TEN(1,)))))))};
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  c[0] = a[0] + b[0] + T(table[n]);
}
