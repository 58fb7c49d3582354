// nvcuda::wmma: matrices that a warp holds together, by way of PTX's own instructions. f16, tf32, s8, u8 and f64; the
// accumulator that goes in has the type of the one that comes out.
#pragma once
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

/// As many elements as the registers of PTX hold.
template <typename T, int kElements, int kRegisters, typename R = unsigned>
struct __align__(8) __labkit_registers {
  enum { num_elements = kElements, num_storage_elements = kElements };
  union {
    T x[kElements];
    R r[kRegisters];
  };
};
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment;

template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
__LABKIT_FN void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}
__LABKIT_FN float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

// Operands of so many registers, and where those behind them begin.
#define __LABKIT_OUT1(c) c(f.r[0])
#define __LABKIT_OUT2(c) __LABKIT_OUT1(c), c(f.r[1])
#define __LABKIT_OUT4(c) __LABKIT_OUT2(c), c(f.r[2]), c(f.r[3])
#define __LABKIT_OUT8(c) __LABKIT_OUT4(c), c(f.r[4]), c(f.r[5]), c(f.r[6]), c(f.r[7])
#define __LABKIT_LIST1 "{%0}, [%1], %2;"
#define __LABKIT_LIST2 "{%0,%1}, [%2], %3;"
#define __LABKIT_LIST4 "{%0,%1,%2,%3}, [%4], %5;"
#define __LABKIT_LIST8 "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
#define __LABKIT_KEPT2 "[%2], {%0,%1}, %3;"
#define __LABKIT_KEPT4 "[%4], {%0,%1,%2,%3}, %5;"
#define __LABKIT_KEPT8 "[%8], {%0,%1,%2,%3,%4,%5,%6,%7}, %9;"
#define __LABKIT_WRITES_r(register) "=r"(register)
#define __LABKIT_WRITES_f(register) "=f"(register)
#define __LABKIT_WRITES_d(register) "=d"(register)
#define __LABKIT_READS_r(register) "r"(register)
#define __LABKIT_READS_f(register) "f"(register)
#define __LABKIT_READS_d(register) "d"(register)

/// One of A or B in both layouts: `P` what a pointer points at, `count` registers of class `c`.
#define __LABKIT_FACTOR(use, word, m, n, k, T, P, R, ptx, elements, count, c)              \
  template <typename Layout>                                                               \
  struct fragment<use, m, n, k, T, Layout> : __labkit_registers<P, elements, count, R> {}; \
  __LABKIT_FN void load_matrix_sync(fragment<use, m, n, k, T, row_major>& f, const P* p,   \
                                    unsigned pitch) {                                      \
    asm volatile("wmma.load." word ".sync.aligned.row.m" #m "n" #n "k" #k "." ptx          \
                 " " __LABKIT_LIST##count                                                  \
                 : __LABKIT_OUT##count(__LABKIT_WRITES_##c)                                \
                 : "l"(p), "r"(pitch)                                                      \
                 : "memory");                                                              \
  }                                                                                        \
  __LABKIT_FN void load_matrix_sync(fragment<use, m, n, k, T, col_major>& f, const P* p,   \
                                    unsigned pitch) {                                      \
    asm volatile("wmma.load." word ".sync.aligned.col.m" #m "n" #n "k" #k "." ptx          \
                 " " __LABKIT_LIST##count                                                  \
                 : __LABKIT_OUT##count(__LABKIT_WRITES_##c)                                \
                 : "l"(p), "r"(pitch)                                                      \
                 : "memory");                                                              \
  }
#define __LABKIT_SUM(m, n, k, T, R, ptx, elements, count, c)                                     \
  template <>                                                                                    \
  struct fragment<accumulator, m, n, k, T, void> : __labkit_registers<T, elements, count, R> {}; \
  __LABKIT_FN void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p,            \
                                    unsigned pitch, layout_t layout) {                           \
    if (layout == mem_row_major)                                                                 \
      asm volatile("wmma.load.c.sync.aligned.row.m" #m "n" #n "k" #k "." ptx                     \
                   " " __LABKIT_LIST##count                                                      \
                   : __LABKIT_OUT##count(__LABKIT_WRITES_##c)                                    \
                   : "l"(p), "r"(pitch)                                                          \
                   : "memory");                                                                  \
    else                                                                                         \
      asm volatile("wmma.load.c.sync.aligned.col.m" #m "n" #n "k" #k "." ptx                     \
                   " " __LABKIT_LIST##count                                                      \
                   : __LABKIT_OUT##count(__LABKIT_WRITES_##c)                                    \
                   : "l"(p), "r"(pitch)                                                          \
                   : "memory");                                                                  \
  }                                                                                              \
  __LABKIT_FN void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f,           \
                                     unsigned pitch, layout_t layout) {                          \
    if (layout == mem_row_major)                                                                 \
      asm volatile("wmma.store.d.sync.aligned.row.m" #m "n" #n "k" #k "." ptx                    \
                   " " __LABKIT_KEPT##count                                                      \
                   :                                                                             \
                   : __LABKIT_OUT##count(__LABKIT_READS_##c), "l"(p), "r"(pitch)                 \
                   : "memory");                                                                  \
    else                                                                                         \
      asm volatile("wmma.store.d.sync.aligned.col.m" #m "n" #n "k" #k "." ptx                    \
                   " " __LABKIT_KEPT##count                                                      \
                   :                                                                             \
                   : __LABKIT_OUT##count(__LABKIT_READS_##c), "l"(p), "r"(pitch)                 \
                   : "memory");                                                                  \
  }

// D = A * B + C: `list` has the operands, `as` and `bs` registers of A and B.
#define __LABKIT_IN1(f, c) c(f.r[0])
#define __LABKIT_IN2(f, c) __LABKIT_IN1(f, c), c(f.r[1])
#define __LABKIT_IN4(f, c) __LABKIT_IN2(f, c), c(f.r[2]), c(f.r[3])
#define __LABKIT_IN8(f, c) __LABKIT_IN4(f, c), c(f.r[4]), c(f.r[5]), c(f.r[6]), c(f.r[7])
#define __LABKIT_PRODUCT(m, n, k, T, S, types, list, sums, c, as, bs, ac, al, bl)              \
  __LABKIT_FN void mma_sync(fragment<accumulator, m, n, k, S>& d,                              \
                            const fragment<matrix_a, m, n, k, T, al##_major>& a,               \
                            const fragment<matrix_b, m, n, k, T, bl##_major>& b,               \
                            const fragment<accumulator, m, n, k, S>& before) {                 \
    asm volatile("wmma.mma.sync.aligned." #al "." #bl ".m" #m "n" #n "k" #k "." types " " list \
                 : __LABKIT_IN##sums(d, __LABKIT_WRITES_##c)                                   \
                 : __LABKIT_IN##as(a, __LABKIT_READS_##ac),                                    \
                   __LABKIT_IN##bs(b, __LABKIT_READS_##ac),                                    \
                   __LABKIT_IN##sums(before, __LABKIT_READS_##c));                             \
  }
#define __LABKIT_PRODUCTS(...)            \
  __LABKIT_PRODUCT(__VA_ARGS__, row, row) \
  __LABKIT_PRODUCT(__VA_ARGS__, row, col) \
  __LABKIT_PRODUCT(__VA_ARGS__, col, row) \
  __LABKIT_PRODUCT(__VA_ARGS__, col, col)

#define __LABKIT_EIGHT(a, b, c, d, e, f, g, h) \
  "{%" #a ",%" #b ",%" #c ",%" #d ",%" #e ",%" #f ",%" #g ",%" #h "}"
#define __LABKIT_FOUR(a, b, c, d) "{%" #a ",%" #b ",%" #c ",%" #d "}"
#define __LABKIT_0_7 __LABKIT_EIGHT(0, 1, 2, 3, 4, 5, 6, 7)

#define __LABKIT_HALVES(m, n)                                                                     \
  __LABKIT_FACTOR(matrix_a, "a", m, n, 16, __half, __half, unsigned, "f16", 16, 8, r)             \
  __LABKIT_FACTOR(matrix_b, "b", m, n, 16, __half, __half, unsigned, "f16", 16, 8, r)             \
  __LABKIT_SUM(m, n, 16, __half, unsigned, "f16", 8, 4, r)                                        \
  __LABKIT_SUM(m, n, 16, float, float, "f32", 8, 8, f)                                            \
  __LABKIT_PRODUCTS(                                                                              \
      m, n, 16, __half, float, "f32.f32",                                                         \
      __LABKIT_0_7 "," __LABKIT_EIGHT(8, 9, 10, 11, 12, 13, 14, 15) "," __LABKIT_EIGHT(           \
          16, 17, 18, 19, 20, 21, 22, 23) "," __LABKIT_EIGHT(24, 25, 26, 27, 28, 29, 30, 31) ";", \
      8, f, 8, 8, r)                                                                              \
  __LABKIT_PRODUCTS(                                                                              \
      m, n, 16, __half, __half, "f16.f16",                                                        \
      __LABKIT_FOUR(0, 1, 2, 3) "," __LABKIT_EIGHT(4, 5, 6, 7, 8, 9, 10, 11) "," __LABKIT_EIGHT(  \
          12, 13, 14, 15, 16, 17, 18, 19) "," __LABKIT_FOUR(20, 21, 22, 23) ";",                  \
      4, r, 8, 8, r)
__LABKIT_HALVES(16, 16)
__LABKIT_HALVES(32, 8)
__LABKIT_HALVES(8, 32)

#define __LABKIT_BYTES(m, n, T, ptx, as, bs, lists)                            \
  __LABKIT_FACTOR(matrix_a, "a", m, n, 16, T, T, unsigned, ptx, 4 * as, as, r) \
  __LABKIT_FACTOR(matrix_b, "b", m, n, 16, T, T, unsigned, ptx, 4 * bs, bs, r) \
  __LABKIT_PRODUCTS(m, n, 16, T, int, "s32." ptx "." ptx ".s32", lists, 8, r, as, bs, r)
#define __LABKIT_BYTES_OF(m, n, as, bs, lists)           \
  __LABKIT_SUM(m, n, 16, int, int, "s32", 8, 8, r)       \
  __LABKIT_BYTES(m, n, signed char, "s8", as, bs, lists) \
  __LABKIT_BYTES(m, n, unsigned char, "u8", as, bs, lists)
__LABKIT_BYTES_OF(16, 16, 2, 2,
                  __LABKIT_0_7
                  ",{%8,%9},{%10,%11}," __LABKIT_EIGHT(12, 13, 14, 15, 16, 17, 18, 19) ";")
__LABKIT_BYTES_OF(32, 8, 4, 1,
                  __LABKIT_0_7
                  "," __LABKIT_FOUR(8, 9, 10, 11) ",{%12}," __LABKIT_EIGHT(13, 14, 15, 16, 17, 18,
                                                                           19, 20) ";")
__LABKIT_BYTES_OF(8, 32, 1, 4,
                  __LABKIT_0_7
                  ",{%8}," __LABKIT_FOUR(9, 10, 11, 12) "," __LABKIT_EIGHT(13, 14, 15, 16, 17, 18,
                                                                           19, 20) ";")

__LABKIT_FACTOR(matrix_a, "a", 16, 16, 8, precision::tf32, float, unsigned, "tf32", 4, 4, r)
__LABKIT_FACTOR(matrix_b, "b", 16, 16, 8, precision::tf32, float, unsigned, "tf32", 4, 4, r)
__LABKIT_SUM(16, 16, 8, float, float, "f32", 8, 8, f)
__LABKIT_PRODUCTS(16, 16, 8, precision::tf32, float, "f32.tf32.tf32.f32",
                  __LABKIT_0_7 "," __LABKIT_FOUR(8, 9, 10, 11) "," __LABKIT_FOUR(
                      12, 13, 14, 15) "," __LABKIT_EIGHT(16, 17, 18, 19, 20, 21, 22, 23) ";",
                  8, f, 4, 4, r)

__LABKIT_FACTOR(matrix_a, "a", 8, 8, 4, double, double, double, "f64", 1, 1, d)
__LABKIT_FACTOR(matrix_b, "b", 8, 8, 4, double, double, double, "f64", 1, 1, d)
__LABKIT_SUM(8, 8, 4, double, double, "f64", 2, 2, d)
__LABKIT_PRODUCTS(8, 8, 4, double, double, "rn.f64.f64.f64.f64", "{%0,%1},{%2},{%3},{%4,%5};", 2, d,
                  1, 1, d)

}  // namespace wmma
}  // namespace nvcuda
