// Barriers, votes, shuffles, matches, fences, clocks, and what ends a launch.
#pragma once

// Not clang's own barriers: it takes them for functions that change no array in shared memory which is only used by its name, and
// moves loads of such arrays across them (14 and 19).
__LABKIT_FN void __labkit_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
// As a macro's argument: of what stands in a macro's body clang does not say that it has no effect.
#define __LABKIT_SAME(name) name
#define __syncthreads __LABKIT_SAME(__labkit_syncthreads)
__LABKIT_FN int __syncthreads_count(int predicate) {
  int result;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(result)
               : "r"(predicate)
               : "memory");
  return result;
}
#define __LABKIT_BARRIER(name, op)                                                                 \
  __LABKIT_FN int name(int predicate) {                                                           \
    int result;                                                                                   \
    asm volatile(                                                                                 \
        "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op                                    \
        ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                                                  \
        : "=r"(result)                                                                            \
        : "r"(predicate)                                                                          \
        : "memory");                                                                              \
    return result;                                                                                \
  }
__LABKIT_BARRIER(__syncthreads_and, "and")
__LABKIT_BARRIER(__syncthreads_or, "or")
#undef __LABKIT_BARRIER
__LABKIT_FN void __syncwarp(unsigned int mask = 0xffffffffu) {
  if (__builtin_constant_p(mask) && mask == 0xffffffffu) {
    asm volatile("bar.warp.sync -1;" ::: "memory");
    return;
  }
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
__LABKIT_FN void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
__LABKIT_FN void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
__LABKIT_FN void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
__LABKIT_FN void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }

__LABKIT_FN unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
__LABKIT_FN unsigned int __ballot_sync(unsigned int mask, int predicate) {
  unsigned int votes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(votes)
               : "r"(predicate), "r"(mask)
               : "memory");
  return votes;
}
#define __LABKIT_VOTE(name, kind)                                                                  \
  __LABKIT_FN int name(unsigned int mask, int predicate) {                                        \
    int result;                                                                                   \
    asm volatile(                                                                                 \
        "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." #kind                               \
        ".pred q, p, %2; selp.s32 %0, 1, 0, q; }"                                                 \
        : "=r"(result)                                                                            \
        : "r"(predicate), "r"(mask)                                                               \
        : "memory");                                                                              \
    return result;                                                                                \
  }
__LABKIT_VOTE(__all_sync, all)
__LABKIT_VOTE(__any_sync, any)
__LABKIT_VOTE(__uni_sync, uni)
#undef __LABKIT_VOTE

// The last operand: lanes of a part, and the lane beyond which none is read (PTX ISA, shfl.sync).
#define __LABKIT_SHUFFLE(name, kind, end, Lane)                                                    \
  __LABKIT_FN int name(unsigned int mask, int value, Lane lane, int width = 32) {                 \
    int result;                                                                                   \
    asm volatile("shfl.sync." #kind ".b32 %0, %1, %2, %3, %4;"                                    \
                 : "=r"(result)                                                                   \
                 : "r"(value), "r"(lane), "r"(((32 - width) << 8) | end), "r"(mask)               \
                 : "memory");                                                                     \
    return result;                                                                                \
  }                                                                                               \
  __LABKIT_FN unsigned int name(unsigned int mask, unsigned int value, Lane lane,                 \
                                int width = 32) {                                                 \
    return (unsigned int)name(mask, (int)value, lane, width);                                     \
  }                                                                                               \
  __LABKIT_FN float name(unsigned int mask, float value, Lane lane, int width = 32) {             \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), lane, width));    \
  }                                                                                               \
  __LABKIT_FN unsigned long long name(unsigned int mask, unsigned long long value, Lane lane,     \
                                      int width = 32) {                                           \
    const unsigned int low = name(mask, (unsigned int)value, lane, width);                        \
    const unsigned int high = name(mask, (unsigned int)(value >> 32), lane, width);               \
    return ((unsigned long long)high << 32) | low;                                                \
  }                                                                                               \
  __LABKIT_FN long long name(unsigned int mask, long long value, Lane lane, int width = 32) {     \
    return (long long)name(mask, (unsigned long long)value, lane, width);                         \
  }                                                                                               \
  __LABKIT_FN unsigned long name(unsigned int mask, unsigned long value, Lane lane,               \
                                 int width = 32) {                                                \
    return name(mask, (unsigned long long)value, lane, width);                                    \
  }                                                                                               \
  __LABKIT_FN long name(unsigned int mask, long value, Lane lane, int width = 32) {               \
    return (long)name(mask, (unsigned long long)value, lane, width);                              \
  }                                                                                               \
  __LABKIT_FN double name(unsigned int mask, double value, Lane lane, int width = 32) {           \
    return __builtin_bit_cast(                                                                    \
        double, name(mask, __builtin_bit_cast(unsigned long long, value), lane, width));          \
  }
__LABKIT_SHUFFLE(__shfl_sync, idx, 0x1f, int)
__LABKIT_SHUFFLE(__shfl_up_sync, up, 0, unsigned int)
__LABKIT_SHUFFLE(__shfl_down_sync, down, 0x1f, unsigned int)
__LABKIT_SHUFFLE(__shfl_xor_sync, bfly, 0x1f, int)
#undef __LABKIT_SHUFFLE

#define __LABKIT_MATCH(T, U, bits, letter)                                                         \
  __LABKIT_FN unsigned int __match_any_sync(unsigned int mask, T value) {                         \
    unsigned int lanes;                                                                           \
    asm volatile("match.any.sync." #bits " %0, %1, %2;"                                           \
                 : "=r"(lanes)                                                                    \
                 : letter(__builtin_bit_cast(U, value)), "r"(mask)                                \
                 : "memory");                                                                     \
    return lanes;                                                                                 \
  }                                                                                               \
  __LABKIT_FN unsigned int __match_all_sync(unsigned int mask, T value, int* all) {               \
    unsigned int lanes;                                                                           \
    int is_all;                                                                                   \
    asm volatile("{ .reg .pred p; match.all.sync." #bits                                          \
                 " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                                         \
                 : "=r"(lanes), "=r"(is_all)                                                      \
                 : letter(__builtin_bit_cast(U, value)), "r"(mask)                                \
                 : "memory");                                                                     \
    *all = is_all;                                                                                \
    return lanes;                                                                                 \
  }
__LABKIT_MATCH(int, unsigned int, b32, "r")
__LABKIT_MATCH(unsigned int, unsigned int, b32, "r")
__LABKIT_MATCH(float, unsigned int, b32, "r")
__LABKIT_MATCH(long, unsigned long long, b64, "l")
__LABKIT_MATCH(unsigned long, unsigned long long, b64, "l")
__LABKIT_MATCH(long long, unsigned long long, b64, "l")
__LABKIT_MATCH(unsigned long long, unsigned long long, b64, "l")
__LABKIT_MATCH(double, unsigned long long, b64, "l")
#undef __LABKIT_MATCH

#define __LABKIT_REDUCE(name, op, type, T)                                                         \
  __LABKIT_FN T name(unsigned int mask, T value) {                                                \
    T result;                                                                                     \
    asm volatile("redux.sync." #op "." #type " %0, %1, %2;"                                       \
                 : "=r"(result)                                                                   \
                 : "r"(value), "r"(mask)                                                          \
                 : "memory");                                                                     \
    return result;                                                                                \
  }
__LABKIT_REDUCE(__reduce_add_sync, add, s32, int)
__LABKIT_REDUCE(__reduce_add_sync, add, u32, unsigned int)
__LABKIT_REDUCE(__reduce_min_sync, min, s32, int)
__LABKIT_REDUCE(__reduce_min_sync, min, u32, unsigned int)
__LABKIT_REDUCE(__reduce_max_sync, max, s32, int)
__LABKIT_REDUCE(__reduce_max_sync, max, u32, unsigned int)
__LABKIT_REDUCE(__reduce_and_sync, and, b32, unsigned int)
__LABKIT_REDUCE(__reduce_or_sync, or, b32, unsigned int)
__LABKIT_REDUCE(__reduce_xor_sync, xor, b32, unsigned int)
#undef __LABKIT_REDUCE

__LABKIT_FN long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}
__LABKIT_FN long clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return ticks;
}
__LABKIT_FN unsigned long long __globaltimer() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

__LABKIT_FN void __trap() { asm volatile("trap;"); }
__LABKIT_FN void __brkpt() { asm volatile("brkpt;"); }
__LABKIT_FN void __prof_trigger(int) {}
extern "C" {
__device__ int printf(const char*, ...);
__device__ int vprintf(const char*, const char*);
__device__ __attribute__((noreturn)) void __assertfail(const char* message, const char* file,
                                                       unsigned int line, const char* function,
                                                       size_t char_bytes);
__device__ void* memcpy(void*, const void*, size_t);
__device__ void* memset(void*, int, size_t);
__device__ void* memmove(void*, const void*, size_t);
__device__ void* malloc(size_t);
__device__ void free(void*);
}
#ifdef LABKIT_WITH_HOST  // assert() is the C library's
#elif defined(NDEBUG)
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif
