// Device memory behind simt::Memory. Internal to the room.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/access.h"
#include "simt/machine.h"

namespace labkit::simt {

/// One allocation. Each has 16 GiB of address space to itself and lies in its middle, so that an index that is wrong by
/// any 32-bit number stays clear of every other allocation.
struct Allocation {
  std::string name;
  std::uint64_t begin = 0;
  std::vector<std::byte> contents;
  bool written = true;
  bool is_constant = false;  ///< a __constant__ variable
  bool is_variable = false;  ///< of the module
  /// Of each byte (definedness.h); empty: as `written` says.
  std::vector<std::uint8_t> undefined = {};
  std::vector<bool> padding = {};  ///< of each structure (Memory::set_padding)
  std::uint64_t end() const { return begin + contents.size(); }
  bool is_padding(std::uint64_t offset) const {
    return !padding.empty() && padding[offset % padding.size()];
  }
};

struct Memory::Impl {
  static constexpr int kSlotBits = 34;
  std::vector<Allocation> allocations;  ///< number n lies in slot n + 1
  std::map<const ptx::Module*, std::vector<std::uint64_t>>
      variables;  ///< addresses of module variables, 0: none

  std::uint64_t add(Allocation allocation);
  /// The allocation whose slot holds the address; null if there is none.
  Allocation* slot_of(std::uint64_t address) {
    const std::uint64_t slot = address >> kSlotBits;
    return slot == 0 || slot > allocations.size() ? nullptr : &allocations[slot - 1];
  }
  /// That begins at the address; throws if none does.
  Allocation& at(std::uint64_t address);
  /// Allocates and initialises the module's global and constant variables, once.
  const std::vector<std::uint64_t>& variables_of(const ptx::Module& module);
};

}  // namespace labkit::simt
