// Which slot of the register file a PTX register gets. NVRTC's PTX gives every value a register of its own, hundreds of
// them; packed by liveness a warp's file stays in the first-level cache.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "simt/control.h"
#include "simt/op.h"

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
};
enum class RegisterClass : std::uint8_t { word, twice, predicate, unsupported };
RegisterClass class_of(ptx::Type type);

/// Lanes run apart, so what holds for one thread holds for each: two registers share a slot if no thread can need both.
RegisterSlots assign_registers(const ptx::Function& function, const Flow& flow);

}  // namespace labkit::simt
