// What CUDA declares for device code, so far as the labs use it: for editors alone. Nothing here is compiled when a lab is
// graded; NVRTC has its own.
#pragma once

#define __CUDACC_RTC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

// ---- vectors: struct float4 { float x, y, z, w; } and make_float4(), for each element type

#define LABKIT_VECTORS(type, name, align2, align4)                                                \
  struct name##1 {                                                                                \
    type x;                                                                                       \
  };                                                                                              \
  struct __align__(align2) name##2 {                                                              \
    type x, y;                                                                                    \
  };                                                                                              \
  struct name##3 {                                                                                \
    type x, y, z;                                                                                 \
  };                                                                                              \
  struct __align__(align4) name##4 {                                                              \
    type x, y, z, w;                                                                              \
  };                                                                                              \
  __host__ __device__ inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  __host__ __device__ inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  __host__ __device__ inline name##4 make_##name##4(type x, type y, type z, type w) {             \
    return {x, y, z, w};                                                                          \
  }
LABKIT_VECTORS(char, char, 2, 4)
LABKIT_VECTORS(unsigned char, uchar, 2, 4)
LABKIT_VECTORS(short, short, 4, 8)
LABKIT_VECTORS(unsigned short, ushort, 4, 8)
LABKIT_VECTORS(int, int, 8, 16)
LABKIT_VECTORS(unsigned, uint, 8, 16)
LABKIT_VECTORS(long long, longlong, 16, 16)
LABKIT_VECTORS(unsigned long long, ulonglong, 16, 16)
LABKIT_VECTORS(float, float, 8, 16)
LABKIT_VECTORS(double, double, 16, 16)
#undef LABKIT_VECTORS

// ---- who a thread is

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;

// ---- barriers and fences

__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();

// ---- between the lanes of a warp

__device__ unsigned __activemask();
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
template <typename T>
__device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <typename T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <typename T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
template <typename T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32);
template <typename T>
__device__ unsigned __match_any_sync(unsigned mask, T value);
template <typename T>
__device__ unsigned __match_all_sync(unsigned mask, T value, int* all);
template <typename T>
__device__ T __reduce_add_sync(unsigned mask, T value);

// ---- memory

template <typename T>
__device__ T __ldg(const T* address);
template <typename T>
__device__ T __ldcg(const T* address);
template <typename T>
__device__ T __ldcs(const T* address);
template <typename T>
__device__ void __stcg(T* address, T value);
template <typename T>
__device__ void __stcs(T* address, T value);
/// The address decides the type: `atomicAdd(&count, 1)` of an unsigned count.
template <typename T>
struct LabkitTypeOf {
  using Type = T;
};
template <typename T>
using LabkitSame = typename LabkitTypeOf<T>::Type;
template <typename T>
__device__ T atomicAdd(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicOr(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicAnd(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicXor(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicSub(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicMin(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicMax(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicExch(T* address, LabkitSame<T> value);
template <typename T>
__device__ T atomicCAS(T* address, LabkitSame<T> compare, LabkitSame<T> value);
__device__ unsigned atomicInc(unsigned* address, unsigned most);
__device__ unsigned atomicDec(unsigned* address, unsigned most);
__device__ void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes,
                                        size_t zero_fill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t n);
__device__ size_t __cvta_generic_to_shared(const void* address);

// ---- arithmetic

#define LABKIT_FUNCTION(name)                                \
  __host__ __device__ double name(double);                   \
  __host__ __device__ inline float name(float x) {           \
    return static_cast<float>(name(static_cast<double>(x))); \
  }                                                          \
  __host__ __device__ float name##f(float);
LABKIT_FUNCTION(sqrt)
LABKIT_FUNCTION(rsqrt)
LABKIT_FUNCTION(fabs)
LABKIT_FUNCTION(floor)
LABKIT_FUNCTION(ceil)
LABKIT_FUNCTION(round)
LABKIT_FUNCTION(exp)
LABKIT_FUNCTION(log)
LABKIT_FUNCTION(sin)
LABKIT_FUNCTION(cos)
#undef LABKIT_FUNCTION
__host__ __device__ double pow(double, double);
__host__ __device__ float powf(float, float);
__host__ __device__ double fma(double, double, double);
__host__ __device__ float fmaf(float, float, float);
__host__ __device__ double fmin(double, double);
__host__ __device__ double fmax(double, double);
__host__ __device__ float fminf(float, float);
__host__ __device__ float fmaxf(float, float);
template <typename T>
__host__ __device__ constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
__host__ __device__ constexpr T max(T a, T b) {
  return a < b ? b : a;
}
__host__ __device__ constexpr unsigned min(int a, unsigned b) {
  return min(static_cast<unsigned>(a), b);
}
__host__ __device__ constexpr unsigned min(unsigned a, int b) {
  return min(a, static_cast<unsigned>(b));
}
__host__ __device__ constexpr unsigned max(int a, unsigned b) {
  return max(static_cast<unsigned>(a), b);
}
__host__ __device__ constexpr unsigned max(unsigned a, int b) {
  return max(a, static_cast<unsigned>(b));
}
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __umul24(unsigned, unsigned);
__device__ int __mul24(int, int);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
__device__ double __hiloint2double(int, int);
__device__ double ldexp(double, int);
__device__ float ldexpf(float, int);
__device__ int __ffs(int);
__device__ int __clz(int);
__host__ __device__ int abs(int);

extern "C" __host__ __device__ int printf(const char*, ...);
__device__ void __trap();
__device__ long long clock64();
#ifndef assert
#define assert(condition) ((condition) ? void() : __trap())
#endif
