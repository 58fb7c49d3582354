// What is due in the replay, the earliest first. Internal to the layer.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace labkit::timing {

/// Items by number; a number that is given back is used again.
template <typename T>
class Places {
 public:
  std::uint32_t put(const T& item) {
    if (free_.empty()) {
      items_.push_back(item);
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    items_[place] = item;
    return place;
  }
  const T& operator[](std::uint32_t place) const { return items_[place]; }
  void give_back(std::uint32_t place) { free_.push_back(place); }

 private:
  std::vector<T> items_;
  std::vector<std::uint32_t> free_;
};

/// A queue of items by time, which is never negative; of those of one time the one that came first. The replay spends most
/// of its time here: a heap with four children a node, over keys that compare as one number, and the next one apart, as
/// what is pushed is often due before all the others.
template <typename T>
class TimeQueue {
 public:
  bool empty() const { return !has_next_ && keys_.empty(); }

  void push(double time, const T& item) {
    Key key = key_of(time, count_++, items_.put(item));
    if (!has_next_ && (keys_.empty() || key < keys_.front())) {
      has_next_ = true;
      next_ = key;
      return;
    }
    if (has_next_ && key < next_) std::swap(key, next_);
    keys_.push_back(key);
    rise(keys_.size() - 1, key);
  }

  struct Due {
    double time = 0;
    T item;
  };
  Due pop() {
    const Key first = has_next_ ? next_ : keys_.front();
    if (!std::exchange(has_next_, false)) {
      const Key last = keys_.back();
      keys_.pop_back();
      if (!keys_.empty()) fill_root(last);
    }
    const auto place = static_cast<std::uint32_t>(first);
    items_.give_back(place);
    return {std::bit_cast<double>(static_cast<std::uint64_t>(first >> 64)), items_[place]};
  }

 private:
  static constexpr std::size_t kChildren = 4;
  __extension__ using Key = unsigned __int128;  ///< the time, its turn, where the item is

  static Key key_of(double time, std::uint32_t turn, std::uint32_t place) {
    // Doubles that are not negative lie in the order of their bits.
    return static_cast<Key>(std::bit_cast<std::uint64_t>(time + 0.0)) << 64 |
           (std::uint64_t{turn} << 32 | place);
  }

  void rise(std::size_t at, Key key) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kChildren;
      if (keys_[parent] < key) break;
      keys_[at] = keys_[parent];
      at = parent;
    }
    keys_[at] = key;
  }
  /// With the last of the leaves, which mostly belongs near the leaves: down without asking, and up from there.
  void fill_root(Key key) {
    const std::size_t count = keys_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < count; child = at * kChildren + 1) {
      std::size_t least = child;
      if (child + kChildren <= count) {
        const std::size_t left = child + (keys_[child + 1] < keys_[child]);
        const std::size_t right = child + 2 + (keys_[child + 3] < keys_[child + 2]);
        least = left + (right - left) * (keys_[right] < keys_[left]);
      } else {
        for (std::size_t other = child + 1; other < count; ++other)
          if (keys_[other] < keys_[least]) least = other;
      }
      keys_[at] = keys_[least];
      at = least;
    }
    rise(at, key);
  }

  std::vector<Key> keys_;
  Key next_ = 0;
  bool has_next_ = false;
  Places<T> items_;
  std::uint32_t count_ = 0;
};

}  // namespace labkit::timing
