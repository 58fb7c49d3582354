// Texture and surface objects: what a program describes, as the simulator reads it (simt/image.h).
#include <algorithm>

#include "program/runtime/arrays.h"
#include "program/runtime/state.h"

namespace labkit::program {

struct ImageObject {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  bool is_surface = false;
};

namespace {

using simt::Image;

/// As an H200 has them (cudaDeviceProp).
constexpr std::uint64_t kTextureAlignment = 512, kPitchAlignment = 32;

cudaError_t set_format(const cudaChannelFormatDesc& format, Image* image) {
  const std::uint64_t bytes = texel_bytes_of(format);
  if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
  image->channel = static_cast<Image::Channel>(format.f);
  image->channel_bytes = static_cast<std::uint32_t>(format.x) / 8;
  image->channels = static_cast<std::uint32_t>(bytes / image->channel_bytes);
  return cudaSuccess;
}

/// Where the texels lie.
cudaError_t set_resource(const cudaResourceDesc& resource, Image* image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* array = find_array(resource.res.array.array);
      if (array == nullptr) return cudaErrorInvalidResourceHandle;
      image->address = array->address;
      image->width = array->extent.width;
      image->height = array->rows();
      image->depth = array->slices();
      image->row_bytes = array->row_bytes();
      image->slice_bytes = array->slice_bytes();
      return set_format(array->format, image);
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      image->address = reinterpret_cast<std::uint64_t>(linear.devPtr);
      image->is_linear = 1;
      if (const auto error = set_format(linear.desc, image); error != cudaSuccess) return error;
      image->width = linear.sizeInBytes / image->texel_bytes();
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      image->address = reinterpret_cast<std::uint64_t>(rows.devPtr);
      image->width = rows.width;
      image->height = rows.height;
      image->row_bytes = rows.pitchInBytes;
      if (const auto error = set_format(rows.desc, image); error != cudaSuccess) return error;
      if (rows.pitchInBytes % kPitchAlignment != 0 ||
          rows.pitchInBytes < rows.width * image->texel_bytes())
        return cudaErrorInvalidValue;
      break;
    }
    default:
      return State::get().unsupported("mipmapped array");
  }
  const bool is_there = image->width != 0 && image->height != 0 &&
                        State::get().piece_of(reinterpret_cast<void*>(image->address)) != nullptr;
  return is_there && image->address % kTextureAlignment == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t set_reading(const cudaTextureDesc& texture, Image* image) {
  State& state = State::get();
  const bool is_float = image->channel == Image::Channel::as_float;
  const bool wants_fractions = texture.readMode == cudaReadModeNormalizedFloat && !is_float;
  if (wants_fractions && image->channel_bytes == 4) return cudaErrorInvalidNormSetting;
  image->reads_fractions = wants_fractions ? 1 : 0;
  image->is_filtered = texture.filterMode == cudaFilterModeLinear ? 1 : 0;
  if (image->is_filtered != 0 && !is_float && !wants_fractions)
    return cudaErrorInvalidFilterSetting;
  image->is_normalized = texture.normalizedCoords != 0 ? 1 : 0;
  if (texture.sRGB != 0) return state.unsupported("texture with sRGB conversion");
  for (int d = 0; d < 3; ++d) {
    if (texture.addressMode[d] > cudaAddressModeBorder) return cudaErrorInvalidValue;
    image->outside[d] = static_cast<Image::Outside>(texture.addressMode[d]);
  }
  const bool has_border =
      std::any_of(texture.borderColor, texture.borderColor + 4, [](float one) { return one != 0; });
  if (has_border && !is_float && !wants_fractions)
    return state.unsupported("border colour of integers");
  std::copy_n(texture.borderColor, 4, image->border);
  return cudaSuccess;
}

cudaError_t make(const Image& image, const ImageObject& object, std::uint64_t* handle) {
  State& state = State::get();
  *handle = state.channel.ask(Op::image, {bytes_of(ImageRequest{image})}).get<ImageReply>().handle;
  state.images.emplace(*handle, std::make_shared<const ImageObject>(object));
  return cudaSuccess;
}

const ImageObject* find(std::uint64_t handle, bool is_surface) {
  const auto& images = State::get().images;
  const auto at = images.find(handle);
  return at == images.end() || at->second->is_surface != is_surface ? nullptr : at->second.get();
}

cudaError_t destroy(std::uint64_t handle, bool is_surface) {
  State& state = State::get();
  if (handle == 0) return cudaSuccess;
  if (find(handle, is_surface) == nullptr) return cudaErrorInvalidValue;
  state.images.erase(handle);
  return static_cast<cudaError_t>(
      state.channel.ask(Op::no_image, {bytes_of(ImageReply{handle})}).error);
}

}  // namespace
}  // namespace labkit::program

using namespace labkit::program;

#define CALL(name, waits) State::get().call(#name, Waits::waits, [&]() -> cudaError_t
extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* made, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return CALL(cudaCreateTextureObject, no) {
    if (made == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
    if (view != nullptr) return State::get().unsupported("resource view of a texture");
    labkit::simt::Image image;
    if (const auto error = set_resource(*resource, &image); error != cudaSuccess) return error;
    if (const auto error = set_reading(*texture, &image); error != cudaSuccess) return error;
    std::uint64_t handle = 0;
    const auto error = make(image, {*resource, *texture, false}, &handle);
    *made = handle;
    return error;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* made, const cudaResourceDesc* resource) {
  return CALL(cudaCreateSurfaceObject, no) {
    if (made == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    labkit::simt::Image image;
    if (const auto error = set_resource(*resource, &image); error != cudaSuccess) return error;
    if ((find_array(resource->res.array.array)->flags & cudaArraySurfaceLoadStore) == 0)
      return cudaErrorInvalidValue;
    image.is_surface = 1;
    std::uint64_t handle = 0;
    const auto error = make(image, {*resource, {}, true}, &handle);
    *made = handle;
    return error;
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return CALL(cudaDestroyTextureObject, no) { return destroy(object, false); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return CALL(cudaDestroySurfaceObject, no) { return destroy(object, true); });
}

#define DESCRIBE(name, type, member, is_surface)                           \
  cudaError_t name(type* to, unsigned long long object) {                  \
    return CALL(name, no) {                                                \
      const ImageObject* known = find(object, is_surface);                 \
      if (known == nullptr || to == nullptr) return cudaErrorInvalidValue; \
      *to = known->member;                                                 \
      return cudaSuccess;                                                  \
    });                                                                    \
  }
DESCRIBE(cudaGetTextureObjectResourceDesc, cudaResourceDesc, resource, false)
DESCRIBE(cudaGetTextureObjectTextureDesc, cudaTextureDesc, texture, false)
DESCRIBE(cudaGetSurfaceObjectResourceDesc, cudaResourceDesc, resource, true)
#undef DESCRIBE

}  // extern "C"
