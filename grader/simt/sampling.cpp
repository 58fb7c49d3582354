#include "simt/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "simt/host_half.h"

namespace labkit::simt {
namespace {

/// Weights have 8 bits behind the point.
constexpr double kSteps = 256;
/// Coordinates beyond are as good as infinite.
constexpr double kFar = 1ull << 40;

std::int64_t remainder_of(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

/// Texels in one direction, -1 outside of it, and their weights.
struct Along {
  std::int64_t texel[2] = {0, 0};
  double weight[2] = {1, 0};
  std::uint32_t count = 1;
};

std::uint64_t size_of(const Image& image, std::size_t direction) {
  return direction == 0 ? image.width : direction == 1 ? image.height : image.depth;
}

std::int64_t inside(const Image& image, std::size_t direction, std::int64_t texel,
                    bool is_integer) {
  const auto n = static_cast<std::int64_t>(size_of(image, direction));
  if (texel >= 0 && texel < n) return texel;
  if (image.is_linear) return -1;
  Image::Outside outside = image.outside[direction];
  const bool may_repeat = image.is_normalized && !is_integer;
  if (outside == Image::Outside::border) return -1;
  if (outside == Image::Outside::wrap && may_repeat) return remainder_of(texel, n);
  if (outside == Image::Outside::mirror && may_repeat) {
    const std::int64_t in_two = remainder_of(texel, 2 * n);
    return in_two < n ? in_two : 2 * n - 1 - in_two;
  }
  return std::clamp<std::int64_t>(texel, 0, n - 1);
}

/// In texels; no number is 0.
double place_of(const Image& image, std::size_t direction, double coordinate, bool is_integer) {
  if (std::isnan(coordinate)) return 0;
  if (image.is_normalized && !is_integer)
    coordinate *= static_cast<double>(size_of(image, direction));
  return std::clamp(coordinate, -kFar, kFar);
}

Along nearest(const Image& image, std::size_t direction, double coordinate, bool is_integer) {
  Along along;
  const double place = place_of(image, direction, coordinate, is_integer);
  along.texel[0] =
      inside(image, direction, static_cast<std::int64_t>(std::floor(place)), is_integer);
  return along;
}

Along blended(const Image& image, std::size_t direction, double coordinate) {
  const double place = place_of(image, direction, coordinate, false) - 0.5;
  const auto first = static_cast<std::int64_t>(std::floor(place));
  const double part = std::nearbyint((place - std::floor(place)) * kSteps) / kSteps;
  Along along;
  along.count = 2;
  for (std::int64_t k = 0; k < 2; ++k) along.texel[k] = inside(image, direction, first + k, false);
  along.weight[0] = 1 - part;
  along.weight[1] = part;
  return along;
}

Tap tap_at(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z) {
  if (x < 0 || y < 0 || z < 0) return {0, true, 1};
  return {image.address + static_cast<std::uint64_t>(z) * image.slice_bytes +
              static_cast<std::uint64_t>(y) * image.row_bytes +
              static_cast<std::uint64_t>(x) * image.texel_bytes(),
          false, 1};
}

bool is_float(const Image& image) {
  return image.channel == Image::Channel::as_float || image.reads_fractions != 0;
}

/// As an integer of 32 bits, or the bits of a float.
std::uint32_t bits_of(const Image& image, const std::byte* texel, std::uint32_t channel) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, texel + std::size_t{channel} * image.channel_bytes, image.channel_bytes);
  if (image.channel == Image::Channel::as_float)
    return image.channel_bytes == 4 ? bits
                                    : std::bit_cast<std::uint32_t>(on_host::widen(
                                          on_host::f16{static_cast<std::uint16_t>(bits)}));
  const unsigned unused = 32 - 8 * image.channel_bytes;
  if (image.channel == Image::Channel::as_signed)
    bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << unused) >> unused);
  return bits;
}

double number_of(const Image& image, const std::byte* texel, std::uint32_t channel) {
  const std::uint32_t bits = bits_of(image, texel, channel);
  if (image.channel == Image::Channel::as_float) return double{std::bit_cast<float>(bits)};
  const bool is_signed = image.channel == Image::Channel::as_signed;
  const double most = std::ldexp(1, static_cast<int>(8 * image.channel_bytes - is_signed)) - 1;
  return is_signed ? std::max(-1.0, static_cast<std::int32_t>(bits) / most) : bits / most;
}

}  // namespace

Taps taps_of(const Image& image, std::span<const double> coordinates, bool is_integer) {
  const bool blends = image.is_filtered && is_float(image) && !is_integer && !image.is_linear;
  Along along[3];
  for (std::size_t d = 0; d < coordinates.size(); ++d)
    along[d] =
        blends ? blended(image, d, coordinates[d]) : nearest(image, d, coordinates[d], is_integer);
  // An H200 blends a texture of one direction in the second, too, at 0: half of it is outside. With any other mode that is
  // the same row again (tests/program/programs/textures_point_and_linear.cu, 2026-11-26).
  if (blends && coordinates.size() == 1 && image.outside[1] == Image::Outside::border)
    along[1] = {.texel = {-1, 0}, .weight = {0.5, 0.5}, .count = 2};
  Taps taps;
  if (!blends) {
    taps.add(tap_at(image, along[0].texel[0], along[1].texel[0], along[2].texel[0]));
    return taps;
  }
  for (std::uint32_t z = 0; z < along[2].count; ++z)
    for (std::uint32_t y = 0; y < along[1].count; ++y)
      for (std::uint32_t x = 0; x < along[0].count; ++x) {
        const double weight = along[0].weight[x] * along[1].weight[y] * along[2].weight[z];
        if (weight == 0) continue;
        Tap tap = tap_at(image, along[0].texel[x], along[1].texel[y], along[2].texel[z]);
        tap.weight = weight;
        taps.add(tap);
      }
  return taps;
}

Taps gathered(const Image& image, double x, double y) {
  const Along columns = blended(image, 0, x), rows = blended(image, 1, y);
  Taps taps;
  for (const auto& [column, row] : {std::pair{0, 1}, {1, 1}, {1, 0}, {0, 0}})
    taps.add(tap_at(image, columns.texel[column], rows.texel[row], 0));
  return taps;
}

std::uint32_t sampled(const Image& image, const Taps& taps,
                      std::span<const std::byte* const> texels, std::uint32_t channel) {
  if (channel >= image.channels) {  // 0, the fourth 1
    if (channel != 3) return 0;
    return is_float(image) ? std::bit_cast<std::uint32_t>(1.0f) : 1;
  }
  const bool is_one = taps.count == 1;  // whose weight is 1
  if (is_one && texels[0] != nullptr && image.reads_fractions == 0)
    return bits_of(image, texels[0], channel);
  if (!is_float(image)) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < taps.count; ++k)
    sum += taps.all[k].weight * (texels[k] == nullptr ? double{image.border[channel]}
                                                      : number_of(image, texels[k], channel));
  return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
}

}  // namespace labkit::simt
