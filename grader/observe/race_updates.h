// Updates: a thread stores to where it has loaded what the value, or the decision to store, came from. If two threads do so and
// nothing orders their stores, one of the two updates is lost, also where both happened to store the same value: `n++` by 32
// lanes that have all read 0.
//
// UpdateSources says which stores may be the end of one. Static, over the whole program: for each plain store the loads that
// its value was computed from (through registers, calls and the thread's own memory), and those that decided whether it is
// executed at all (`if (v > *m) *m = v;`). Registers are taken as a whole, over all their definitions.
//
// UpdateWatch sees whether a load and the store came to one address: it keeps where each lane's last execution of such a load
// went. What a store has read there in an earlier turn of a loop, and not since, is overlooked.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "observe/race_clock.h"
#include "observe/watching.h"

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
    return at < 0 ? nullptr : &stores_[at];
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

inline constexpr std::uint32_t kNoRead = ~0u;

/// What a store is the end of.
struct Update {
  std::uint32_t read =
      kNoRead;                ///< the instruction that had read the old value; kNoRead: no update
  bool by_condition = false;  ///< the old value only decided whether to store
  bool any() const { return read != kNoRead; }
};

/// Of one block under way.
struct BlockReads {
  struct LastRead {
    Time time = 0;
    std::uint32_t lanes = 0;
    std::uint32_t bytes = 0;
    std::array<std::uint64_t, 32> addresses{};
  };
  std::vector<LastRead> last;  ///< by warp, then load; empty: nothing was read yet
};

class UpdateWatch {
 public:
  explicit UpdateWatch(const UpdateSources& sources) : sources_(sources) {}

  void on_load(BlockReads& reads, const BlockClock& clock, Time now, const simt::Access& access) {
    const auto number = sources_.load(access.instruction);
    if (number < 0) return;
    const std::size_t count = sources_.load_count();
    if (reads.last.size() < clock.warps.size() * count)
      reads.last.resize(clock.warps.size() * count);
    auto& last = reads.last[access.warp * count + static_cast<std::size_t>(number)];
    if (last.time <= clock.begin) last.lanes = 0;  // of a block before
    last.time = now;
    last.bytes = access.bytes_per_lane;
    last.lanes |= access.active;
    for (std::uint32_t i = 0; i < 32; ++i)
      last.addresses[i] = access.active >> i & 1 ? access.addresses[i] : last.addresses[i];
  }

  /// False: no lane's store is the end of an update. Else `updates` says which are.
  bool on_store(const BlockReads& reads, const BlockClock& clock, const simt::Access& access,
                std::array<Update, 32>& updates) const {
    const auto* store = sources_.store(access.instruction);
    if (store == nullptr || reads.last.empty()) return false;
    std::uint32_t found = 0;
    auto look = [&](const std::vector<std::uint32_t>& loads, bool by_condition) {
      for (const auto number : loads) {
        const auto& last = reads.last[access.warp * sources_.load_count() + number];
        if (last.time <= clock.begin) continue;
        std::uint32_t same = 0;
        for (std::uint32_t i = 0; i < 32; ++i)
          same |= static_cast<std::uint32_t>(last.addresses[i] <
                                                 access.addresses[i] + access.bytes_per_lane &&
                                             access.addresses[i] < last.addresses[i] + last.bytes)
                  << i;
        for (const auto lane : Lanes(same & last.lanes & access.active & ~found)) {
          if (found == 0) updates.fill({});
          found |= 1u << lane;
          updates[lane] = {sources_.load_instruction(number), by_condition};
        }
      }
    };
    look(store->values, false);
    look(store->conditions, true);
    return found != 0;
  }

 private:
  const UpdateSources& sources_;
};

}  // namespace labkit::observe
