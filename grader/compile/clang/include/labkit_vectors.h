// The vector types and make_*.
#pragma once

// Of 16 bytes: assigned in one access, which clang would make two of.
#define __LABKIT_WHOLE(name, T, count)                                                            \
  typedef T __labkit_whole __attribute__((vector_size(16), may_alias));                           \
  __attribute__((host, device, always_inline, nodebug)) name& operator=(const name& other) {      \
    *(__labkit_whole*)this = *(const __labkit_whole*)&other;                                      \
    return *this;                                                                                 \
  }
#define __LABKIT_PARTS(name, T, count)
#define __LABKIT_VECTORS(name, T, two, four, TWO, FOUR)                                                      \
  struct name##1 {                                                                                \
    T x;                                                                                          \
  };                                                                                              \
  struct __attribute__((aligned(two))) name##2 {                                                  \
    T x, y;                                                                                       \
    TWO(name##2, T, 2)                                                                            \
  };                                                                                              \
  struct name##3 {                                                                                \
    T x, y, z;                                                                                    \
  };                                                                                              \
  struct __attribute__((aligned(four))) name##4 {                                                 \
    T x, y, z, w;                                                                                 \
    FOUR(name##4, T, 4)                                                                           \
  };                                                                                              \
  __LABKIT_BOTH constexpr name##1 make_##name##1(T x) { return {x}; }                             \
  __LABKIT_BOTH constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                     \
  __LABKIT_BOTH constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }             \
  __LABKIT_BOTH constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
__LABKIT_VECTORS(char, signed char, 2, 4, __LABKIT_PARTS, __LABKIT_PARTS)
__LABKIT_VECTORS(uchar, unsigned char, 2, 4, __LABKIT_PARTS, __LABKIT_PARTS)
__LABKIT_VECTORS(short, short, 4, 8, __LABKIT_PARTS, __LABKIT_PARTS)
__LABKIT_VECTORS(ushort, unsigned short, 4, 8, __LABKIT_PARTS, __LABKIT_PARTS)
__LABKIT_VECTORS(int, int, 8, 16, __LABKIT_PARTS, __LABKIT_WHOLE)
__LABKIT_VECTORS(uint, unsigned int, 8, 16, __LABKIT_PARTS, __LABKIT_WHOLE)
__LABKIT_VECTORS(long, long, 16, 16, __LABKIT_WHOLE, __LABKIT_PARTS)
__LABKIT_VECTORS(ulong, unsigned long, 16, 16, __LABKIT_WHOLE, __LABKIT_PARTS)
__LABKIT_VECTORS(longlong, long long, 16, 16, __LABKIT_WHOLE, __LABKIT_PARTS)
__LABKIT_VECTORS(ulonglong, unsigned long long, 16, 16, __LABKIT_WHOLE, __LABKIT_PARTS)
__LABKIT_VECTORS(float, float, 8, 16, __LABKIT_PARTS, __LABKIT_WHOLE)
__LABKIT_VECTORS(double, double, 16, 16, __LABKIT_WHOLE, __LABKIT_PARTS)
#undef __LABKIT_VECTORS
#undef __LABKIT_WHOLE
#undef __LABKIT_PARTS

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device, nodebug)) constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                                        unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device, nodebug)) constexpr operator uint3() const { return {x, y, z}; }
};
