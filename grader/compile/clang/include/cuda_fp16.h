// Half precision's basics: conversions, arithmetic by way of PTX's own instructions, pairs.
#pragma once

#if defined(LABKIT_WITH_HOST) && !defined(__CUDA_ARCH__)
/// On the host as cvt.rn.f16.f32 and cvt.f32.f16 do it.
__LABKIT_BOTH unsigned short __labkit_half_of(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value), sign = bits >> 16 & 0x8000;
  const unsigned size = bits & 0x7FFFFFFF, of_half = __builtin_bit_cast(unsigned, 0.5f);
  if (size > 0x7F800000) return 0x7FFF;
  if (size >= 0x477FF000) return sign | 0x7C00;  // 65520, from which on it rounds to infinity
  if (size < 0x38800000)  // a multiple of 2^-24, which is the last bit of 0.5
    return sign | (__builtin_bit_cast(unsigned, __builtin_bit_cast(float, size) + 0.5f) - of_half);
  return sign | ((size + 0xFFF + (size >> 13 & 1) - 0x38000000) >> 13);
}
__LABKIT_BOTH float __labkit_float_of(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, rest = half & 0x3FF;
  if (exponent == 0) return (sign != 0 ? -0x1p-24f : 0x1p-24f) * rest;
  const unsigned raised = exponent == 31 ? 255 : exponent + 112;
  return __builtin_bit_cast(float, sign | raised << 23 | rest << 13);
}
#else
__LABKIT_BOTH unsigned short __labkit_half_of(float value) {
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
}
__LABKIT_BOTH float __labkit_float_of(unsigned short half) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
}
#endif

struct __half {
  unsigned short __x;
  __half() = default;
  __LABKIT_BOTH_MEMBER __half(float value) : __x(__labkit_half_of(value)) {}
  __LABKIT_BOTH_MEMBER operator float() const { return __labkit_float_of(__x); }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
};
typedef __half2 half2;

__LABKIT_BOTH __half __float2half(float x) { return __half(x); }
__LABKIT_BOTH __half __float2half_rn(float x) { return __half(x); }
__LABKIT_BOTH float __half2float(__half x) { return (float)x; }
__LABKIT_BOTH __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__LABKIT_BOTH __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
__LABKIT_BOTH __half2 __half2half2(__half x) { return {x, x}; }
__LABKIT_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__LABKIT_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
__LABKIT_BOTH __half __low2half(__half2 v) { return v.x; }
__LABKIT_BOTH __half __high2half(__half2 v) { return v.y; }
__LABKIT_BOTH float __low2float(__half2 v) { return (float)v.x; }
__LABKIT_BOTH float __high2float(__half2 v) { return (float)v.y; }
__LABKIT_BOTH float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }

#define __LABKIT_HALF(name, op)                                        \
  __LABKIT_FN __half __h##name(__half x, __half y) {                   \
    __half z;                                                          \
    asm(op ".f16 %0, %1, %2;" : "=h"(z.__x) : "h"(x.__x), "h"(y.__x)); \
    return z;                                                          \
  }                                                                    \
  __LABKIT_FN __half2 __h##name##2(__half2 x, __half2 y) {             \
    return {__h##name(x.x, y.x), __h##name(x.y, y.y)};                 \
  }
__LABKIT_HALF(add, "add")
__LABKIT_HALF(sub, "sub")
__LABKIT_HALF(mul, "mul")
__LABKIT_HALF(min, "min")
__LABKIT_HALF(max, "max")
#undef __LABKIT_HALF
#define __LABKIT_HALF(name, op) \
  __LABKIT_BOTH bool name(__half x, __half y) { return (float)x op(float) y; }
__LABKIT_HALF(__heq, ==)
__LABKIT_HALF(__hne, !=)
__LABKIT_HALF(__hlt, <)
__LABKIT_HALF(__hle, <=)
__LABKIT_HALF(__hgt, >)
__LABKIT_HALF(__hge, >=)
#undef __LABKIT_HALF
__LABKIT_FN __half __hfma(__half x, __half y, __half z) {
  __half result;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.__x) : "h"(x.__x), "h"(y.__x), "h"(z.__x));
  return result;
}
__LABKIT_FN __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
  return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
__LABKIT_FN __half __hdiv(__half x, __half y) { return __half((float)x / (float)y); }
__LABKIT_FN __half operator+(__half x, __half y) { return __hadd(x, y); }
__LABKIT_FN __half operator-(__half x, __half y) { return __hsub(x, y); }
__LABKIT_FN __half operator*(__half x, __half y) { return __hmul(x, y); }
__LABKIT_FN __half operator/(__half x, __half y) { return __hdiv(x, y); }
__LABKIT_FN __half2 operator+(__half2 x, __half2 y) { return __hadd2(x, y); }
__LABKIT_FN __half2 operator-(__half2 x, __half2 y) { return __hsub2(x, y); }
__LABKIT_FN __half2 operator*(__half2 x, __half2 y) { return __hmul2(x, y); }
