// Which values of a kernel may differ between the threads of a block, or between blocks, and how an access comes by its address: static, over
// registers.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/machine.h"

namespace labkit::observe {

/// By register: its value may differ between the threads of a block. False where that is not known (values kept in local
/// memory, parameters of functions).
std::vector<bool> thread_dependent(const ptx::Function& function);
/// The same between the blocks of a grid.
std::vector<bool> block_dependent(const ptx::Function& function);

/// The address of a load or store was worked out from such a value.
bool address_differs_by_thread(const simt::Program& program, std::uint32_t instruction);
bool address_differs_by_block(const simt::Program& program, std::uint32_t instruction);
/// The address is more than a fixed place in the thread's frame: an index picks an element of an array.
bool picks_element(const simt::Program& program, std::uint32_t instruction);

}  // namespace labkit::observe
