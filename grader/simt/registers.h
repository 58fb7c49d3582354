// Which slot of the register file a PTX register gets. NVRTC's PTX gives every value a register of its own, hundreds of
// them; packed by liveness a warp's file stays in the first-level cache.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/module.h"
#include "simt/control.h"

namespace labkit::simt {

/// Registers that an instruction writes and reads, guard included.
struct RegisterUse {
  std::vector<std::int32_t> writes, reads;
};
RegisterUse register_use(const ptx::Instruction& instruction);

struct RegisterSlots {
  std::vector<std::int32_t> number;  ///< per register: which slot of its class, -1 if never used
  std::uint32_t words = 0, doubles = 0, predicates = 0;  ///< slots needed of each class
  std::vector<bool> is_read;                             ///< per register: somebody reads it
  /// Registers that some way from the beginning reads before anything writes them.
  std::vector<std::int32_t> unset;
};
enum class RegisterClass : std::uint8_t { word, twice, predicate, unsupported };
RegisterClass class_of(ptx::Type type);

/// By register.
struct UsedOnce {
  std::vector<bool>
      written;  ///< by one instruction, and read only by later ones, which it precedes on every path
  std::vector<bool> read;  ///< by one operand of the whole function
};
UsedOnce used_once(const ptx::Function& function, const RegisterSlots& slots);

/// From the first to the last moment at which a register holds something that may still be read: 2 * i where instruction
/// i of the body reads, 2 * i + 1 where it writes.
struct Lifetime {
  std::int32_t begin = -1, end = -1;  ///< -1: never

  void cover(std::int32_t from, std::int32_t to) {
    begin = begin < 0 ? from : std::min(begin, from);
    end = std::max(end, to);
  }
};
struct LiveRegisters {
  std::vector<bool> is_read;        ///< by register
  std::vector<Lifetime> lifetimes;  ///< by register
  std::vector<std::int32_t> unset;  ///< as RegisterSlots::unset
  /// So many registers live through so many blocks that they were not followed to the end.
  bool too_many = false;
};
LiveRegisters live_registers(const ptx::Function& function, const Flow& flow);

/// Lanes run apart, so what holds for one thread holds for each: two registers share a slot if no thread can need both.
/// Those that are `apart` (by register; empty: none) share none with others.
RegisterSlots assign_registers(const ptx::Function& function, LiveRegisters live,
                               const std::vector<bool>& apart = {});

}  // namespace labkit::simt
