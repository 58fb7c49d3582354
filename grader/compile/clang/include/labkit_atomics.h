// Atomics. `_block` is the same operation: the wider scope holds for the narrower. `_system` says that the host looks on.
#pragma once

#define __LABKIT_SCOPES(name, T)                                       \
  __LABKIT_FN T name##_block(T* p, T value) { return name(p, value); } \
  __LABKIT_FN T name##_system(T* p, T value) { return name(p, value); }
#define __LABKIT_ATOMIC(name, T, operation, Held)                                                 \
  __LABKIT_FN T name(T* p, T value) { return (T)__nvvm_atom_##operation((Held*)p, (Held)value); } \
  __LABKIT_FN T name##_block(T* p, T value) { return name(p, value); }                            \
  __LABKIT_FN T name##_system(T* p, T value) {                                                    \
    return (T)__nvvm_atom_sys_##operation((Held*)p, (Held)value);                                 \
  }
__LABKIT_ATOMIC(atomicAdd, int, add_gen_i, int)
__LABKIT_ATOMIC(atomicAdd, unsigned int, add_gen_i, int)
__LABKIT_ATOMIC(atomicAdd, unsigned long, add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, unsigned long long, add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, long, add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, long long, add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, float, add_gen_f, float)
__LABKIT_ATOMIC(atomicAdd, double, add_gen_d, double)
__LABKIT_ATOMIC(atomicExch, int, xchg_gen_i, int)
__LABKIT_ATOMIC(atomicExch, unsigned int, xchg_gen_i, int)
__LABKIT_ATOMIC(atomicExch, unsigned long, xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, unsigned long long, xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, long, xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, long long, xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, int, and_gen_i, int)
__LABKIT_ATOMIC(atomicAnd, unsigned int, and_gen_i, int)
__LABKIT_ATOMIC(atomicAnd, unsigned long, and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, unsigned long long, and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, long, and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, long long, and_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, int, or_gen_i, int)
__LABKIT_ATOMIC(atomicOr, unsigned int, or_gen_i, int)
__LABKIT_ATOMIC(atomicOr, unsigned long, or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, unsigned long long, or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, long, or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, long long, or_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, int, xor_gen_i, int)
__LABKIT_ATOMIC(atomicXor, unsigned int, xor_gen_i, int)
__LABKIT_ATOMIC(atomicXor, unsigned long, xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, unsigned long long, xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, long, xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, long long, xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicMin, int, min_gen_i, int)
__LABKIT_ATOMIC(atomicMin, unsigned int, min_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicMin, unsigned long, min_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMin, unsigned long long, min_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMin, long, min_gen_ll, long long)
__LABKIT_ATOMIC(atomicMin, long long, min_gen_ll, long long)
__LABKIT_ATOMIC(atomicMax, int, max_gen_i, int)
__LABKIT_ATOMIC(atomicMax, unsigned int, max_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicMax, unsigned long, max_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMax, unsigned long long, max_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMax, long, max_gen_ll, long long)
__LABKIT_ATOMIC(atomicMax, long long, max_gen_ll, long long)
__LABKIT_ATOMIC(atomicInc, unsigned int, inc_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicDec, unsigned int, dec_gen_ui, unsigned int)
#undef __LABKIT_ATOMIC
__LABKIT_FN float atomicExch(float* p, float value) {
  return __int_as_float(atomicExch((int*)p, __float_as_int(value)));
}
__LABKIT_SCOPES(atomicExch, float)
// As addition of what is subtracted, which is what CUDA's are, too.
__LABKIT_FN int atomicSub(int* p, int value) { return atomicAdd(p, -value); }
__LABKIT_FN unsigned int atomicSub(unsigned int* p, unsigned int value) {
  return atomicAdd(p, 0u - value);
}
__LABKIT_SCOPES(atomicSub, int)
__LABKIT_SCOPES(atomicSub, unsigned int)
#undef __LABKIT_SCOPES

#define __LABKIT_CAS(T, letter, Held)                                                              \
  __LABKIT_FN T atomicCAS(T* p, T compare, T value) {                                              \
    return (T)__nvvm_atom_cas_gen_##letter((Held*)p, (Held)compare, (Held)value);                  \
  }                                                                                                \
  __LABKIT_FN T atomicCAS_block(T* p, T compare, T value) { return atomicCAS(p, compare, value); } \
  __LABKIT_FN T atomicCAS_system(T* p, T compare, T value) { return atomicCAS(p, compare, value); }
__LABKIT_CAS(int, i, int)
__LABKIT_CAS(unsigned int, i, int)
__LABKIT_CAS(long, ll, long long)
__LABKIT_CAS(unsigned long, ll, long long)
__LABKIT_CAS(long long, ll, long long)
__LABKIT_CAS(unsigned long long, ll, long long)
#undef __LABKIT_CAS
__LABKIT_FN unsigned short atomicCAS(unsigned short* p, unsigned short compare,
                                     unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(p), "h"(compare), "h"(value)
               : "memory");
  return old;
}
