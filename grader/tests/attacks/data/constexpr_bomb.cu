// An endless computation for the compiler.
__device__ constexpr long turn(long depth) { return depth == 0 ? 1 : turn(depth - 1) + turn(depth - 1); }
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  constexpr long long_way = turn(60);
  c[0] = a[0] + b[0] + T(long_way);
}
