// Atomics. `_block` and `_system` are the same operations: the wider scope holds for the narrower, and nothing but one GPU is there.
#pragma once

#define __LABKIT_SCOPES(name, T)                                                                   \
  __LABKIT_FN T name##_block(T* p, T value) { return name(p, value); }                            \
  __LABKIT_FN T name##_system(T* p, T value) { return name(p, value); }
#define __LABKIT_ATOMIC(name, T, builtin, Held)                                                    \
  __LABKIT_FN T name(T* p, T value) { return (T)builtin((Held*)p, (Held)value); }                 \
  __LABKIT_SCOPES(name, T)
__LABKIT_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i, int)
__LABKIT_ATOMIC(atomicAdd, unsigned int, __nvvm_atom_add_gen_i, int)
__LABKIT_ATOMIC(atomicAdd, unsigned long, __nvvm_atom_add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, unsigned long long, __nvvm_atom_add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, long, __nvvm_atom_add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, long long, __nvvm_atom_add_gen_ll, long long)
__LABKIT_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f, float)
__LABKIT_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d, double)
__LABKIT_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i, int)
__LABKIT_ATOMIC(atomicExch, unsigned int, __nvvm_atom_xchg_gen_i, int)
__LABKIT_ATOMIC(atomicExch, unsigned long, __nvvm_atom_xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, unsigned long long, __nvvm_atom_xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, long, __nvvm_atom_xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicExch, long long, __nvvm_atom_xchg_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i, int)
__LABKIT_ATOMIC(atomicAnd, unsigned int, __nvvm_atom_and_gen_i, int)
__LABKIT_ATOMIC(atomicAnd, unsigned long, __nvvm_atom_and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, unsigned long long, __nvvm_atom_and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, long, __nvvm_atom_and_gen_ll, long long)
__LABKIT_ATOMIC(atomicAnd, long long, __nvvm_atom_and_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i, int)
__LABKIT_ATOMIC(atomicOr, unsigned int, __nvvm_atom_or_gen_i, int)
__LABKIT_ATOMIC(atomicOr, unsigned long, __nvvm_atom_or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, unsigned long long, __nvvm_atom_or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, long, __nvvm_atom_or_gen_ll, long long)
__LABKIT_ATOMIC(atomicOr, long long, __nvvm_atom_or_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i, int)
__LABKIT_ATOMIC(atomicXor, unsigned int, __nvvm_atom_xor_gen_i, int)
__LABKIT_ATOMIC(atomicXor, unsigned long, __nvvm_atom_xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, unsigned long long, __nvvm_atom_xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, long, __nvvm_atom_xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicXor, long long, __nvvm_atom_xor_gen_ll, long long)
__LABKIT_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i, int)
__LABKIT_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicMin, unsigned long, __nvvm_atom_min_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMin, long, __nvvm_atom_min_gen_ll, long long)
__LABKIT_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll, long long)
__LABKIT_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i, int)
__LABKIT_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicMax, unsigned long, __nvvm_atom_max_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull, unsigned long long)
__LABKIT_ATOMIC(atomicMax, long, __nvvm_atom_max_gen_ll, long long)
__LABKIT_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll, long long)
__LABKIT_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui, unsigned int)
__LABKIT_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui, unsigned int)
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
  __LABKIT_FN T atomicCAS(T* p, T compare, T value) {                                             \
    return (T)__nvvm_atom_cas_gen_##letter((Held*)p, (Held)compare, (Held)value);                 \
  }                                                                                               \
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
