// What NVRTC has built in, for clang: read before each source. No header of CUDA's is behind it; names and meanings are those of
// the CUDA C++ Programming Guide. All functions are inlined and have no lines of their own (nodebug), so that findings name the
// student's line.
#pragma once
#define __CUDACC__ 1
#ifndef LABKIT_WITH_HOST  // a whole program, whose host code has the C library's own
#define __CUDACC_RTC__ 1
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef LABKIT_WITH_HOST
#define __managed__ _Pragma("GCC error \"clang knows no __managed__ variables: use cudaMallocManaged(), or nvcc\"")
#else
#define __managed__ __attribute__((device))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#ifndef LABKIT_WITH_HOST  // libstdc++ has the word in attributes of its own; clang knows it from 15 on
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __restrict __restrict__
#define __nv_pure__ __attribute__((pure))

#define __LABKIT_FN static __inline__ __attribute__((device, always_inline, nodebug, unused))
#define __LABKIT_BIG static __inline__ __attribute__((device, nodebug, unused))
#define __LABKIT_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug, unused))
#ifdef LABKIT_WITH_HOST
#define __LABKIT_ABS __LABKIT_FN
#else
#define __LABKIT_ABS __LABKIT_BOTH
#endif

#define __LABKIT_BOTH_MEMBER __inline__ __attribute__((host, device, always_inline, nodebug))
#define __LABKIT_FN_MEMBER __inline__ __attribute__((device, always_inline, nodebug))

typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
typedef decltype(nullptr) nullptr_t;

#include <labkit_vectors.h>
#include <labkit_variables.h>
#include <labkit_warps.h>
#include <labkit_bits.h>
#include <labkit_memory.h>
#include <labkit_atomics.h>
#include <labkit_math_float.h>
#include <labkit_math_double.h>
#include <labkit_math.h>
