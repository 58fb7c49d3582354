// 2^40 instances of a template.
template <int depth, long path>
struct Bomb {
  static constexpr long value = Bomb<depth - 1, 2 * path>::value + Bomb<depth - 1, 2 * path + 1>::value;
};
template <long path>
struct Bomb<0, path> {
  static constexpr long value = path;
};
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  c[0] = a[0] + b[0] + T(Bomb<40, 0>::value);
}
