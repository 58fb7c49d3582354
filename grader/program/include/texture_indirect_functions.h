// Textures and surfaces by their objects, in device code and its host: what NVIDIA's compiler has built in, for clang.
#pragma once
#include <cuda_runtime_api.h>

// The types that a texel may be read as: by their component, the name of their vectors, and the word that the instruction gives.
#define __LABKIT_TEXEL_TYPES(TYPES)                                      \
  TYPES(char, char, int, cudaChannelFormatKindSigned)                    \
  TYPES(short, short, int, cudaChannelFormatKindSigned)                  \
  TYPES(int, int, int, cudaChannelFormatKindSigned)                      \
  TYPES(unsigned char, uchar, unsigned, cudaChannelFormatKindUnsigned)   \
  TYPES(unsigned short, ushort, unsigned, cudaChannelFormatKindUnsigned) \
  TYPES(unsigned, uint, unsigned, cudaChannelFormatKindUnsigned)         \
  TYPES(float, float, float, cudaChannelFormatKindFloat)

template <typename T>
struct __labkit_texel;
template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc();
#define __LABKIT_TEXEL(T, W, channels, format, ...)                                          \
  template <>                                                                                \
  struct __labkit_texel<T> {                                                                 \
    typedef W word;                                                                          \
    static __attribute__((device, always_inline, nodebug)) T of(W x, W y, W z, W w) {        \
      return __VA_ARGS__;                                                                    \
    }                                                                                        \
  };                                                                                         \
  template <>                                                                                \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                                  \
    constexpr int bits = 8 * sizeof(T) / channels;                                           \
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, \
            format};                                                                         \
  }
#define __LABKIT_TEXELS(T, V, W, format)                           \
  __LABKIT_TEXEL(T, W, 1, format, (T)x)                            \
  __LABKIT_TEXEL(V##1, W, 1, format, V##1 {(decltype(V##1 ::x))x}) \
  __LABKIT_TEXEL(V##2, W, 2, format, make_##V##2(x, y))            \
  __LABKIT_TEXEL(V##4, W, 4, format, make_##V##4(x, y, z, w))
__LABKIT_TEXEL_TYPES(__LABKIT_TEXELS)
__LABKIT_TEXEL(signed char, int, 1, cudaChannelFormatKindSigned, (signed char)x)
#undef __LABKIT_TEXELS
#undef __LABKIT_TEXEL
#undef __LABKIT_TEXEL_TYPES

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#define __LABKIT_LIST(...) __VA_ARGS__

// tex and tld4 give four words.
#define __LABKIT_FETCH(name, instruction, W, letter, at, parameters, places)                       \
  __LABKIT_FN void name(W& x, W& y, W& z, W& w, cudaTextureObject_t t, __LABKIT_LIST parameters) { \
    asm(instruction " {%0, %1, %2, %3}, [%4, " at "];"                                             \
        : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)                               \
        : "l"(t), __LABKIT_LIST places);                                                           \
  }
#define __LABKIT_GATHER(number, channel, type, W, letter)                                    \
  __LABKIT_FETCH(__labkit_gather_##number, "tld4." channel ".2d.v4." type ".f32", W, letter, \
                 "{%5, %6}", (float a, float b), ("f"(a), "f"(b)))
#define __LABKIT_FETCHES(type, W, letter)                                                        \
  __LABKIT_FETCH(__labkit_fetch, "tex.1d.v4." type ".s32", W, letter, "{%5}", (int a), ("r"(a))) \
  __LABKIT_FETCH(__labkit_tex, "tex.1d.v4." type ".f32", W, letter, "{%5}", (float a), ("f"(a))) \
  __LABKIT_FETCH(__labkit_tex, "tex.2d.v4." type ".f32", W, letter, "{%5, %6}",                  \
                 (float a, float b), ("f"(a), "f"(b)))                                           \
  __LABKIT_FETCH(__labkit_tex, "tex.3d.v4." type ".f32", W, letter, "{%5, %6, %7, %7}",          \
                 (float a, float b, float c), ("f"(a), "f"(b), "f"(c)))                          \
  __LABKIT_GATHER(0, "r", type, W, letter)                                                       \
  __LABKIT_GATHER(1, "g", type, W, letter)                                                       \
  __LABKIT_GATHER(2, "b", type, W, letter)                                                       \
  __LABKIT_GATHER(3, "a", type, W, letter)
__LABKIT_FETCHES("f32", float, "f")
__LABKIT_FETCHES("s32", int, "r")
__LABKIT_FETCHES("u32", unsigned, "r")
#undef __LABKIT_FETCHES
#undef __LABKIT_GATHER
#undef __LABKIT_FETCH

#define __LABKIT_TEXTURE(name, function, parameters, ...) \
  template <typename T>                                   \
  __LABKIT_FN T name parameters {                         \
    typename __labkit_texel<T>::word a, b, c, d;          \
    function(a, b, c, d, object, __VA_ARGS__);            \
    return __labkit_texel<T>::of(a, b, c, d);             \
  }
__LABKIT_TEXTURE(tex1Dfetch, __labkit_fetch, (cudaTextureObject_t object, int x), x)
__LABKIT_TEXTURE(tex1D, __labkit_tex, (cudaTextureObject_t object, float x), x)
__LABKIT_TEXTURE(tex2D, __labkit_tex, (cudaTextureObject_t object, float x, float y), x, y)
__LABKIT_TEXTURE(tex3D, __labkit_tex, (cudaTextureObject_t object, float x, float y, float z), x, y,
                 z)
#undef __LABKIT_TEXTURE
template <typename T>
__LABKIT_FN T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  typename __labkit_texel<T>::word a, b, c, d;
  if (component == 0)
    __labkit_gather_0(a, b, c, d, object, x, y);
  else if (component == 1)
    __labkit_gather_1(a, b, c, d, object, x, y);
  else if (component == 2)
    __labkit_gather_2(a, b, c, d, object, x, y);
  else
    __labkit_gather_3(a, b, c, d, object, x, y);
  return __labkit_texel<T>::of(a, b, c, d);
}
template <typename T>
__LABKIT_FN void tex1Dfetch(T* to, cudaTextureObject_t object, int x) {
  *to = tex1Dfetch<T>(object, x);
}
template <typename T>
__LABKIT_FN void tex1D(T* to, cudaTextureObject_t object, float x) {
  *to = tex1D<T>(object, x);
}
template <typename T>
__LABKIT_FN void tex2D(T* to, cudaTextureObject_t object, float x, float y) {
  *to = tex2D<T>(object, x, y);
}
template <typename T>
__LABKIT_FN void tex3D(T* to, cudaTextureObject_t object, float x, float y, float z) {
  *to = tex3D<T>(object, x, y, z);
}

// suld and sust move 1, 2, 4, 8 or 16 bytes.
template <unsigned bytes>
struct __labkit_surface_data {
  unsigned a, b, c, d;
};
template <>
struct __labkit_surface_data<1> {
  unsigned short a;
};
template <>
struct __labkit_surface_data<2> {
  unsigned short a;
};
template <>
struct __labkit_surface_data<4> {
  unsigned a;
};
template <>
struct __labkit_surface_data<8> {
  unsigned a, b;
};
#define __LABKIT_ACCESS(mode, bytes, type, data, to, from, shape, at, parameters, places)       \
  __LABKIT_FN void __labkit_read_##mode(__labkit_surface_data<bytes>& v, cudaSurfaceObject_t s, \
                                        __LABKIT_LIST parameters) {                             \
    asm volatile("suld.b." shape "." type "." #mode " " data ", [%[s], " at "];"                \
                 : __LABKIT_LIST to                                                             \
                 : [s] "l"(s), __LABKIT_LIST places                                             \
                 : "memory");                                                                   \
  }                                                                                             \
  __LABKIT_FN void __labkit_write_##mode(const __labkit_surface_data<bytes>& v,                 \
                                         cudaSurfaceObject_t s, __LABKIT_LIST parameters) {     \
    asm volatile("sust.b." shape "." type "." #mode " [%[s], " at "], " data ";" ::[s] "l"(s),  \
                 __LABKIT_LIST from, __LABKIT_LIST places                                       \
                 : "memory");                                                                   \
  }
#define __LABKIT_ACCESS_OF(mode, bytes, type, data, to, from)                               \
  __LABKIT_ACCESS(mode, bytes, type, data, to, from, "1d", "{%[x]}", (int x), ([x] "r"(x))) \
  __LABKIT_ACCESS(mode, bytes, type, data, to, from, "2d", "{%[x], %[y]}", (int x, int y),  \
                  ([x] "r"(x), [y] "r"(y)))                                                 \
  __LABKIT_ACCESS(mode, bytes, type, data, to, from, "3d", "{%[x], %[y], %[z], %[z]}",      \
                  (int x, int y, int z), ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
#define __LABKIT_ACCESSES(mode)                                                         \
  __LABKIT_ACCESS_OF(mode, 1, "b8", "{%[a]}", ([a] "=h"(v.a)), ([a] "h"(v.a)))          \
  __LABKIT_ACCESS_OF(mode, 2, "b16", "{%[a]}", ([a] "=h"(v.a)), ([a] "h"(v.a)))         \
  __LABKIT_ACCESS_OF(mode, 4, "b32", "{%[a]}", ([a] "=r"(v.a)), ([a] "r"(v.a)))         \
  __LABKIT_ACCESS_OF(mode, 8, "v2.b32", "{%[a], %[b]}", ([a] "=r"(v.a), [b] "=r"(v.b)), \
                     ([a] "r"(v.a), [b] "r"(v.b)))                                      \
  __LABKIT_ACCESS_OF(mode, 16, "v4.b32", "{%[a], %[b], %[c], %[d]}",                    \
                     ([a] "=r"(v.a), [b] "=r"(v.b), [c] "=r"(v.c), [d] "=r"(v.d)),      \
                     ([a] "r"(v.a), [b] "r"(v.b), [c] "r"(v.c), [d] "r"(v.d)))
__LABKIT_ACCESSES(trap)
__LABKIT_ACCESSES(clamp)
__LABKIT_ACCESSES(zero)
#undef __LABKIT_ACCESSES
#undef __LABKIT_ACCESS_OF
#undef __LABKIT_ACCESS

#define __LABKIT_SURFACE(name, parameters, ...)                                          \
  template <typename T>                                                                  \
  __LABKIT_FN void name##read(T* to, cudaSurfaceObject_t s, __LABKIT_LIST parameters,    \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    __labkit_surface_data<sizeof(T)> v;                                                  \
    if (mode == cudaBoundaryModeTrap)                                                    \
      __labkit_read_trap(v, s, __VA_ARGS__);                                             \
    else if (mode == cudaBoundaryModeClamp)                                              \
      __labkit_read_clamp(v, s, __VA_ARGS__);                                            \
    else                                                                                 \
      __labkit_read_zero(v, s, __VA_ARGS__);                                             \
    __builtin_memcpy(to, &v, sizeof(T));                                                 \
  }                                                                                      \
  template <typename T>                                                                  \
  __LABKIT_FN T name##read(cudaSurfaceObject_t s, __LABKIT_LIST parameters,              \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    T value;                                                                             \
    name##read(&value, s, __VA_ARGS__, mode);                                            \
    return value;                                                                        \
  }                                                                                      \
  template <typename T>                                                                  \
  __LABKIT_FN void name##write(T value, cudaSurfaceObject_t s, __LABKIT_LIST parameters, \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
    __labkit_surface_data<sizeof(T)> v = {};                                             \
    __builtin_memcpy(&v, &value, sizeof(T));                                             \
    if (mode == cudaBoundaryModeTrap)                                                    \
      __labkit_write_trap(v, s, __VA_ARGS__);                                            \
    else if (mode == cudaBoundaryModeClamp)                                              \
      __labkit_write_clamp(v, s, __VA_ARGS__);                                           \
    else                                                                                 \
      __labkit_write_zero(v, s, __VA_ARGS__);                                            \
  }
__LABKIT_SURFACE(surf1D, (int x), x)
__LABKIT_SURFACE(surf2D, (int x, int y), x, y)
__LABKIT_SURFACE(surf3D, (int x, int y, int z), x, y, z)
#undef __LABKIT_SURFACE
#undef __LABKIT_LIST
