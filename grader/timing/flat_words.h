// Words by 64-bit numbers, filled and cleared over and over: one table, linear probing, clearing by a new era.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labkit::timing {

/// Fibonacci hashing: neighbours in memory, and what lies a power of two apart, spread over a table.
inline std::uint64_t mixed(std::uint64_t value) { return value * 0x9E3779B97F4A7C15u >> 32; }

/// A word for each number, 0 at first.
class FlatWords {
 public:
  std::uint32_t& operator[](std::uint64_t value) {
    // What comes again mostly comes in the order of the first time.
    if (next_ < items_.size() && items_[next_].value == value) return items_[next_++].word;
    return find_or_add(value);
  }
  void clear() {
    items_.clear();
    next_ = 0;
    if (++era_ == 0) slots_.assign(slots_.size(), {}), era_ = 1;
  }
  struct Item {
    std::uint64_t value = 0;
    std::uint32_t word = 0;
  };
  /// In the order they came.
  const std::vector<Item>& items() const { return items_; }

 private:
  struct Slot {
    std::uint64_t value = 0;
    std::uint32_t era = 0, item = 0;
  };
  [[gnu::noinline]] std::uint32_t& find_or_add(std::uint64_t value) {
    if (items_.size() * 2 >= slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = mixed(value) & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.era != era_) {
        slot = {value, era_, static_cast<std::uint32_t>(items_.size())};
        items_.push_back({value, 0});
      } else if (slot.value != value) {
        continue;
      }
      next_ = slot.item + std::size_t{1};
      return items_[slot.item].word;
    }
  }
  void grow() {
    slots_.assign(std::max(kFewSlots, slots_.size() * 2), {});
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      std::size_t at = mixed(items_[i].value) & mask;
      while (slots_[at].era == era_) at = (at + 1) & mask;
      slots_[at] = {items_[i].value, era_, static_cast<std::uint32_t>(i)};
    }
  }

  static constexpr std::size_t kFewSlots = 256;
  std::vector<Slot> slots_;  ///< a power of two; none before the first number
  std::vector<Item> items_;
  std::size_t next_ = 0;  ///< after the item found last
  std::uint32_t era_ = 1;
};

}  // namespace labkit::timing
