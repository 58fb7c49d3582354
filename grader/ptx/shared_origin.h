// Which shared variable an address belongs to: the one whose address it was computed from.
//
// Each register is a number, an address in one variable, or not known: what a variable's address and numbers are added up
// to is an address in that variable. Registers are taken as a whole, over all their definitions; what is loaded from
// memory counts as a number where it is added to an address, and as not known where it is used as one.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

struct SharedOrigin {
  SymbolKind symbol =
      SymbolKind::none;  ///< none: not known; else module_variable or function_variable
  std::int32_t id = -1;
  friend bool operator==(const SharedOrigin&, const SharedOrigin&) = default;
};
/// Of the address operand of each instruction; `none` for instructions without one.
std::vector<SharedOrigin> shared_origins(const Module& module, const Function& function);

}  // namespace labkit::ptx
