// threadIdx, blockIdx, blockDim, gridDim, warpSize: no variables, but what the special registers say.
#pragma once
// clang 19 knows that they are below 1024, and so makes a chain of tests of a loop from threadIdx.x on that runs a few times,
// where NVRTC and 14 unroll it with all loads first. A value that was a float's bits is any number.
#if __clang_major__ >= 19 && __has_builtin(__nvvm_bitcast_i2f)
#define __LABKIT_ANY(number) ((unsigned int)__nvvm_bitcast_f2i(__nvvm_bitcast_i2f((int)(number))))
#else
#define __LABKIT_ANY(number) number
#endif
#define __LABKIT_REGISTER(variable, special)                                                      \
  struct __labkit_##variable {                                                                    \
    __declspec(property(get = get_x)) unsigned int x;                                             \
    __declspec(property(get = get_y)) unsigned int y;                                             \
    __declspec(property(get = get_z)) unsigned int z;                                             \
    __attribute__((device, always_inline, nodebug)) static unsigned int get_x() {                 \
      return __LABKIT_ANY(__nvvm_read_ptx_sreg_##special##_x());                                  \
    }                                                                                             \
    __attribute__((device, always_inline, nodebug)) static unsigned int get_y() {                 \
      return __LABKIT_ANY(__nvvm_read_ptx_sreg_##special##_y());                                  \
    }                                                                                             \
    __attribute__((device, always_inline, nodebug)) static unsigned int get_z() {                 \
      return __LABKIT_ANY(__nvvm_read_ptx_sreg_##special##_z());                                  \
    }                                                                                             \
    __attribute__((device, always_inline, nodebug)) operator uint3() const {                      \
      return {get_x(), get_y(), get_z()};                                                         \
    }                                                                                             \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {                       \
      return dim3(get_x(), get_y(), get_z());                                                     \
    }                                                                                             \
    __labkit_##variable(const __labkit_##variable&) = delete;                                     \
    void operator=(const __labkit_##variable&) const = delete;                                    \
    __labkit_##variable* operator&() const = delete;                                              \
                                                                                                  \
   private:                                                                                       \
    __attribute__((device)) __labkit_##variable() = default;                                      \
  };                                                                                              \
  extern const __attribute__((device, weak)) __labkit_##variable variable;
__LABKIT_REGISTER(threadIdx, tid)
__LABKIT_REGISTER(blockIdx, ctaid)
__LABKIT_REGISTER(blockDim, ntid)
__LABKIT_REGISTER(gridDim, nctaid)
#undef __LABKIT_REGISTER
#undef __LABKIT_ANY
constexpr __attribute__((device)) int warpSize = 32;
