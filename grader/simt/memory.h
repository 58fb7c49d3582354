// Device memory behind simt::Memory. Internal to the room.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simt/access.h"
#include "simt/machine.h"

namespace labkit::simt {

/// What a pointer to a function of the module holds, by its index there: no address of memory.
constexpr std::uint64_t function_address(std::size_t index) {
  return (std::uint64_t{1} << 60) + 16 * (std::uint64_t{index} + 1);
}

/// The bytes of an allocation, or what is known of each: its own, or somebody's who keeps them for as long.
template <typename T>
class Held {
 public:
  Held() = default;
  Held(std::vector<T> own) : own_(std::move(own)), all_(own_) {}
  Held(std::span<T> elsewhere) : all_(elsewhere) {}
  Held(Held&& other) noexcept : own_(std::move(other.own_)), all_(std::exchange(other.all_, {})) {}
  Held& operator=(Held&& other) noexcept {
    own_ = std::move(other.own_);
    all_ = std::exchange(other.all_, {});
    return *this;
  }
  T* data() const { return all_.data(); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  std::span<T> all() const { return all_; }
  std::vector<T> copy() const { return {all_.begin(), all_.end()}; }
  /// Leaves nothing here.
  std::vector<T> take() {
    std::vector<T> taken = own_.empty() ? copy() : std::move(own_);
    *this = {};
    return taken;
  }
  /// The same bytes again, wherever they lie.
  void restore(std::vector<T> before) {
    if (own_.empty() && all_.size() == before.size())
      std::ranges::copy(before, all_.begin());
    else
      *this = Held(std::move(before));
  }

 private:
  std::vector<T> own_;
  std::span<T> all_;
};

/// One allocation. Each has 16 GiB of address space to itself and lies in its middle, so that an index that is wrong by
/// any 32-bit number stays clear of every other allocation.
struct Allocation {
  std::string name;
  std::uint64_t begin = 0;
  Held<std::byte> contents = {};
  bool written = true;
  bool is_constant = false;       ///< a __constant__ variable
  bool is_variable = false;       ///< of the module
  bool is_heap = false;           ///< of malloc() in kernels (heap.h)
  std::uint64_t freed_bytes = 0;  ///< it had so many, and is freed
  /// Of each byte (definedness.h); empty: as `written` says.
  Held<std::uint8_t> undefined = {};
  std::vector<bool> padding = {};  ///< of each structure (Memory::set_padding)
  std::uint64_t end() const { return begin + contents.size(); }
  bool is_padding(std::uint64_t offset) const {
    return !padding.empty() && padding[offset % padding.size()];
  }
};

struct Memory::Impl {
  static constexpr int kSlotBits = 34;
  std::vector<Allocation> allocations;  ///< number n lies in slot n + 1
  std::optional<std::size_t> heap;      ///< which of them is one
  std::map<const ptx::Module*, std::vector<std::uint64_t>>
      variables;                                 ///< addresses of module variables, 0: none
  std::shared_ptr<const Memory::Images> images;  ///< null: there are none

  /// In the first slot behind all others; gives its address.
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
