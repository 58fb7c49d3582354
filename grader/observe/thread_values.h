// How an access comes by its address: from values that may differ between the threads of a block, or between blocks, or from memory. Static, over
// registers (ptx/dependent.h).
#pragma once
#include <cstdint>
#include <string_view>

#include "simt/machine.h"

namespace labkit::observe {

/// To how many bits the instruction cuts a number: 8 or 16; 0: to none.
int bits_kept(const ptx::Instruction& instruction);

/// The address of a load or store was worked out from such a value.
bool address_differs_by_thread(const simt::Program& program, std::uint32_t instruction);
/// The same from the special registers whose names begin so: "%ctaid", "%tid.y".
bool address_comes_from(const simt::Program& program, std::uint32_t instruction,
                        std::string_view special);
/// The same from what was loaded from global or shared memory: an index that is data. A generic load may be of the thread's own
/// variables (-G), and does not count.
bool address_comes_from_memory(const simt::Program& program, std::uint32_t instruction);
/// The address of a load or store was worked out from a number of the thread's that was cut to so few bits, 8 or 16 (an
/// unsigned char, a short); 0: from none.
int address_bits(const simt::Program& program, std::uint32_t instruction);
/// What `load` loads may reach the register that `use`, in the same function, reads.
bool value_goes_to(const simt::Program& program, std::uint32_t load, std::uint32_t use,
                   std::int32_t reg);
/// The address is more than a fixed place in the thread's frame: an index picks an element of an array.
bool picks_element(const simt::Program& program, std::uint32_t instruction);

}  // namespace labkit::observe
