// What observers have in common: the lanes of a mask, ranges of places, the blocks that are under way.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/machine.h"

namespace labkit::observe {

inline std::uint32_t first_lane(std::uint32_t mask) {
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

/// Those of a mask, from the first on: `for (const auto lane : Lanes(access.active))`.
class Lanes {
 public:
  explicit Lanes(std::uint32_t mask) : mask_(mask) {}
  struct Iterator {
    std::uint32_t rest = 0;
    std::uint32_t operator*() const { return first_lane(rest); }
    Iterator& operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {mask_}; }
  Iterator end() const { return {}; }

 private:
  std::uint32_t mask_;
};

/// Bytes or cells, [begin, end), that hold all that was added; nothing at first.
struct Span {
  std::uint64_t begin = ~0ull, end = 0;
  bool empty() const { return begin >= end; }
  void add(std::uint64_t from, std::uint64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
  void add(const Span& more) { add(more.begin, more.end); }
};

/// As many bytes as the narrowest access to a space touches, and at most so many: no two accesses share a part of a cell.
inline std::uint32_t cell_bytes(const simt::Program& program, ptx::Space space,
                                std::uint32_t most) {
  for (const auto& facts : simt::instructions(program)) {
    const bool is_copy = facts.is_load && facts.is_store;  // cp.async: of global into shared memory
    if ((facts.is_load || facts.is_store || facts.is_atomic) &&
        (facts.space == space || facts.space == ptx::Space::generic ||
         (is_copy && space == ptx::Space::shared)))
      most = std::min(most, std::max<std::uint32_t>(facts.bytes_per_lane, 1));
  }
  return most;
}

/// What is kept of each block between its begin and its end: several may be under way, since those that wait for others are
/// set aside.
template <typename State>
class BlockStates {
 public:
  /// A new one, or that of a block which is over, as it was left.
  State& begin(std::uint64_t block) {
    auto& state = states_[block];
    if (spare_.empty()) {
      state = std::make_unique<State>();
    } else {
      state = std::move(spare_.back());
      spare_.pop_back();
    }
    current_ = state.get();
    number_ = block;
    return *current_;
  }
  State& at(std::uint64_t block) {
    if (current_ == nullptr || number_ != block) {
      current_ = states_.at(block).get();
      number_ = block;
    }
    return *current_;
  }
  void end(std::uint64_t block) {
    const auto at = states_.find(block);
    spare_.push_back(std::move(at->second));
    states_.erase(at);
    current_ = nullptr;
  }
  /// Of the block that was looked at last; null if that is over.
  const State* current() const { return current_; }
  /// Those under way, by number.
  const std::unordered_map<std::uint64_t, std::unique_ptr<State>>& all() const { return states_; }

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<State>> states_;
  std::vector<std::unique_ptr<State>> spare_;
  State* current_ = nullptr;
  std::uint64_t number_ = 0;
};

/// Calls a function with each access to global memory, of a run on one host thread.
class EachGlobalAccess : public simt::ObserverFactory {
 public:
  using Visit = std::function<void(const simt::Access&)>;
  explicit EachGlobalAccess(Visit visit) : visit_(std::move(visit)) {}
  std::unique_ptr<simt::Observer> make() override { return std::make_unique<Watcher>(visit_); }
  void collect(simt::Observer&, const simt::Executions&) override {}

 private:
  struct Watcher final : simt::Observer {
    explicit Watcher(const Visit& visit) : visit(visit) {}
    void on_access(const simt::Access& access) override {
      if (access.space == ptx::Space::global) visit(access);
    }
    bool wants_each_shared_access() const override { return false; }
    const Visit& visit;
  };
  Visit visit_;
};

}  // namespace labkit::observe
