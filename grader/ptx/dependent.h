// Which registers hold what was worked out from something else: static, over the registers of a function.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

using Registers = std::vector<bool>;  ///< by number

inline bool is_in(const Registers& set, std::int32_t id) { return id >= 0 && set[id]; }
Registers none_of(const Function& function);

/// Of one of its operands but the first, or of one of the parts of these.
bool any_source(const Instruction& in, const std::function<bool(const Operand&)>& is);

/// The registers that were marked, and the results of the instructions of which `is_marked` is true by what is marked.
Registers spread(const Function& function, Registers marked,
                 const std::function<bool(const Instruction&, const Registers&)>& is_marked);

/// Worked out from special registers of which `is_source` is true.
Registers dependent(const Function& function,
                    const std::function<bool(std::string_view)>& is_source,
                    bool from_memory = false);

/// Whose value may differ between the threads of a block. False where that is not known (values kept in local memory,
/// parameters of functions).
Registers thread_dependent(const Function& function);

}  // namespace labkit::ptx
