// Float functions. Those that an instruction has are as exact as CUDA's; those made of others say how far they are off (units in
// the last place, over their whole range; grader/tests/compile/clang_math_test.cpp measures it).
#pragma once

#define __LABKIT_ASM1(name, T, letter, op)                    \
  __LABKIT_FN T name(T x) {                                   \
    T result;                                                 \
    asm(op " %0, %1;" : "=" letter(result) : letter(x));      \
    return result;                                            \
  }
#define __LABKIT_ASM2(name, T, letter, op)                                   \
  __LABKIT_FN T name(T x, T y) {                                             \
    T result;                                                                \
    asm(op " %0, %1, %2;" : "=" letter(result) : letter(x), letter(y));      \
    return result;                                                           \
  }
#define __LABKIT_ASM3(name, T, letter, op)                                                  \
  __LABKIT_FN T name(T x, T y, T z) {                                                       \
    T result;                                                                               \
    asm(op " %0, %1, %2, %3;" : "=" letter(result) : letter(x), letter(y), letter(z));      \
    return result;                                                                          \
  }
#define __LABKIT_ROUNDED(MAKE, name, T, letter, op, type)   \
  MAKE(name##_rn, T, letter, op ".rn" type)                 \
  MAKE(name##_rz, T, letter, op ".rz" type)                 \
  MAKE(name##_ru, T, letter, op ".rp" type)                 \
  MAKE(name##_rd, T, letter, op ".rm" type)
__LABKIT_ROUNDED(__LABKIT_ASM2, __fadd, float, "f", "add", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM2, __fsub, float, "f", "sub", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM2, __fmul, float, "f", "mul", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM2, __fdiv, float, "f", "div", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM1, __frcp, float, "f", "rcp", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM1, __fsqrt, float, "f", "sqrt", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM3, __fmaf, float, "f", "fma", ".f32")
__LABKIT_ROUNDED(__LABKIT_ASM2, __dadd, double, "d", "add", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM2, __dsub, double, "d", "sub", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM2, __dmul, double, "d", "mul", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM2, __ddiv, double, "d", "div", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM1, __drcp, double, "d", "rcp", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM1, __dsqrt, double, "d", "sqrt", ".f64")
__LABKIT_ROUNDED(__LABKIT_ASM3, __fma, double, "d", "fma", ".f64")
__LABKIT_ASM1(__frsqrt_rn, float, "f", "rsqrt.approx.f32")
__LABKIT_ASM1(__saturatef, float, "f", "cvt.sat.f32.f32")
__LABKIT_ASM2(__fdividef, float, "f", "div.approx.f32")
__LABKIT_ASM1(__sinf, float, "f", "sin.approx.f32")
__LABKIT_ASM1(__cosf, float, "f", "cos.approx.f32")
__LABKIT_ASM1(__labkit_ex2, float, "f", "ex2.approx.f32")
__LABKIT_ASM1(__labkit_lg2, float, "f", "lg2.approx.f32")
__LABKIT_ASM1(rsqrtf, float, "f", "rsqrt.approx.f32")
__LABKIT_ASM1(rintf, float, "f", "cvt.rni.f32.f32")
__LABKIT_FN float __expf(float x) { return __labkit_ex2(x * 1.4426950409f); }
__LABKIT_FN float __exp10f(float x) { return __labkit_ex2(x * 3.3219280949f); }
__LABKIT_FN float __log2f(float x) { return __labkit_lg2(x); }
__LABKIT_FN float __logf(float x) { return __labkit_lg2(x) * 0.6931471806f; }
__LABKIT_FN float __log10f(float x) { return __labkit_lg2(x) * 0.3010299957f; }
__LABKIT_FN float __powf(float x, float y) { return __labkit_ex2(y * __labkit_lg2(x)); }
__LABKIT_FN float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__LABKIT_FN void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}

__LABKIT_FN float sqrtf(float x) { return __fsqrt_rn(x); }
__LABKIT_FN float fabsf(float x) { return __builtin_fabsf(x); }
__LABKIT_FN float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LABKIT_FN float fminf(float x, float y) { return __builtin_fminf(x, y); }
__LABKIT_FN float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__LABKIT_FN float floorf(float x) { return __builtin_floorf(x); }
__LABKIT_FN float ceilf(float x) { return __builtin_ceilf(x); }
__LABKIT_FN float truncf(float x) { return __builtin_truncf(x); }
__LABKIT_FN float nearbyintf(float x) { return rintf(x); }
__LABKIT_FN float copysignf(float x, float y) {
  return __int_as_float((__float_as_int(x) & 0x7fffffff) |
                        (__float_as_int(y) & (int)0x80000000));
}
__LABKIT_FN float roundf(float x) {
  const float whole = truncf(x);
  return copysignf(fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : whole, x);
}
__LABKIT_FN float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
__LABKIT_FN float fdividef(float x, float y) { return x / y; }

/// 2^x: ex2.approx takes no more than its instruction's 2 units. Results below 2^-126 take two steps.
__LABKIT_FN float exp2f(float x) {
  const bool is_small = x < -126.0f;
  const float result = __labkit_ex2(is_small ? x + 24.0f : x);
  return is_small ? result * 5.9604645e-8f : result;
}
/// 2 units: the exponent's whole part apart, the rest of x - n ln 2 in two pieces.
__LABKIT_FN float expf(float x) {
  const float n = rintf(fminf(fmaxf(x, -105.0f), 89.0f) * 1.44269502f);
  float rest = fmaf(n, -0.693145752f, fminf(fmaxf(x, -105.0f), 89.0f));
  rest = fmaf(n, -1.42860677e-6f, rest);
  const float part = __labkit_ex2(rest * 1.44269502f + rest * 1.92596303e-8f);
  const int half = (int)n >> 1;
  const float result = part * __int_as_float((half + 127) << 23) *
                       __int_as_float(((int)n - half + 127) << 23);
  return x != x ? x : result;
}
__LABKIT_FN float exp10f(float x) {
  const float n = rintf(fminf(fmaxf(x, -46.0f), 39.0f) * 3.32192802f);
  float rest = fmaf(n, -0.301025391f, fminf(fmaxf(x, -46.0f), 39.0f));
  rest = fmaf(n, -4.60503907e-6f, rest);
  const float part = __labkit_ex2(rest * 3.32192802f + rest * 7.05916141e-8f);
  const int half = (int)n >> 1;
  const float result = part * __int_as_float((half + 127) << 23) *
                       __int_as_float(((int)n - half + 127) << 23);
  return x != x ? x : result;
}
/// 2 units: x = m 2^e with m near 1, and the series of 2 atanh((m - 1) / (m + 1)).
__LABKIT_FN float logf(float x) {
  const bool is_small = x < 1.17549435e-38f;
  const float scaled = is_small ? x * 8388608.0f : x;
  const int bits = __float_as_int(scaled);
  const int e = (bits - 0x3f3504f3) >> 23;
  const float m = __int_as_float(bits - (e << 23)) - 1.0f;
  const float s = m / (m + 2.0f), z = s * s;
  float p = fmaf(z, 0.15384615f, 0.18181818f);
  p = fmaf(p, z, 0.22222222f);
  p = fmaf(p, z, 0.28571429f);
  p = fmaf(p, z, 0.4f);
  p = fmaf(p, z, 0.66666667f);
  // log(1 + m) = m - m^2/2 + s (m^2/2 + z p): the small terms last
  const float half = 0.5f * m * m;
  const float k = (float)(is_small ? e - 23 : e);
  const float low = fmaf(k, -1.90465421e-9f, s * fmaf(z, p, half));
  const float result = fmaf(k, 0.693147182f, (low - half) + m);
  if (!(x > 0.0f) || x == __int_as_float(0x7f800000))
    return x == 0.0f ? -__int_as_float(0x7f800000)
           : x > 0.0f ? x
           : x < 0.0f ? __int_as_float(0x7fffffff)
                      : x;
  return result;
}
__LABKIT_FN float log2f(float x) {
  return __labkit_lg2(x < 1.17549435e-38f ? x * 8388608.0f : x) -
         (x < 1.17549435e-38f ? 23.0f : 0.0f);
}

/// Below 1e5: n quarter turns in three pieces (Cody and Waite). Above: in double, which is exact to 2^30 quarter turns.
__LABKIT_FN float __labkit_reduce(float x, int* quarter) {
  if (fabsf(x) > 105615.0f) {
    const double n = __builtin_rint((double)x * 0.63661977236758138);
    double rest = __builtin_fma(n, -1.5707963267948966, (double)x);
    rest = __builtin_fma(n, -6.123233995736766e-17, rest);
    *quarter = (int)(long long)n;
    return (float)rest;
  }
  const float n = rintf(x * 0.636619747f);
  float rest = fmaf(n, -1.57079601f, x);
  rest = fmaf(n, -3.13916473e-7f, rest);
  rest = fmaf(n, -5.39030253e-15f, rest);
  *quarter = (int)n;
  return rest;
}
__LABKIT_FN float __labkit_sine_part(float x, int quarter) {
  const float z = x * x;
  float result;
  if (quarter & 1) {
    result = fmaf(z, 2.44331571e-5f, -1.38873162e-3f);
    result = fmaf(result, z, 4.16666456e-2f);
    result = fmaf(result, z, -0.5f);
    result = fmaf(result, z, 1.0f);
  } else {
    result = fmaf(z, -1.95152959e-4f, 8.33216087e-3f);
    result = fmaf(result, z, -0.166666546f);
    result = fmaf(result * z, x, x);
  }
  return quarter & 2 ? -result : result;
}
__LABKIT_FN float sinf(float x) {
  int quarter;
  const float rest = __labkit_reduce(x, &quarter);
  return x == 0.0f ? x : __labkit_sine_part(rest, quarter);
}
__LABKIT_FN float cosf(float x) {
  int quarter;
  const float rest = __labkit_reduce(x, &quarter);
  return __labkit_sine_part(rest, quarter + 1);
}
__LABKIT_FN void sincosf(float x, float* s, float* c) {
  int quarter;
  const float rest = __labkit_reduce(x, &quarter);
  *s = __labkit_sine_part(rest, quarter);
  *c = __labkit_sine_part(rest, quarter + 1);
}
