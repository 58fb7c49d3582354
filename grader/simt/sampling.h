// Which texels a texture fetch reads, and what it makes of them: CUDA C++ Programming Guide, appendix "Texture Fetching".
// Internal to the room.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "simt/image.h"

namespace labkit::simt {

/// A texel of a fetch. One that lies outside has the border's colour.
struct Tap {
  std::uint64_t address;
  bool is_border;
  double weight;
};
/// At most 2 in each direction.
struct Taps {
  std::array<Tap, 8> all;  // whose first `count` are set: they are made for each lane of each fetch
  std::uint32_t count = 0;
  void add(const Tap& tap) { all[count++] = tap; }
};

/// `coordinates` x, y, z, as many as the instruction has. `is_integer`: they are texels, of which none is blended.
Taps taps_of(const Image& image, std::span<const double> coordinates, bool is_integer);
/// The four texels that bilinear filtering would blend, counterclockwise from the lower left (PTX ISA, tld4).
Taps gathered(const Image& image, double x, double y);

/// Channel 0 to 3 of the texels together, as 32 bits; `texels`: where each tap's lies, null for a border's.
std::uint32_t sampled(const Image& image, const Taps& taps,
                      std::span<const std::byte* const> texels, std::uint32_t channel);

}  // namespace labkit::simt
