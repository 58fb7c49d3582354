// The names under which the functions are called: float's own, and C++'s overloads.
#pragma once

// By way of double: within 1 unit, and slower than CUDA's.
#define __LABKIT_FLOAT1(name) \
  __LABKIT_FN float name##f(float x) { return (float)name((double)x); }
#define __LABKIT_FLOAT2(name) \
  __LABKIT_FN float name##f(float x, float y) { return (float)name((double)x, (double)y); }
__LABKIT_FLOAT1(tan)
__LABKIT_FLOAT1(asin)
__LABKIT_FLOAT1(acos)
__LABKIT_FLOAT1(atan)
__LABKIT_FLOAT1(sinh)
__LABKIT_FLOAT1(cosh)
__LABKIT_FLOAT1(tanh)
__LABKIT_FLOAT1(asinh)
__LABKIT_FLOAT1(acosh)
__LABKIT_FLOAT1(atanh)
__LABKIT_FLOAT1(cbrt)
__LABKIT_FLOAT1(rcbrt)
__LABKIT_FLOAT1(expm1)
__LABKIT_FLOAT1(log1p)
__LABKIT_FLOAT1(log10)
__LABKIT_FLOAT1(erf)
__LABKIT_FLOAT1(erfc)
__LABKIT_FLOAT1(tgamma)
__LABKIT_FLOAT1(lgamma)
__LABKIT_FLOAT1(sinpi)
__LABKIT_FLOAT1(cospi)
__LABKIT_FLOAT1(logb)
__LABKIT_FLOAT2(pow)
__LABKIT_FLOAT2(atan2)
__LABKIT_FLOAT2(hypot)
__LABKIT_FLOAT2(rhypot)
__LABKIT_FLOAT2(fmod)
__LABKIT_FLOAT2(remainder)
#undef __LABKIT_FLOAT1
#undef __LABKIT_FLOAT2
__LABKIT_FN float scalbnf(float x, int n) { return (float)scalbn((double)x, n); }
__LABKIT_FN float scalblnf(float x, long n) { return (float)scalbln((double)x, n); }
__LABKIT_FN float ldexpf(float x, int n) { return (float)scalbn((double)x, n); }
__LABKIT_FN float frexpf(float x, int* e) { return (float)frexp((double)x, e); }
__LABKIT_FN float remquof(float x, float y, int* quotient) {
  return (float)remquo((double)x, (double)y, quotient);
}
__LABKIT_FN int ilogbf(float x) { return ilogb((double)x); }
__LABKIT_FN float modff(float x, float* whole) {
  *whole = truncf(x);
  return copysignf(x - x != 0.0f && x == x ? 0.0f : x - *whole, x);
}
__LABKIT_FN float norm3df(float x, float y, float z) {
  return (float)norm3d((double)x, (double)y, (double)z);
}
__LABKIT_FN float nextafterf(float x, float y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0.0f) return copysignf(1.40129846e-45f, y);
  const int bits = __float_as_int(x);
  return __int_as_float((y > x) == (x > 0.0f) ? bits + 1 : bits - 1);
}
__LABKIT_FN long long llrint(double x) { return __double2ll_rn(x); }
__LABKIT_FN long lrint(double x) { return (long)__double2ll_rn(x); }
__LABKIT_FN long long llround(double x) { return (long long)round(x); }
__LABKIT_FN long lround(double x) { return (long)round(x); }
__LABKIT_FN long long llrintf(float x) { return __float2ll_rn(x); }
__LABKIT_FN long lrintf(float x) { return (long)__float2ll_rn(x); }
__LABKIT_FN long long llroundf(float x) { return (long long)roundf(x); }
__LABKIT_FN long lroundf(float x) { return (long)roundf(x); }

// For an integer C++ takes the double's; for a float the float's.
template <typename T, bool = (T(1) / T(2) == T(0))>
struct __labkit_integer {};
template <typename T>
struct __labkit_integer<T, true> {
  typedef double real;
};
#define __LABKIT_NAME1(name)                                 \
  __LABKIT_FN float name(float x) { return name##f(x); }     \
  template <typename T>                                      \
  __LABKIT_FN typename __labkit_integer<T>::real name(T x) { \
    return name((double)x);                                  \
  }
#define __LABKIT_NAME2(name)                                         \
  __LABKIT_FN float name(float x, float y) { return name##f(x, y); } \
  template <typename T, typename U>                                  \
  __LABKIT_FN decltype((T(0) + U(0)) * 0.0) name(T x, U y) {         \
    return name((double)x, (double)y);                               \
  }
__LABKIT_NAME1(sqrt)
__LABKIT_NAME1(rsqrt)
__LABKIT_NAME1(fabs)
__LABKIT_NAME1(floor)
__LABKIT_NAME1(ceil)
__LABKIT_NAME1(trunc)
__LABKIT_NAME1(rint)
__LABKIT_NAME1(nearbyint)
__LABKIT_NAME1(round)
__LABKIT_NAME1(sin)
__LABKIT_NAME1(cos)
__LABKIT_NAME1(tan)
__LABKIT_NAME1(asin)
__LABKIT_NAME1(acos)
__LABKIT_NAME1(atan)
__LABKIT_NAME1(sinh)
__LABKIT_NAME1(cosh)
__LABKIT_NAME1(tanh)
__LABKIT_NAME1(asinh)
__LABKIT_NAME1(acosh)
__LABKIT_NAME1(atanh)
__LABKIT_NAME1(exp)
__LABKIT_NAME1(exp2)
__LABKIT_NAME1(exp10)
__LABKIT_NAME1(expm1)
__LABKIT_NAME1(log)
__LABKIT_NAME1(log2)
__LABKIT_NAME1(log10)
__LABKIT_NAME1(log1p)
__LABKIT_NAME1(cbrt)
__LABKIT_NAME1(rcbrt)
__LABKIT_NAME1(erf)
__LABKIT_NAME1(erfc)
__LABKIT_NAME1(tgamma)
__LABKIT_NAME1(lgamma)
__LABKIT_NAME1(sinpi)
__LABKIT_NAME1(cospi)
__LABKIT_NAME1(logb)
__LABKIT_NAME2(pow)
__LABKIT_NAME2(atan2)
__LABKIT_NAME2(hypot)
__LABKIT_NAME2(fmod)
__LABKIT_NAME2(remainder)
__LABKIT_NAME2(fmin)
__LABKIT_NAME2(fmax)
__LABKIT_NAME2(fdim)
__LABKIT_NAME2(copysign)
__LABKIT_NAME2(nextafter)
#undef __LABKIT_NAME1
#undef __LABKIT_NAME2
__LABKIT_FN float fma(float x, float y, float z) { return fmaf(x, y, z); }
__LABKIT_FN float scalbn(float x, int n) { return scalbnf(x, n); }
__LABKIT_FN float scalbln(float x, long n) { return scalblnf(x, n); }
__LABKIT_FN float ldexp(float x, int n) { return ldexpf(x, n); }
__LABKIT_FN float frexp(float x, int* e) { return frexpf(x, e); }
__LABKIT_FN float modf(float x, float* whole) { return modff(x, whole); }
__LABKIT_FN float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
__LABKIT_FN int ilogb(float x) { return ilogbf(x); }
__LABKIT_FN long long llrint(float x) { return llrintf(x); }
__LABKIT_FN long lrint(float x) { return lrintf(x); }
__LABKIT_FN long long llround(float x) { return llroundf(x); }
__LABKIT_FN long lround(float x) { return lroundf(x); }

#define __LABKIT_KIND(T, infinity)                                        \
  __LABKIT_FN bool isnan(T x) { return x != x; }                          \
  __LABKIT_FN bool isinf(T x) { return x == infinity || x == -infinity; } \
  __LABKIT_FN bool isfinite(T x) { return x - x == 0; }
__LABKIT_KIND(float, __builtin_inff())
__LABKIT_KIND(double, __builtin_inf())
#undef __LABKIT_KIND
__LABKIT_FN bool signbit(float x) { return __float_as_int(x) < 0; }
__LABKIT_FN bool signbit(double x) { return __double_as_longlong(x) < 0; }

__LABKIT_ABS constexpr int abs(int x) { return x < 0 ? -x : x; }
__LABKIT_ABS constexpr long abs(long x) { return x < 0 ? -x : x; }
__LABKIT_ABS constexpr long long abs(long long x) { return x < 0 ? -x : x; }
__LABKIT_ABS constexpr long labs(long x) { return x < 0 ? -x : x; }
__LABKIT_ABS constexpr long long llabs(long long x) { return x < 0 ? -x : x; }
__LABKIT_FN float abs(float x) { return fabsf(x); }
__LABKIT_FN double abs(double x) { return fabs(x); }

#define __LABKIT_EXTREMES(T)                                        \
  __LABKIT_BOTH constexpr T min(T x, T y) { return y < x ? y : x; } \
  __LABKIT_BOTH constexpr T max(T x, T y) { return x < y ? y : x; }
__LABKIT_EXTREMES(int)
__LABKIT_EXTREMES(unsigned int)
__LABKIT_EXTREMES(long)
__LABKIT_EXTREMES(unsigned long)
__LABKIT_EXTREMES(long long)
__LABKIT_EXTREMES(unsigned long long)
#undef __LABKIT_EXTREMES
// As CUDA has them: what is mixed becomes the wider, and unsigned where one is.
#define __LABKIT_MIXED(T, A, B)                                       \
  __LABKIT_BOTH constexpr T min(A x, B y) { return min((T)x, (T)y); } \
  __LABKIT_BOTH constexpr T max(A x, B y) { return max((T)x, (T)y); } \
  __LABKIT_BOTH constexpr T min(B x, A y) { return min((T)x, (T)y); } \
  __LABKIT_BOTH constexpr T max(B x, A y) { return max((T)x, (T)y); }
__LABKIT_MIXED(unsigned int, int, unsigned int)
__LABKIT_MIXED(unsigned long, long, unsigned long)
__LABKIT_MIXED(unsigned long long, long long, unsigned long long)
#undef __LABKIT_MIXED
__LABKIT_FN float min(float x, float y) { return fminf(x, y); }
__LABKIT_FN float max(float x, float y) { return fmaxf(x, y); }
__LABKIT_FN double min(double x, double y) { return fmin(x, y); }
__LABKIT_FN double max(double x, double y) { return fmax(x, y); }
__LABKIT_FN double min(float x, double y) { return fmin((double)x, y); }
__LABKIT_FN double max(float x, double y) { return fmax((double)x, y); }
__LABKIT_FN double min(double x, float y) { return fmin(x, (double)y); }
__LABKIT_FN double max(double x, float y) { return fmax(x, (double)y); }
__LABKIT_FN unsigned int umin(unsigned int x, unsigned int y) { return min(x, y); }
__LABKIT_FN unsigned int umax(unsigned int x, unsigned int y) { return max(x, y); }
#undef __LABKIT_ASM1
#undef __LABKIT_ASM2
#undef __LABKIT_ASM3
#undef __LABKIT_ROUNDED
