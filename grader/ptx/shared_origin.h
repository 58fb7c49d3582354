// Which array an address belongs to: the shared variable, or the array in global memory, whose address it was computed from.
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
      SymbolKind::none;  ///< none: not known; else module_variable, function_variable or parameter
  std::int32_t id = -1;
  friend bool operator==(const SharedOrigin&, const SharedOrigin&) = default;
};
/// Of the address operand of each instruction; `none` for instructions without one.
std::vector<SharedOrigin> shared_origins(const Module& module, const Function& function);

/// The same of arrays in global memory: variables of the module, and the parameters of `function` that `is_pointer` (one for
/// each) says to hold an address.
std::vector<SharedOrigin> global_origins(const Module& module, const Function& function,
                                         const std::vector<bool>& is_pointer);

}  // namespace labkit::ptx
