// Which stores of a kernel may be the end of an update: read, change, write.
//
// Static, over the whole program: for each plain store the loads that its value was computed from (through registers, calls
// and the thread's own memory), and those that decided whether it is executed at all (`if (v > *m) *m = v;`). Registers are
// taken as a whole, over all their definitions. Whether a load and the store came to one address is seen only when the
// kernel runs (race_updates.h).
#pragma once
#include <cstdint>
#include <vector>

#include "simt/machine.h"

namespace labkit::observe {

/// What makes the new value of the old: which atomic function would do the same.
enum class UpdateOperation : std::uint8_t { other, add, subtract, extreme, and_, or_, xor_ };

class UpdateSources {
 public:
  explicit UpdateSources(const simt::Program& program);

  struct Store {
    std::vector<std::uint32_t> values, conditions;  ///< numbers of loads
    UpdateOperation operation = UpdateOperation::other;
  };
  /// Null for what is no store, or depends on no load.
  const Store* store(std::uint32_t instruction) const {
    const auto at = store_of_[instruction];
    return at < 0 ? nullptr : &stores_[static_cast<std::size_t>(at)];
  }
  /// What `load` has read at the place of `store` goes elsewhere, and comes from there: `s[i] = b; s[k] = a;`.
  bool exchanges(std::uint32_t store, std::uint32_t load) const;
  /// The number, from 0, of a load that some store depends on; -1: of no interest.
  std::int32_t load(std::uint32_t instruction) const { return load_of_[instruction]; }
  std::uint32_t load_count() const { return static_cast<std::uint32_t>(loads_.size()); }
  std::uint32_t load_instruction(std::uint32_t number) const { return loads_[number]; }
  /// False only for a load whose value decides no branch of any thread: data, and no flag.
  bool decides(std::uint32_t instruction) const { return decides_[instruction]; }

 private:
  std::vector<std::int32_t> store_of_, load_of_;  ///< by instruction
  std::vector<bool> decides_;                     ///< by instruction
  std::vector<Store> stores_;
  std::vector<std::uint32_t> loads_;  ///< instructions
};

}  // namespace labkit::observe
