// Integers: bits, bytes, products, and the bits of floats.
#pragma once

__LABKIT_FN int __popc(unsigned int x) { return __builtin_popcount(x); }
__LABKIT_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
// The builtin says nothing of 0; with the question the compiler has clz of all 32 again.
__LABKIT_FN int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
__LABKIT_FN int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
__LABKIT_FN unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__LABKIT_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__LABKIT_FN int __ffs(int x) { return x == 0 ? 0 : 1 + __builtin_popcount(~x & (x - 1)); }
__LABKIT_FN int __ffsll(long long x) { return x == 0 ? 0 : 1 + __builtin_popcountll(~x & (x - 1)); }
__LABKIT_FN int ffs(int x) { return __ffs(x); }
__LABKIT_FN unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  unsigned int result;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(mask), "r"(base), "r"(offset));
  return result;
}
__LABKIT_FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  unsigned int result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(selector & 0x7777u));
  return result;
}
#define __LABKIT_FUNNEL(name, kind)                                                           \
  __LABKIT_FN unsigned int name(unsigned int low, unsigned int high, unsigned int shift) {    \
    unsigned int result;                                                                      \
    asm("shf." kind ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift)); \
    return result;                                                                            \
  }
__LABKIT_FUNNEL(__funnelshift_l, "l.wrap")
__LABKIT_FUNNEL(__funnelshift_lc, "l.clamp")
__LABKIT_FUNNEL(__funnelshift_r, "r.wrap")
__LABKIT_FUNNEL(__funnelshift_rc, "r.clamp")
#undef __LABKIT_FUNNEL

#define __LABKIT_THREE(name, T, op)                                              \
  __LABKIT_FN T name(T x, T y, T z) {                                            \
    T result;                                                                    \
    asm(op " %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));          \
    return result;                                                               \
  }
#define __LABKIT_TWO(name, T, op)                                                \
  __LABKIT_FN T name(T x, T y) {                                                 \
    T result;                                                                    \
    asm(op " %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y));                      \
    return result;                                                               \
  }
__LABKIT_TWO(__mul24, int, "mul24.lo.s32")
__LABKIT_TWO(__umul24, unsigned int, "mul24.lo.u32")
__LABKIT_THREE(__labkit_sad, int, "sad.s32")
__LABKIT_THREE(__usad, unsigned int, "sad.u32")
__LABKIT_THREE(__labkit_dp4a, int, "dp4a.s32.s32")
__LABKIT_THREE(__labkit_udp4a, unsigned int, "dp4a.u32.u32")
#undef __LABKIT_THREE
#undef __LABKIT_TWO
__LABKIT_FN unsigned int __sad(int x, int y, unsigned int z) {
  return (unsigned int)__labkit_sad(x, y, (int)z);
}
__LABKIT_FN int __dp4a(int x, int y, int z) { return __labkit_dp4a(x, y, z); }
__LABKIT_FN unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int z) {
  return __labkit_udp4a(x, y, z);
}
__LABKIT_FN int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
__LABKIT_FN unsigned int __umulhi(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x * y) >> 32);
}
__LABKIT_FN long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
__LABKIT_FN unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return __nvvm_mulhi_ull(x, y);
}
__LABKIT_FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
__LABKIT_FN int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
__LABKIT_FN unsigned int __uhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y) >> 1);
}
__LABKIT_FN unsigned int __urhadd(unsigned int x, unsigned int y) {
  return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

__LABKIT_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__LABKIT_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__LABKIT_FN float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__LABKIT_FN unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__LABKIT_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__LABKIT_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__LABKIT_FN double __hiloint2double(int high, int low) {
  return __longlong_as_double(((long long)high << 32) | (unsigned int)low);
}
__LABKIT_FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__LABKIT_FN int __double2loint(double x) { return (int)__double_as_longlong(x); }

// Conversions, with the rounding that the name ends in.
#define __LABKIT_CONVERT(name, From, from, To, to, rounding)                      \
  __LABKIT_FN To name(From x) {                                                   \
    To result;                                                                    \
    asm("cvt." rounding " %0, %1;" : to(result) : from(x));                       \
    return result;                                                                \
  }
#define __LABKIT_TO_INTEGER(From, from, type, To, to, name, kind)                           \
  __LABKIT_CONVERT(__##From##2##name##_rn, From, from, To, "=" to, "rni." kind "." type)    \
  __LABKIT_CONVERT(__##From##2##name##_rz, From, from, To, "=" to, "rzi." kind "." type)    \
  __LABKIT_CONVERT(__##From##2##name##_ru, From, from, To, "=" to, "rpi." kind "." type)    \
  __LABKIT_CONVERT(__##From##2##name##_rd, From, from, To, "=" to, "rmi." kind "." type)
#define __LABKIT_TO_REAL(name, From, from, kind, Real, real, type)                          \
  __LABKIT_CONVERT(__##name##2##Real##_rn, From, from, Real, "=" real, "rn." type "." kind) \
  __LABKIT_CONVERT(__##name##2##Real##_rz, From, from, Real, "=" real, "rz." type "." kind) \
  __LABKIT_CONVERT(__##name##2##Real##_ru, From, from, Real, "=" real, "rp." type "." kind) \
  __LABKIT_CONVERT(__##name##2##Real##_rd, From, from, Real, "=" real, "rm." type "." kind)
__LABKIT_TO_INTEGER(float, "f", "f32", int, "r", int, "s32")
__LABKIT_TO_INTEGER(float, "f", "f32", unsigned int, "r", uint, "u32")
__LABKIT_TO_INTEGER(float, "f", "f32", long long, "l", ll, "s64")
__LABKIT_TO_INTEGER(float, "f", "f32", unsigned long long, "l", ull, "u64")
__LABKIT_TO_INTEGER(double, "d", "f64", int, "r", int, "s32")
__LABKIT_TO_INTEGER(double, "d", "f64", unsigned int, "r", uint, "u32")
__LABKIT_TO_INTEGER(double, "d", "f64", long long, "l", ll, "s64")
__LABKIT_TO_INTEGER(double, "d", "f64", unsigned long long, "l", ull, "u64")
__LABKIT_TO_REAL(int, int, "r", "s32", float, "f", "f32")
__LABKIT_TO_REAL(uint, unsigned int, "r", "u32", float, "f", "f32")
__LABKIT_TO_REAL(ll, long long, "l", "s64", float, "f", "f32")
__LABKIT_TO_REAL(ull, unsigned long long, "l", "u64", float, "f", "f32")
__LABKIT_TO_REAL(ll, long long, "l", "s64", double, "d", "f64")
__LABKIT_TO_REAL(ull, unsigned long long, "l", "u64", double, "d", "f64")
__LABKIT_TO_REAL(double, double, "d", "f64", float, "f", "f32")
#undef __LABKIT_TO_INTEGER
#undef __LABKIT_TO_REAL
#undef __LABKIT_CONVERT
__LABKIT_FN double __int2double_rn(int x) { return x; }
__LABKIT_FN double __uint2double_rn(unsigned int x) { return x; }
