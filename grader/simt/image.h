// What a texture or surface object stands for: texels in device memory and how they are read. Plain data: the runtime of a whole
// program makes it (program/protocol.h).
#pragma once
#include <cstdint>

namespace labkit::simt {

struct Image {
  enum class Channel : std::uint32_t { as_signed, as_unsigned, as_float };
  enum class Outside : std::uint32_t { wrap, clamp, mirror, border };  ///< as CUDA numbers them

  std::uint64_t address = 0;  ///< of the first texel
  std::uint64_t width = 1, height = 1,
                depth = 1;                       ///< in texels; 1 where there is no such direction
  std::uint64_t row_bytes = 0, slice_bytes = 0;  ///< from one to the next
  Channel channel = Channel::as_float;
  std::uint32_t channel_bytes = 4, channels = 1;
  std::uint32_t is_surface = 0;
  // of a texture
  std::uint32_t is_linear = 0;  ///< memory of one direction: outside of it all texels are 0
  std::uint32_t is_filtered = 0, is_normalized = 0;  ///< is_normalized: coordinates run from 0 to 1
  std::uint32_t reads_fractions = 0;  ///< integers are read as floats from 0 or -1 to 1
  Outside outside[3] = {Outside::clamp, Outside::clamp, Outside::clamp};
  float border[4] = {};

  std::uint64_t texel_bytes() const { return std::uint64_t{channels} * channel_bytes; }
};

}  // namespace labkit::simt
