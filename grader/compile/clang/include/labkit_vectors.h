// The vector types and make_*.
#pragma once
#define __LABKIT_VECTORS(name, T, two, four)                                                      \
  struct name##1 {                                                                                \
    T x;                                                                                          \
  };                                                                                              \
  struct __attribute__((aligned(two))) name##2 {                                                  \
    T x, y;                                                                                       \
  };                                                                                              \
  struct name##3 {                                                                                \
    T x, y, z;                                                                                    \
  };                                                                                              \
  struct __attribute__((aligned(four))) name##4 {                                                 \
    T x, y, z, w;                                                                                 \
  };                                                                                              \
  __LABKIT_BOTH constexpr name##1 make_##name##1(T x) { return {x}; }                             \
  __LABKIT_BOTH constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                     \
  __LABKIT_BOTH constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }             \
  __LABKIT_BOTH constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
__LABKIT_VECTORS(char, signed char, 2, 4)
__LABKIT_VECTORS(uchar, unsigned char, 2, 4)
__LABKIT_VECTORS(short, short, 4, 8)
__LABKIT_VECTORS(ushort, unsigned short, 4, 8)
__LABKIT_VECTORS(int, int, 8, 16)
__LABKIT_VECTORS(uint, unsigned int, 8, 16)
__LABKIT_VECTORS(long, long, 16, 16)
__LABKIT_VECTORS(ulong, unsigned long, 16, 16)
__LABKIT_VECTORS(longlong, long long, 16, 16)
__LABKIT_VECTORS(ulonglong, unsigned long long, 16, 16)
__LABKIT_VECTORS(float, float, 8, 16)
__LABKIT_VECTORS(double, double, 16, 16)
#undef __LABKIT_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device, nodebug)) constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                                        unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device, nodebug)) constexpr operator uint3() const { return {x, y, z}; }
};
