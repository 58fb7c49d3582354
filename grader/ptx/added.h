// Instructions of the machine code that no instruction of the PTX stands for. Private to ptx/.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/machine_cost.h"
#include "ptx/passes.h"

namespace labkit::ptx {

/// Adds them to what is at their places. `with`: of issued_with(), whose branches are none.
void add_machine_instructions(const Function& function, const ControlFlow& flow,
                              const std::vector<std::int32_t>& with,
                              std::vector<MachineCost>& costs);

}  // namespace labkit::ptx
