// The registers of a warp that no instruction writes: constants, parameters, addresses of symbols and what special
// registers say. They are filled once a warp, the few that change with the block once a block.
#include <cstring>

#include "simt/worker.h"

namespace labkit::simt {
void Worker::fill_fixed(Warp& warp, bool per_block_only) {
  const auto& grid = launch_.launch->grid;
  const auto& block = launch_.launch->block;
  const std::uint32_t first = warp.number * kLanes;
  for (const auto& slot : per_block_only ? program_.of_block : program_.fixed) {
    auto* at = warp.registers + slot.slot;
    const auto fill = [&]<typename T>(T* lanes, const auto& value) {
      for (std::uint32_t i = 0; i < kLanes; ++i) lanes[i] = static_cast<T>(value(i));
    };
    const auto each = [&](const auto& value) {
      // Of the three coordinates of a block mostly one differs from that of the block before.
      if (changes_with_block(slot.kind) && value(0) == read_lane(at, slot.is_64_bit, 0)) return;
      if (slot.is_64_bit)
        fill(reinterpret_cast<std::uint64_t*>(at), value);
      else
        fill(reinterpret_cast<std::uint32_t*>(at), value);
    };
    switch (slot.kind) {
      case FixedKind::constant:
        each([&](std::uint32_t) { return slot.value; });
        break;
      case FixedKind::parameter: {
        std::uint64_t value = 0;
        std::memcpy(&value, launch_.parameters.data() + slot.value, slot.bytes);
        if (slot.sign_extend) value = sign_extended(value, slot.bytes);
        each([&](std::uint32_t) { return value; });
        break;
      }
      case FixedKind::global_symbol: {
        const auto variable = static_cast<std::size_t>(slot.variable);
        each([&](std::uint32_t) { return (*launch_.variables)[variable] + slot.value; });
        break;
      }
#define SPECIAL(name, spelling, value)                                              \
  case FixedKind::name:                                                             \
    each([&]([[maybe_unused]] std::uint32_t i) -> std::uint64_t { return value; }); \
    break;
#include "simt/special_registers.def"
#undef SPECIAL
    }
  }
}

}  // namespace labkit::simt
