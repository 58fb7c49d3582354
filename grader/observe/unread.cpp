// Not every value in shared memory that nobody reads is missing somewhere: the corners of a tile with a border, zeros behind the
// last element. What is lost of a sum either was changed there before (an element that a thread read and stored again, or changed by
// an atomic operation), or is the last of what its line stored. The build that is watched should be the unoptimised one:
// the optimiser keeps in a register what the source reads again.
#include "observe/unread.h"

#include <algorithm>
#include <map>
#include <utility>

namespace labkit::observe {
namespace {

/// A value in shared memory, at the address where it begins.
struct Value {
  std::uint32_t instruction = 0, bytes = 0;  ///< that stored it last
  std::uint32_t reader = 0;                  ///< the last thread that read it, where one did
  bool is_read = false, is_changed = false, is_zero = false;
};
using Values = std::map<std::uint64_t, Value>;

bool is_zero(const simt::Access& access, std::uint32_t lane) {
  for (std::uint32_t at = 0; at < access.bytes_per_lane;
       at += std::min(access.bytes_per_lane, 4u)) {
    const auto stored =
        simt::stored_bytes(access, lane, at, std::min(access.bytes_per_lane - at, 4u));
    if (!stored || *stored != 0) return false;
  }
  return true;
}

/// Those of one line in one array, rising.
using Group = std::vector<std::pair<std::uint64_t, const Value*>>;

bool is_lost(const Value& value) { return !value.is_read && !value.is_zero; }

/// Whether what nobody read of them is missing somewhere.
bool is_missing(const Group& group) {
  const auto lost = [](const auto& each) { return is_lost(*each.second); };
  const auto first = std::ranges::find_if(group, lost);
  if (first == group.end() || std::ranges::all_of(group, lost)) return false;
  const bool all_changed = std::ranges::all_of(
      group, [&](const auto& each) { return !lost(each) || each.second->is_changed; });
  return all_changed || (first != group.begin() && std::all_of(first, group.end(), lost));
}

}  // namespace

class ReadWatch::Watcher final : public simt::Observer {
 public:
  explicit Watcher(ReadWatch& plan) : plan_(plan) {}

  void on_access(const simt::Access& access) override {
    if (access.space == ptx::Space::global) return on_global(access);
    if (access.space == ptx::Space::shared && !plan_.unread_.left) on_shared(access);
  }
  void on_block_begin(std::uint64_t block, std::uint32_t) override { values_.begin(block).clear(); }
  void on_block_end(std::uint64_t block) override {
    if (!plan_.unread_.left) look_at(block);
    values_.end(block);
  }

 private:
  void on_global(const simt::Access& access) {
    if (access.is_store && !access.is_atomic) return;
    for (const auto lane : Lanes(access.active))
      for (std::size_t i = 0; i < plan_.arrays_.size(); ++i) {
        const std::uint64_t begin = access.addresses[lane] - plan_.arrays_[i].begin;
        if (begin >= plan_.arrays_[i].bytes) continue;
        const std::uint64_t end =
            std::min<std::uint64_t>(begin + access.bytes_per_lane, plan_.arrays_[i].bytes);
        std::fill(plan_.unread_.read[i].begin() + static_cast<std::ptrdiff_t>(begin),
                  plan_.unread_.read[i].begin() + static_cast<std::ptrdiff_t>(end), 1);
      }
  }
  void on_shared(const simt::Access& access) {
    Values& values = values_.at(access.block);
    for (const auto lane : Lanes(access.active)) {
      const std::uint64_t begin = access.addresses[lane], end = begin + access.bytes_per_lane;
      const std::uint32_t thread = access.warp * 32 + lane;
      if (!access.is_store && !access.is_atomic) {
        for (auto at = values.lower_bound(begin); at != values.end() && at->first < end; ++at) {
          at->second.is_read = true;
          at->second.reader = thread;
        }
        continue;
      }
      const auto before = values.find(begin);
      const bool is_changed =
          access.is_atomic ||
          (before != values.end() && before->second.is_read && before->second.reader == thread);
      values[begin] = {.instruction = access.instruction,
                       .bytes = access.bytes_per_lane,
                       .is_changed = is_changed,
                       .is_zero = !access.is_atomic && is_zero(access, lane)};
    }
  }
  void look_at(std::uint64_t block) {
    const Places& names = plan_.names_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Group> groups;  // by line and array
    for (const auto& [address, value] : values_.at(block))
      groups[{names.line(value.instruction).line, names.extent(ptx::Space::shared, address).begin}]
          .emplace_back(address, &value);
    for (const auto& [key, group] : groups) {
      const launch::Extent array = names.extent(ptx::Space::shared, group.front().first);
      if (array.name.empty() || !is_missing(group)) continue;
      LeftUnread left{.block = names.block(block),
                      .where = names.line(group.front().second->instruction),
                      .array = array,
                      .element_bytes = group.front().second->bytes,
                      .elements = {}};
      for (const auto& [address, value] : group)
        if (is_lost(*value)) left.elements.push_back((address - array.begin) / left.element_bytes);
      plan_.unread_.left = std::move(left);
      return;
    }
  }

  ReadWatch& plan_;
  BlockStates<Values> values_;
};

ReadWatch::ReadWatch(const Places& names, std::span<const NamedRange> arrays)
    : names_(names), arrays_(arrays.begin(), arrays.end()) {
  for (const NamedRange& array : arrays_) unread_.read.emplace_back(array.bytes);
}

std::unique_ptr<simt::Observer> ReadWatch::make() { return std::make_unique<Watcher>(*this); }

}  // namespace labkit::observe
