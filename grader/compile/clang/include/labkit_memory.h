// Loads and stores with a hint, prefetches, and where an address lies.
#pragma once

__LABKIT_FN size_t __cvta_generic_to_shared(const void* p) {
  size_t result;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(result) : "l"(p));
  return result;
}
__LABKIT_FN size_t __cvta_generic_to_global(const void* p) {
  size_t result;
  asm("cvta.to.global.u64 %0, %1;" : "=l"(result) : "l"(p));
  return result;
}
__LABKIT_FN void* __cvta_shared_to_generic(size_t address) {
  void* result;
  asm("cvta.shared.u64 %0, %1;" : "=l"(result) : "l"(address));
  return result;
}
#define __LABKIT_SPACE(name, space)                                                               \
  __LABKIT_FN unsigned int name(const void* p) {                                                  \
    unsigned int result;                                                                          \
    asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }"                       \
        : "=r"(result)                                                                            \
        : "l"(p));                                                                                \
    return result;                                                                                \
  }
__LABKIT_SPACE(__isGlobal, "global")
__LABKIT_SPACE(__isShared, "shared")
__LABKIT_SPACE(__isLocal, "local")
__LABKIT_SPACE(__isConstant, "const")
#undef __LABKIT_SPACE

// T1, T2, T4: the element as the instruction names it, and the letter of its registers; `Held` is what such a register holds.
#define __LABKIT_LOAD1(name, op, T, Held, type, letter)                                            \
  __LABKIT_FN T name(const T* p) {                                                                \
    Held x;                                                                                       \
    __LABKIT_ASM(op "." type " %0, [%1];" : letter(x) : "l"(p));                       \
    return (T)x;                                                                                  \
  }
#define __LABKIT_LOAD2(name, op, T, Held, type, letter)                                            \
  __LABKIT_FN T name(const T* p) {                                                                \
    Held x, y;                                                                                    \
    __LABKIT_ASM(op ".v2." type " {%0, %1}, [%2];" : letter(x), letter(y) : "l"(p));   \
    T v;                                                                                          \
    v.x = x;                                                                                      \
    v.y = y;                                                                                      \
    return v;                                                                                     \
  }
#define __LABKIT_LOAD4(name, op, T, Held, type, letter)                                            \
  __LABKIT_FN T name(const T* p) {                                                                \
    Held x, y, z, w;                                                                              \
    __LABKIT_ASM(op ".v4." type " {%0, %1, %2, %3}, [%4];"                                        \
                 : letter(x), letter(y), letter(z), letter(w)                                     \
                 : "l"(p));                                                                     \
    T v;                                                                                          \
    v.x = x;                                                                                      \
    v.y = y;                                                                                      \
    v.z = z;                                                                                      \
    v.w = w;                                                                                      \
    return v;                                                                                     \
  }
#define __LABKIT_STORE1(name, op, T, Held, type, letter)                                           \
  __LABKIT_FN void name(T* p, T v) {                                                              \
    asm volatile(op "." type " [%0], %1;" ::"l"(p), letter((Held)v) : "memory");                  \
  }
#define __LABKIT_STORE2(name, op, T, Held, type, letter)                                           \
  __LABKIT_FN void name(T* p, T v) {                                                              \
    asm volatile(op ".v2." type " [%0], {%1, %2};" ::"l"(p), letter((Held)v.x),                   \
                 letter((Held)v.y)                                                                \
                 : "memory");                                                                     \
  }
#define __LABKIT_STORE4(name, op, T, Held, type, letter)                                           \
  __LABKIT_FN void name(T* p, T v) {                                                              \
    asm volatile(op ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(p), letter((Held)v.x),           \
                 letter((Held)v.y), letter((Held)v.z), letter((Held)v.w)                          \
                 : "memory");                                                                     \
  }
#define __LABKIT_EACH(ONE, TWO, FOUR, name, op, to)                                                \
  ONE(name, op, char, short, "s8", to "h")                                                         \
  ONE(name, op, signed char, short, "s8", to "h")                                                  \
  ONE(name, op, unsigned char, unsigned short, "u8", to "h")                                       \
  ONE(name, op, short, short, "s16", to "h")                                                       \
  ONE(name, op, unsigned short, unsigned short, "u16", to "h")                                     \
  ONE(name, op, int, int, "s32", to "r")                                                           \
  ONE(name, op, unsigned int, unsigned int, "u32", to "r")                                         \
  ONE(name, op, long, long, "s64", to "l")                                                         \
  ONE(name, op, unsigned long, unsigned long, "u64", to "l")                                       \
  ONE(name, op, long long, long long, "s64", to "l")                                               \
  ONE(name, op, unsigned long long, unsigned long long, "u64", to "l")                             \
  ONE(name, op, float, float, "f32", to "f")                                                       \
  ONE(name, op, double, double, "f64", to "d")                                                     \
  TWO(name, op, char2, short, "s8", to "h")                                                        \
  TWO(name, op, uchar2, unsigned short, "u8", to "h")                                              \
  TWO(name, op, short2, short, "s16", to "h")                                                      \
  TWO(name, op, ushort2, unsigned short, "u16", to "h")                                            \
  TWO(name, op, int2, int, "s32", to "r")                                                          \
  TWO(name, op, uint2, unsigned int, "u32", to "r")                                                \
  TWO(name, op, longlong2, long long, "s64", to "l")                                               \
  TWO(name, op, ulonglong2, unsigned long long, "u64", to "l")                                     \
  TWO(name, op, float2, float, "f32", to "f")                                                      \
  TWO(name, op, double2, double, "f64", to "d")                                                    \
  FOUR(name, op, char4, short, "s8", to "h")                                                       \
  FOUR(name, op, uchar4, unsigned short, "u8", to "h")                                             \
  FOUR(name, op, short4, short, "s16", to "h")                                                     \
  FOUR(name, op, ushort4, unsigned short, "u16", to "h")                                           \
  FOUR(name, op, int4, int, "s32", to "r")                                                         \
  FOUR(name, op, uint4, unsigned int, "u32", to "r")                                               \
  FOUR(name, op, float4, float, "f32", to "f")
// What is read so does not change while the kernel runs: the load may move.
#define __LABKIT_ASM asm
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldg, "ld.global.nc", "=")
#undef __LABKIT_ASM
#define __LABKIT_ASM asm volatile
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldca, "ld.global.ca", "=")
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldcg, "ld.global.cg", "=")
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldcs, "ld.global.cs", "=")
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldlu, "ld.global.lu", "=")
__LABKIT_EACH(__LABKIT_LOAD1, __LABKIT_LOAD2, __LABKIT_LOAD4, __ldcv, "ld.global.cv", "=")
__LABKIT_EACH(__LABKIT_STORE1, __LABKIT_STORE2, __LABKIT_STORE4, __stwb, "st.global.wb", )
__LABKIT_EACH(__LABKIT_STORE1, __LABKIT_STORE2, __LABKIT_STORE4, __stcg, "st.global.cg", )
__LABKIT_EACH(__LABKIT_STORE1, __LABKIT_STORE2, __LABKIT_STORE4, __stcs, "st.global.cs", )
__LABKIT_EACH(__LABKIT_STORE1, __LABKIT_STORE2, __LABKIT_STORE4, __stwt, "st.global.wt", )
#undef __LABKIT_ASM
#undef __LABKIT_EACH
#undef __LABKIT_LOAD1
#undef __LABKIT_LOAD2
#undef __LABKIT_LOAD4
#undef __LABKIT_STORE1
#undef __LABKIT_STORE2
#undef __LABKIT_STORE4

__LABKIT_FN void __prefetch_global_l1(const void* p) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
}
__LABKIT_FN void __prefetch_global_l2(const void* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}
