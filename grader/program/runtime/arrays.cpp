// Arrays for textures and surfaces, and copies to and from them.
#include "program/runtime/arrays.h"

#include <algorithm>
#include <string>

#include "program/runtime/copies.h"
#include "program/runtime/state.h"

namespace labkit::program {

const cudaArray* find_array(cudaArray_const_t array) {
  const auto& arrays = State::get().arrays;
  const auto at = arrays.find(array);
  return at == arrays.end() ? nullptr : at->second.get();
}

std::uint64_t texel_bytes_of(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  const auto channels =
      static_cast<std::uint64_t>(std::find(std::begin(bits), std::end(bits), 0) - std::begin(bits));
  const bool is_alike =
      std::all_of(bits, bits + channels, [&](int one) { return one == format.x; }) &&
      std::all_of(bits + channels, std::end(bits), [](int one) { return one == 0; });
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const bool is_known = format.f == cudaChannelFormatKindSigned ||
                        format.f == cudaChannelFormatKindUnsigned || is_float;
  if (!is_known || !is_alike || channels == 0 || channels == 3) return 0;
  if ((format.x != 8 || is_float) && format.x != 16 && format.x != 32) return 0;
  return channels * static_cast<std::uint64_t>(format.x) / 8;
}

namespace {

cudaError_t make(cudaArray_t* made, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                 unsigned flags, const std::string& name) {
  State& state = State::get();
  if (made == nullptr || format == nullptr) return cudaErrorInvalidValue;
  if (format->f > cudaChannelFormatKindNone)
    return state.unsupported((name + "() with a normalized or compressed format").c_str());
  constexpr unsigned kKnown = cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if ((flags & cudaArrayLayered) != 0)
    return state.unsupported((name + "() with cudaArrayLayered").c_str());
  if ((flags & cudaArrayCubemap) != 0)
    return state.unsupported((name + "() with cudaArrayCubemap").c_str());
  if ((flags & ~kKnown) != 0) return state.unsupported((name + "() with these flags").c_str());
  const auto array = std::make_shared<cudaArray>();
  *array = {
      .format = *format, .extent = extent, .flags = flags, .texel_bytes = texel_bytes_of(*format)};
  if (array->texel_bytes == 0) return cudaErrorInvalidChannelDescriptor;
  if (extent.width == 0 || (extent.height == 0 && extent.depth != 0)) return cudaErrorInvalidValue;
  void* address = nullptr;
  if (const auto error = state.allocate(array->bytes(), Kind::device, &address);
      error != cudaSuccess)
    return error;
  array->address = reinterpret_cast<std::uint64_t>(address);
  state.written({.address = array->address, .bytes = array->bytes()},
                "");  // nobody sees what surfaces write
  *made = array.get();
  state.arrays.emplace(array.get(), array);
  return cudaSuccess;
}

/// One side of a copy.
struct Place {
  void* address = nullptr;
  std::size_t pitch = 0, slice = 0;
};

/// Rows of an array from there on, of which the copy takes `width` bytes, `height` rows and `depth` slices.
cudaError_t place_in(cudaArray_const_t handle, const cudaPos& at_bytes, const Rows& rows,
                     Place* place) {
  const cudaArray* array = find_array(handle);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  const auto fits = [](std::uint64_t begin, std::uint64_t size, std::uint64_t all) {
    return begin <= all && size <= all - begin;
  };
  if (!fits(at_bytes.x, rows.width, array->row_bytes()) ||
      !fits(at_bytes.y, rows.height, array->rows()) ||
      !fits(at_bytes.z, rows.depth, array->slices()))
    return cudaErrorInvalidValue;
  *place = {reinterpret_cast<void*>(array->address + at_bytes.z * array->slice_bytes() +
                                    at_bytes.y * array->row_bytes() + at_bytes.x),
            array->row_bytes(), array->slice_bytes()};
  return cudaSuccess;
}

cudaError_t copy_rows(const Place& to, const Place& from, Rows rows, cudaMemcpyKind kind,
                      const char* name) {
  rows.to_pitch = to.pitch;
  rows.to_slice = to.slice;
  rows.from_pitch = from.pitch;
  rows.from_slice = from.slice;
  return copy(to.address, from.address, rows, kind, name);
}

cudaError_t to_array(cudaArray_t to, std::size_t x_bytes, std::size_t y, const void* from,
                     std::size_t pitch, const Rows& rows, cudaMemcpyKind kind, const char* name) {
  Place place;
  const auto error = place_in(to, {x_bytes, y, 0}, rows, &place);
  if (error != cudaSuccess) return error;
  return copy_rows(place, {const_cast<void*>(from), pitch}, rows, kind, name);
}
cudaError_t from_array(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x_bytes,
                       std::size_t y, const Rows& rows, cudaMemcpyKind kind, const char* name) {
  Place place;
  const auto error = place_in(from, {x_bytes, y, 0}, rows, &place);
  if (error != cudaSuccess) return error;
  return copy_rows({to, pitch}, place, rows, kind, name);
}

/// Bytes of an array as if its rows were one.
cudaError_t stretch_of(cudaArray_const_t handle, std::size_t x_bytes, std::size_t y,
                       std::size_t bytes, void** address) {
  const cudaArray* array = find_array(handle);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  const std::uint64_t begin = y * array->row_bytes() + x_bytes;
  if (begin > array->bytes() || bytes > array->bytes() - begin) return cudaErrorInvalidValue;
  *address = reinterpret_cast<void*>(array->address + begin);
  return cudaSuccess;
}

/// A side of cudaMemcpy3D(): an array, whose positions count texels, or memory, where they count bytes.
cudaError_t place_3d(cudaArray_const_t array, const cudaPitchedPtr& memory, cudaPos at,
                     const Rows& rows, Place* place) {
  if ((array != nullptr) == (memory.ptr != nullptr)) return cudaErrorInvalidValue;
  if (array != nullptr) {
    if (const cudaArray* known = find_array(array)) at.x *= known->texel_bytes;
    return place_in(array, at, rows, place);
  }
  const std::size_t slice = memory.pitch * memory.ysize;
  *place = {static_cast<std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x,
            memory.pitch, slice};
  return rows.depth > 1 && rows.height > memory.ysize ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* what, const char* name) {
  if (what == nullptr) return cudaErrorInvalidValue;
  Rows rows{
      .width = what->extent.width, .height = what->extent.height, .depth = what->extent.depth};
  if (rows.is_empty()) return cudaSuccess;
  const cudaArray* const to_array = find_array(what->dstArray);
  const cudaArray* const from_array = find_array(what->srcArray);
  if (const cudaArray* array = to_array != nullptr ? to_array : from_array)
    rows.width *= array->texel_bytes;
  if (to_array != nullptr && from_array != nullptr &&
      to_array->texel_bytes != from_array->texel_bytes)
    return cudaErrorInvalidValue;
  Place to, from;
  auto error = place_3d(what->dstArray, what->dstPtr, what->dstPos, rows, &to);
  if (error == cudaSuccess)
    error = place_3d(what->srcArray, what->srcPtr, what->srcPos, rows, &from);
  return error != cudaSuccess ? error : copy_rows(to, from, rows, what->kind, name);
}

}  // namespace
}  // namespace labkit::program

using namespace labkit::program;

#define CALL(name, waits) State::get().call(#name, Waits::waits, [&]() -> cudaError_t
extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return CALL(cudaMallocArray, no) {
    return make(array, format, {width, height, 0}, flags, "cudaMallocArray");
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return CALL(cudaMalloc3DArray, no) {
    return make(array, format, extent, flags, "cudaMalloc3DArray");
  });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return CALL(cudaFreeArray, yes) {
    if (array == nullptr) return cudaSuccess;
    const cudaArray* known = find_array(array);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    auto* const address = reinterpret_cast<void*>(known->address);
    State::get().arrays.erase(array);
    return State::get().release(address, false);
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return CALL(cudaArrayGetInfo, no) {
    const cudaArray* known = find_array(array);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = known->format;
    if (extent != nullptr) *extent = known->extent;
    if (flags != nullptr) *flags = known->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return CALL(cudaGetChannelDesc, no) {
    const cudaArray* known = find_array(array);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    if (format == nullptr) return cudaErrorInvalidValue;
    *format = known->format;
    return cudaSuccess;
  });
}

#define COPIES_2D(name, waits, ...)                                                                \
  cudaError_t cudaMemcpy2DToArray##name(cudaArray_t to, size_t x_bytes, size_t y,                  \
                                        const void* from, size_t pitch, size_t width,              \
                                        size_t height, cudaMemcpyKind kind __VA_ARGS__) {          \
    return CALL(cudaMemcpy2DToArray##name, waits) {                                                \
      return to_array(to, x_bytes, y, from, pitch, {.width = width, .height = height}, kind,       \
                      "cudaMemcpy2DToArray" #name);                                                \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaMemcpy2DFromArray##name(void* to, size_t pitch, cudaArray_const_t from,          \
                                          size_t x_bytes, size_t y, size_t width, size_t height,   \
                                          cudaMemcpyKind kind __VA_ARGS__) {                       \
    return CALL(cudaMemcpy2DFromArray##name, waits) {                                              \
      return from_array(to, pitch, from, x_bytes, y, {.width = width, .height = height}, kind,     \
                        "cudaMemcpy2DFromArray" #name);                                            \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaMemcpyToArray##name(cudaArray_t to, size_t x_bytes, size_t y, const void* from,  \
                                      size_t bytes, cudaMemcpyKind kind __VA_ARGS__) {             \
    return CALL(cudaMemcpyToArray##name, waits) {                                                  \
      void* place = nullptr;                                                                       \
      const auto error = stretch_of(to, x_bytes, y, bytes, &place);                                \
      return error != cudaSuccess                                                                  \
                 ? error                                                                           \
                 : copy(place, from, {.width = bytes}, kind, "cudaMemcpyToArray" #name);           \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaMemcpyFromArray##name(void* to, cudaArray_const_t from, size_t x_bytes,          \
                                        size_t y, size_t bytes, cudaMemcpyKind kind __VA_ARGS__) { \
    return CALL(cudaMemcpyFromArray##name, waits) {                                                \
      void* place = nullptr;                                                                       \
      const auto error = stretch_of(from, x_bytes, y, bytes, &place);                              \
      return error != cudaSuccess                                                                  \
                 ? error                                                                           \
                 : copy(to, place, {.width = bytes}, kind, "cudaMemcpyFromArray" #name);           \
    });                                                                                            \
  }                                                                                                \
  cudaError_t cudaMemcpy3D##name(const cudaMemcpy3DParms* what __VA_ARGS__) {                      \
    return CALL(cudaMemcpy3D##name, waits) { return copy_3d(what, "cudaMemcpy3D" #name); });       \
  }
COPIES_2D(, yes)
COPIES_2D(Async, no, , cudaStream_t)
#undef COPIES_2D

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x_bytes, size_t to_y,
                                     cudaArray_const_t from, size_t from_x_bytes, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return CALL(cudaMemcpy2DArrayToArray, yes) {
    const Rows rows{.width = width, .height = height};
    Place place;
    const auto error = place_in(from, {from_x_bytes, from_y, 0}, rows, &place);
    if (error != cudaSuccess) return error;
    return to_array(to, to_x_bytes, to_y, place.address, place.pitch, rows, kind,
                    "cudaMemcpy2DArrayToArray");
  });
}

}  // extern "C"
