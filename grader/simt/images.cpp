// Textures and surfaces: lane by lane. What is read and written is memory like any other, so that it is followed who has written it,
// but it goes through units of its own, whose counters are not modelled: no observer is told.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "simt/sampling.h"
#include "simt/worker.h"

namespace labkit::simt {

using words::Id;

const Image* Worker::image_of(const ImageOp& how, const Op& op, std::uint32_t mask,
                              std::uint64_t handle) {
  const Memory::Images* images = launch_.memory->images.get();
  const auto at = images == nullptr ? Memory::Images::const_iterator{} : images->find(handle);
  if (images != nullptr && at != images->end() && (at->second.is_surface != 0) == how.is_surface())
    return &at->second;
  launch::Finding finding = image_finding(launch::FindingKind::out_of_bounds,
                                          program_.memory_ops[op.aux], first_lane(mask));
  finding.cause = launch::Cause::out_of_bounds_null_pointer;
  finding.address = handle;
  finding.evidence = {{how.is_surface() ? Id::image_no_surface : Id::image_no_texture}};
  finding.fix = {Id::image_fix_object};
  fail(std::move(finding));
  return nullptr;
}

/// Lanes whose handle is the same go together; nearly always it is one.
bool Worker::image(const Op& op, std::uint32_t mask) {
  const ImageOp& how = program_.images[op.target];
  const auto* handles = reinterpret_cast<const std::uint64_t*>(registers + op.s[0]);
  while (mask != 0) {
    const std::uint64_t handle = handles[first_lane(mask)];
    const std::uint32_t same = mask & lanes_where([&](auto i) { return handles[i] == handle; });
    mask &= ~same;
    const Image* image = image_of(how, op, same, handle);
    if (image == nullptr) return false;
    if (how.asks()) {
      const std::uint64_t sizes[] = {image->width, image->height, image->depth};
      std::array<std::uint32_t, kLanes> size;
      size.fill(static_cast<std::uint32_t>(sizes[how.component]));
      const Slot to = program_.memory_ops[op.aux].data[0];
      if (to != kNoSlot) write32(to, size.data(), same);
      if (to != kNoSlot && shadow_) define(to, 'w', same);
      continue;
    }
    const bool done =
        how.is_surface() ? access_surface(how, *image, op, same) : fetch(how, *image, op, same);
    if (!done) return false;
  }
  return true;
}

/// Null after reporting a fault: the memory was freed, or is smaller than the object says.
const std::byte* Worker::locate_texel(const MemoryOp& memory, const Image& image,
                                      std::uint64_t address, std::uint32_t lane) {
  const auto bytes = static_cast<std::uint32_t>(image.texel_bytes());
  const std::byte* const at = locate_lane(kGlobalSpace, address, bytes, lane, false);
  if (at != nullptr) return at;
  MemoryOp texel = memory;
  texel.bytes = bytes;
  access_fault(texel, kGlobalSpace, lane, address, false, 1u << lane, 0);
  return nullptr;
}

/// Which channels of a texel nobody has written.
void Worker::follow_taps(const MemoryOp& memory, const Image& image, std::uint32_t lane,
                         std::uint64_t address, std::uint32_t* undefined, std::uint32_t& origin) {
  const Allocation& allocation = *launch_.memory->slot_of(address);
  const std::uint8_t* flags = launch_.shadow->of(allocation, false);
  if (flags == nullptr) return;
  flags += address - allocation.begin;
  for (std::uint32_t c = 0; c < image.channels; ++c)
    for (std::uint32_t b = 0; b < image.channel_bytes; ++b)
      if (const std::uint8_t how = flags[c * image.channel_bytes + b]; how != kDefined) {
        if ((undefined[c] >> lane & 1) == 0)
          origin = origin_of(kGlobalSpace, address, lane, how, memory);
        undefined[c] |= 1u << lane;
      }
}

bool Worker::fetch(const ImageOp& how, const Image& image, const Op& op, std::uint32_t mask) {
  const MemoryOp& memory = program_.memory_ops[op.aux];
  const bool gathers = how.kind == ImageOp::Kind::gather;
  Taps one;  // of a gather, which blends none
  one.add({0, false, 1});
  std::uint32_t values[4][kLanes] = {};
  std::uint32_t undefined[4] = {};       // lanes, by channel
  std::uint32_t undefined_taps[4] = {};  // of a gather, by texel
  std::uint32_t origin = 0;
  for (const std::uint32_t i : LanesOf(mask)) {
    double coordinates[3] = {};
    for (std::uint32_t d = 0; d < how.directions; ++d) {
      const std::uint32_t word = words(op.s[d + 1])[i];
      coordinates[d] =
          how.is_integer ? static_cast<std::int32_t>(word) : double{std::bit_cast<float>(word)};
    }
    const Taps taps = gathers ? gathered(image, coordinates[0], coordinates[1])
                              : taps_of(image, {coordinates, how.directions}, how.is_integer);
    const std::byte* texels[8] = {};
    for (std::uint32_t k = 0; k < taps.count; ++k) {
      if (taps.all[k].is_border) continue;
      texels[k] = locate_texel(memory, image, taps.all[k].address, i);
      if (texels[k] == nullptr) return false;
      if (!shadow_) continue;
      std::uint32_t of_texel[4] = {};
      follow_taps(memory, image, i, taps.all[k].address, of_texel, origin);
      for (int c = 0; c < 4; ++c) undefined[c] |= of_texel[c];
      if (gathers) undefined_taps[k] |= of_texel[how.component];
    }
    for (std::uint32_t k = 0; k < 4; ++k)
      values[k][i] = gathers ? sampled(image, one, {texels + k, 1}, how.component)
                             : sampled(image, taps, texels, k);
  }
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (memory.data[k] == kNoSlot) continue;
    write32(memory.data[k], values[k], mask);
    if (shadow_)
      set_whole_lanes(memory.data[k], false, gathers ? undefined_taps[k] : undefined[k], mask,
                      origin);
  }
  return true;
}

/// x counts bytes, y and z rows and slices.
bool Worker::access_surface(const ImageOp& how, const Image& image, const Op& op,
                            std::uint32_t mask) {
  using Boundary = ImageOp::Boundary;
  const MemoryOp& memory = program_.memory_ops[op.aux];
  const auto row = static_cast<std::int64_t>(image.width * image.texel_bytes());
  const std::int64_t most[3] = {row - memory.bytes, static_cast<std::int64_t>(image.height) - 1,
                                static_cast<std::int64_t>(image.depth) - 1};
  alignas(64) std::uint64_t addresses[kLanes] = {};
  std::byte* host[kLanes] = {};
  std::uint32_t outside = 0;
  for (const std::uint32_t i : LanesOf(mask)) {
    std::int64_t at[3] = {};
    for (std::uint32_t d = 0; d < how.directions; ++d) {
      at[d] = static_cast<std::int32_t>(words(op.s[d + 1])[i]);
      const std::int64_t nearest =
          std::clamp<std::int64_t>(at[d], 0, std::max<std::int64_t>(most[d], 0));
      if (at[d] == nearest) continue;
      if (how.boundary == Boundary::trap) return surface_outside(memory, image, i, at);
      if (how.boundary == Boundary::zero) outside |= 1u << i;
      at[d] = nearest;
    }
    const auto [x, y, z] = at;
    addresses[i] = image.address + static_cast<std::uint64_t>(z) * image.slice_bytes +
                   static_cast<std::uint64_t>(y) * image.row_bytes + static_cast<std::uint64_t>(x);
    if (x % memory.bytes != 0) return surface_misaligned(memory, i, x);
    host[i] = locate_lane(kGlobalSpace, addresses[i], memory.bytes, i, memory.is_store);
    if (host[i] != nullptr) continue;
    access_fault(memory, kGlobalSpace, i, addresses[i], false, 1u << i, 0);
    return false;
  }
  const std::uint32_t inside = mask & ~outside;
  if (shadow_ && inside != 0) follow_access(memory, kGlobalSpace, inside, addresses, nullptr);
  move_elements(memory, inside, host);
  if (memory.is_store || outside == 0) return true;
  static constexpr std::uint64_t kZero[kLanes] = {};
  for (std::uint32_t k = 0; k < memory.count; ++k) {
    if (memory.data[k] == kNoSlot) continue;
    write(memory.data[k], memory.register_is_64_bit, kZero, outside);
    if (shadow_) define(memory.data[k], memory.register_is_64_bit ? 'l' : 'w', outside);
  }
  return true;
}

launch::Finding Worker::image_finding(launch::FindingKind kind, const MemoryOp& memory,
                                      std::uint32_t lane) const {
  launch::Finding finding = finding_at(kind, memory.index, warp_->number, lane);
  finding.access = memory.is_store ? launch::Access::write : launch::Access::read;
  finding.access_bytes = memory.bytes;
  finding.lanes = 1u << lane;
  return finding;
}

/// False. `at`: x, y, z as the kernel gave them.
bool Worker::surface_outside(const MemoryOp& memory, const Image& image, std::uint32_t lane,
                             const std::int64_t* at) {
  launch::Finding finding = image_finding(launch::FindingKind::out_of_bounds, memory, lane);
  const bool is_before = at[0] < 0 || at[1] < 0 || at[2] < 0;
  finding.cause =
      is_before ? launch::Cause::out_of_bounds_negative_index : launch::Cause::out_of_bounds_tail;
  finding.evidence = {{Id::image_outside,
                       {{"x", at[0]},
                        {"y", at[1]},
                        {"z", at[2]},
                        {"row", words::count(image.width * image.texel_bytes())},
                        {"rows", words::count(image.height)},
                        {"slices", words::count(image.depth)}}}};
  finding.fix = {Id::image_fix_outside};
  fail(std::move(finding));
  return false;
}

bool Worker::surface_misaligned(const MemoryOp& memory, std::uint32_t lane, std::int64_t x) {
  launch::Finding finding = image_finding(launch::FindingKind::misaligned, memory, lane);
  finding.cause = launch::Cause::misaligned;
  finding.evidence = {{Id::image_misaligned, {{"x", x}, {"bytes", words::count(memory.bytes)}}}};
  finding.fix = {Id::image_fix_misaligned};
  fail(std::move(finding));
  return false;
}

}  // namespace labkit::simt
