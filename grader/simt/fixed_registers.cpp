// The registers of a warp that no instruction writes: constants, parameters, addresses of symbols and what special
// registers say. They are filled once a warp, the few that change with the block once a block.
#include <cstring>

#include "simt/worker.h"

namespace labkit::simt {
namespace {

void fill32(std::byte* at, std::uint32_t value) {
  auto* lanes = reinterpret_cast<std::uint32_t*>(at);
  for (int i = 0; i < kLanes; ++i) lanes[i] = value;
}
void fill64(std::byte* at, std::uint64_t value) {
  auto* lanes = reinterpret_cast<std::uint64_t*>(at);
  for (int i = 0; i < kLanes; ++i) lanes[i] = value;
}

}  // namespace

void Worker::fill_fixed(Warp& warp, bool per_block_only) {
  const auto& grid = launch_.launch->grid;
  const auto& block = launch_.launch->block;
  for (const auto& slot : per_block_only ? program_.of_block : program_.fixed) {
    auto* at = warp.registers + slot.slot;
    auto uniform = [&](std::uint64_t value) {
      if (slot.is_64_bit)
        fill64(at, value);
      else
        fill32(at, static_cast<std::uint32_t>(value));
    };
    // Of the three coordinates of a block mostly one differs from that of the block before.
    auto of_block = [&](std::uint32_t value) {
      std::uint32_t before = 0;
      std::memcpy(&before, at, sizeof before);
      if (before != value) uniform(value);
    };
    auto each = [&](auto&& f) {
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        if (slot.is_64_bit)
          reinterpret_cast<std::uint64_t*>(at)[i] = f(i);
        else
          reinterpret_cast<std::uint32_t*>(at)[i] = static_cast<std::uint32_t>(f(i));
      }
    };
    const std::uint32_t first = warp.number * kLanes;
    switch (slot.kind) {
      case FixedKind::constant:
        uniform(slot.value);
        break;
      case FixedKind::shared_symbol:
        uniform(slot.value);
        break;
      case FixedKind::zero:
        uniform(0);
        break;
      case FixedKind::parameter: {
        std::uint64_t value = 0;
        std::memcpy(&value, launch_.parameters.data() + slot.value, slot.bytes);
        if (slot.sign_extend && slot.bytes < 8) {
          const unsigned shift = 64 - 8 * slot.bytes;
          value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
        }
        uniform(value);
        break;
      }
      case FixedKind::global_symbol:
        uniform((*launch_.variables)[static_cast<std::size_t>(slot.variable)] + slot.value);
        break;
      case FixedKind::tid_x:
        each([&](std::uint32_t i) { return (first + i) % block.x; });
        break;
      case FixedKind::tid_y:
        each([&](std::uint32_t i) { return (first + i) / block.x % block.y; });
        break;
      case FixedKind::tid_z:
        each([&](std::uint32_t i) { return (first + i) / block.x / block.y; });
        break;
      case FixedKind::ntid_x:
        uniform(block.x);
        break;
      case FixedKind::ntid_y:
        uniform(block.y);
        break;
      case FixedKind::ntid_z:
        uniform(block.z);
        break;
      case FixedKind::ctaid_x:
        of_block(block_x_);
        break;
      case FixedKind::ctaid_y:
        of_block(block_y_);
        break;
      case FixedKind::ctaid_z:
        of_block(block_z_);
        break;
      case FixedKind::nctaid_x:
        uniform(grid.x);
        break;
      case FixedKind::nctaid_y:
        uniform(grid.y);
        break;
      case FixedKind::nctaid_z:
        uniform(grid.z);
        break;
      case FixedKind::laneid:
        each([](std::uint32_t i) { return i; });
        break;
      case FixedKind::warpid:
        uniform(warp.number);
        break;
      case FixedKind::nwarpid:
        uniform(launch_.warps);
        break;
      case FixedKind::smid:
        uniform(0);
        break;
      case FixedKind::nsmid:
        uniform(1);
        break;
      case FixedKind::gridid:
        uniform(1);
        break;
      case FixedKind::lanemask_eq:
        each([](std::uint32_t i) { return 1u << i; });
        break;
      case FixedKind::lanemask_lt:
        each([](std::uint32_t i) { return (1u << i) - 1; });
        break;
      case FixedKind::lanemask_le:
        each([](std::uint32_t i) { return ((1u << i) - 1) | 1u << i; });
        break;
      case FixedKind::lanemask_gt:
        each([](std::uint32_t i) { return ~(((1u << i) - 1) | 1u << i); });
        break;
      case FixedKind::lanemask_ge:
        each([](std::uint32_t i) { return ~((1u << i) - 1); });
        break;
      case FixedKind::dynamic_smem_size:
        uniform(launch_.launch->dynamic_shared_bytes);
        break;
      case FixedKind::total_smem_size:
        uniform(launch_.shared_bytes);
        break;
    }
  }
}

}  // namespace labkit::simt
