// What is due in the replay, the earliest first. Internal to the room.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labkit::timing {

/// A queue of items by time, which is never negative; of those of one time the one that came first. A heap with four
/// children a node over keys that compare as one number: the replay spends most of its time here.
template <typename T>
class TimeQueue {
 public:
  bool empty() const { return keys_.empty(); }

  void push(double time, const T& item) {
    std::uint32_t place = static_cast<std::uint32_t>(items_.size());
    if (free_.empty()) {
      items_.push_back(item);
    } else {
      place = free_.back();
      free_.pop_back();
      items_[place] = item;
    }
    // Doubles that are not negative lie in the order of their bits.
    const Key key{std::bit_cast<std::uint64_t>(time + 0.0), std::uint64_t{count_++} << 32 | place};
    std::size_t at = keys_.size();
    keys_.push_back(key);
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (!(key < keys_[parent])) break;
      keys_[at] = keys_[parent];
      at = parent;
    }
    keys_[at] = key;
  }

  struct Due {
    double time = 0;
    T item;
  };
  Due pop() {
    const Key top = keys_.front();
    const auto place = static_cast<std::uint32_t>(top.rest);
    free_.push_back(place);
    const Key last = keys_.back();
    keys_.pop_back();
    if (!keys_.empty()) sink(last);
    return {std::bit_cast<double>(top.time), items_[place]};
  }

 private:
  static constexpr std::size_t kChildren = 4;
  struct Key {
    std::uint64_t time = 0;
    std::uint64_t rest = 0;  ///< its turn, and where the item is
    bool operator<(const Key& other) const {
      return static_cast<bool>((time < other.time) | ((time == other.time) & (rest < other.rest)));
    }
  };

  /// From the root to where it belongs.
  void sink(const Key& key) {
    const std::size_t count = keys_.size();
    std::size_t at = 0;
    for (;;) {
      const std::size_t first = at * kChildren + 1;
      if (first >= count) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < std::min(first + kChildren, count); ++child)
        least = keys_[child] < keys_[least] ? child : least;
      if (!(keys_[least] < key)) break;
      keys_[at] = keys_[least];
      at = least;
    }
    keys_[at] = key;
  }

  std::vector<Key> keys_;
  std::vector<T> items_;
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace labkit::timing
