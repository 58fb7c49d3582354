// A warp whose threads' numbers rise evenly, as long as its lanes stay together: affine values are computed once for all
// lanes. Where that ends (lanes part, a value comes around its width, an access is no plain one), each register gets its
// lanes, and the warp goes on lane by lane from the very instruction until the block ends.
#include "simt/affine.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

template <typename T>
void spread(std::byte* at, Affine value) {
  auto* lanes = reinterpret_cast<T*>(at);
  for (int i = 0; i < kLanes; ++i)
    lanes[i] = static_cast<T>(value.base + static_cast<std::uint64_t>(i) * value.step);
}

bool rises_evenly(const std::byte* at, bool is_64_bit, Affine& value) {
  const auto lane = [&](std::size_t i) { return read_lane(at, is_64_bit, i); };
  const std::uint64_t width = is_64_bit ? ~0ull : 0xFFFFFFFF;
  value = {lane(0), (lane(1) - lane(0)) & width};
  for (std::uint64_t i = 0; i < kLanes; ++i)
    if (lane(i) != ((value.base + i * value.step) & width)) return false;
  return true;
}

/// Warps that a worker begins as affine before it asks whether that pays.
constexpr std::uint64_t kTried = 64;

}  // namespace

/// Once a warp, when what no block changes is in its registers.
void Worker::prepare_affine(Warp& warp) {
  warp.can_be_affine = false;
  if (launch_.affine_ops.empty() || launch_.threads < (warp.number + 1) * kLanes) return;
  warp.affine.assign(program_.register_bytes / 128 + 1, {});
  for (const auto& source : program_.affine_sources) {
    const std::byte* at = warp.registers + source.slot;
    Affine& value = file_at(warp.affine.data(), affine_place(source.slot));
    if (!rises_evenly(at, source.is_64_bit, value)) return;
  }
  warp.can_be_affine = true;
}

/// For the block that begins.
void Worker::begin_affine(Warp& warp) {
  // Where lanes part in most warps, it is not worth the while.
  warp.is_affine =
      warp.can_be_affine && (affine_begun_ < kTried || affine_left_ * 2 < affine_begun_);
  if (!warp.is_affine) return fill_fixed(warp, true);
  ++affine_begun_;
  if (program_.block_needs_lanes) fill_fixed(warp, true);
  for (const auto& slot : program_.of_block) {
    const std::uint32_t of[3] = {place_.x, place_.y, place_.z};
    file_at(warp.affine.data(), affine_place(slot.slot)) = {
        of[static_cast<int>(slot.kind) - static_cast<int>(FixedKind::ctaid_x)], 0};
  }
}

bool Worker::lane_by_lane(Warp& warp, std::ptrdiff_t op) {
  resume_ = launch_.ops.data() + op;
  ++affine_left_;
  warp.is_affine = false;
  if (!program_.block_needs_lanes) fill_fixed(warp, true);
  for (const auto& slot : program_.affine_slots) spread_affine(warp, slot.slot, slot.is_64_bit);
  return true;
}

void Worker::spread_affine(Warp& warp, Slot slot, bool is_64_bit) {
  const Affine value = file_at(warp.affine.data(), affine_place(slot));
  if (is_64_bit)
    spread<std::uint64_t>(warp.registers + slot, value);
  else
    spread<std::uint32_t>(warp.registers + slot, value);
}

}  // namespace labkit::simt
