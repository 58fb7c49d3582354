// The parts of memory access that are not the fast path: patterns, allocations, generic and local addresses, faults.
#include "simt/access.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simt/heap.h"
#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

constexpr std::size_t kMostProbes = 8;
constexpr std::uint32_t kMostPatterns = 4096;  ///< per host thread (about 330 bytes each)

/// Element `k` of an access, between lane `lane` of its register and `at` in the host's memory.
void load_element(std::byte* registers, const MemoryOp& memory, std::uint32_t k, std::uint32_t lane,
                  const std::byte* at) {
  if (memory.data[k] == kNoSlot) return;
  std::uint64_t value = 0;
  std::memcpy(&value, at + std::size_t{k} * memory.element_bytes, memory.element_bytes);
  if (memory.sign_extend) value = sign_extended(value, memory.element_bytes);
  write_lane(registers + memory.data[k], memory.register_is_64_bit, lane, value);
}
void store_element(const std::byte* registers, const MemoryOp& memory, std::uint32_t k,
                   std::uint32_t lane, std::byte* at) {
  if (memory.data[k] == kNoSlot) return;
  const std::uint64_t value =
      read_lane(registers + memory.data[k], memory.register_is_64_bit, lane);
  std::memcpy(at + std::size_t{k} * memory.element_bytes, &value, memory.element_bytes);
}

/// Sum of the distances, each times an odd number of its own: independent products rather than a chain.
std::uint64_t hash_of(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ull;
  const std::uint64_t start = addresses[first_lane(mask)];
  std::uint64_t sums[4] = {bytes, mask, 0, 0};
  for (std::uint64_t i = 0; i < kLanes; i += 4)
    for (std::uint64_t k = 0; k < 4; ++k)
      sums[k] += (addresses[i + k] - start) * ((2 * (i + k) + 3) * kOdd | 1);
  const std::uint64_t h =
      (sums[0] ^ std::rotl(sums[1], 17) ^ std::rotl(sums[2], 31) ^ std::rotl(sums[3], 47)) * kOdd;
  return (h ^ h >> 29) | 1;
}

}  // namespace

std::optional<std::uint32_t> stored_bytes(const Access& access, unsigned lane, unsigned offset,
                                          unsigned bytes) {
  if (access.op == nullptr || !access.op->is_store) return std::nullopt;
  const auto& op = *access.op;
  const Slot slot = op.data[offset / op.element_bytes];
  if (slot == kNoSlot) return std::nullopt;
  const std::uint64_t element = read_lane(access.registers + slot, op.register_is_64_bit, lane);
  const auto word = static_cast<std::uint32_t>(element >> 8 * (offset % op.element_bytes));
  return bytes >= 4 ? word : word & ((1u << 8 * bytes) - 1);
}

void Worker::fill_pattern(Pattern& pattern, const std::uint64_t* addresses, std::uint32_t mask,
                          std::uint32_t bytes) {
  const std::uint32_t first = first_lane(mask);
  pattern.mask = mask;
  pattern.bytes = bytes;
  pattern.first = first;
  pattern.id = 0;
  pattern.low = 0;
  pattern.high = bytes;
  pattern.alignment_bits = 0;
  pattern.wild = false;
  bool uniform = true;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t delta = mask >> i & 1 ? addresses[i] - addresses[first] : 0;
    pattern.delta[i] = delta;
    const auto distance = static_cast<std::int64_t>(delta);
    if (distance > (1ll << 40) || distance < -(1ll << 40)) {
      pattern.wild = true;
      continue;
    }
    pattern.low = std::min(pattern.low, distance);
    pattern.high = std::max(pattern.high, distance + static_cast<std::int64_t>(bytes));
    pattern.alignment_bits |= delta;
    uniform = uniform && delta == 0;
  }
  pattern.step = pattern.delta[1];
  pattern.even = mask == kAllLanes;
  for (std::uint64_t i = 0; i < kLanes; ++i)
    pattern.even = pattern.even && pattern.delta[i] == i * pattern.step;
  pattern.shape = pattern.even && pattern.step == bytes ? Shape::consecutive
                  : uniform                             ? Shape::uniform
                                                        : Shape::scattered;
  if (pattern.shape != Shape::scattered || mask != kAllLanes) return;
  for (std::uint32_t h = 0; h < 2; ++h) {
    const std::size_t first_of_half = std::size_t{16} * h;
    bool rises = true, stays = true;
    for (std::uint32_t i = 0; i < kLanes / 2; ++i) {
      const std::uint64_t step = pattern.delta[first_of_half + i] - pattern.delta[first_of_half];
      rises = rises && step == std::uint64_t{i} * bytes;
      stays = stays && step == 0;
    }
    pattern.half[h] = rises ? Shape::consecutive : stays ? Shape::uniform : Shape::scattered;
  }
  if (pattern.half[0] != Shape::scattered && pattern.half[1] != Shape::scattered)
    pattern.shape = Shape::halves;
}

/// What a block is charged for a new pattern depends on what it did itself, not on what its host thread has seen before.
void Worker::forget_patterns() {
  for (auto& memo : memos_) {
    if (memo.pattern != nullptr) memo.of_last_block = memo.pattern;
    memo.pattern = nullptr;
    memo.hash = 0;
  }
}

/// A pattern is remembered when it comes a second time; random addresses would fill the table otherwise. Whoever's pattern
/// is not that of the access before is charged for it, remembered or not.
const Pattern* Worker::look_up(const MemoryOp& memory, AccessMemo& memo,
                               const std::uint64_t* addresses, std::uint32_t mask) {
  const auto fits = [&](const Pattern& pattern) {
    std::uint64_t difference = (pattern.mask ^ mask) | (pattern.bytes ^ memory.bytes);
    const std::uint64_t start = addresses[first_lane(mask)];
    for (int i = 0; i < kLanes; ++i) difference |= (addresses[i] - start) ^ pattern.delta[i];
    return difference == 0;
  };
  // Mostly a block begins as the one before did.
  if (const Pattern* last = memo.of_last_block; last != nullptr && memo.hash == 0) {
    if (fits(*last)) {
      memo.hash = last->hash;
      return memo.pattern = last;
    }
  }
  const std::uint64_t hash = hash_of(addresses, mask, memory.bytes);
  if (hash != memo.hash && memo.hash != 0)
    block_cost_ += kNewPatternCost + spread_cost(addresses, mask, memory.space == kSharedSpace);
  memo.hash = hash;
  memo.pattern = nullptr;
  PatternPlace* place = nullptr;  // where it is, or would go
  for (std::size_t probe = 0; probe < kMostProbes && place == nullptr; ++probe) {
    auto& candidate = patterns_[((hash >> 20) + probe) % patterns_.size()];
    if (candidate.pattern == nullptr || candidate.hash == hash) place = &candidate;
  }
  if (place != nullptr && place->pattern != nullptr) {
    if (fits(*place->pattern)) return memo.pattern = place->pattern.get();
  } else if (place != nullptr && seen_[hash >> 54] == hash && pattern_count_ < kMostPatterns) {
    place->hash = hash;
    place->pattern = std::make_unique<Pattern>();
    fill_pattern(*place->pattern, addresses, mask, memory.bytes);
    place->pattern->id = ++pattern_count_;
    place->pattern->hash = hash;
    return memo.pattern = place->pattern.get();
  }
  seen_[hash >> 54] = hash;
  fill_pattern(passing_, addresses, mask, memory.bytes);
  return &passing_;
}

bool Worker::find_window(std::uint64_t low, std::uint64_t high, bool is_store, Window& out) {
  auto* allocation = launch_.memory->slot_of(low);
  if (allocation == nullptr || low < allocation->begin || high > allocation->end() || low > high)
    return false;
  if ((is_store && allocation->is_constant) || allocation->is_heap) return false;
  out = {allocation->begin, allocation->end(), allocation->contents.data()};
  return true;
}

void Worker::note_poll(Access& access, const MemoryOp& memory, std::uint64_t address) {
  Split& split = warp_->split(warp_->current);
  last_poll_ = memory.acquires && !access.is_atomic ? Poll{memory.index, address} : Poll{};
  access.is_repeated_poll = last_poll_ != Poll{} && last_poll_ == split.gave_way;
  if (!access.is_repeated_poll) split.gave_way = {};
}

void Worker::report_access(const MemoryOp& memory, std::uint32_t mask,
                           const std::uint64_t* addresses, const Pattern* pattern) {
  if (shadow_) follow_access(memory, memory.space, mask, addresses, pattern);
  if (observer_ == nullptr) return;
  Access& access = accesses_[memory.serial];
  note_poll(access, memory, addresses[first_lane(mask)]);
  access.block = block_;
  access.warp = warp_->number;
  access.registers = registers;
  access.active = mask;
  access.addresses = addresses;
  access.shape = pattern;
  access.pattern = pattern == nullptr ? 0 : pattern->id;
  observer_->on_access(access);
}

void Worker::retally(const MemoryOp& memory, AccessMemo& memo, const Pattern* pattern,
                     std::uint64_t start) {
  if (memo.tallied == nullptr)
    tallied_.push_back(memory.serial);
  else
    report_tally(memory, memo);
  memo.tallied = pattern;
  memo.tally_start = start;
  memo.passed = 0;
}

void Worker::report_tally(const MemoryOp& memory, AccessMemo& memo) {
  const bool shared = memory.space == kSharedSpace;
  for (std::uint32_t phase = 0; phase < std::size(memo.tally); ++phase) {
    if (memo.tally[phase] == 0) continue;
    const std::uint64_t start =
        shared ? (memo.tally_start & ~3ull) + phase : (memo.tally_start & ~31ull) + 4ull * phase;
    alignas(64) std::uint64_t addresses[kLanes];
    launch_.target->spread(addresses, *memo.tallied, start);
    Access& access = accesses_[memory.serial];
    access.block = block_;
    access.active = memo.tallied->mask;
    access.addresses = addresses;
    access.shape = memo.tallied;
    access.pattern = memo.tallied->id;
    access.repeats = std::exchange(memo.tally[phase], 0);
    observer_->on_access(access);
    access.repeats = 1;
    access.addresses = nullptr;
  }
}

void Worker::report_tallies() {
  for (const std::uint32_t serial : tallied_) {
    report_tally(program_.memory_ops[serial], memos_[serial]);
    memos_[serial].tallied = nullptr;
  }
  tallied_.clear();
}

/// Of register `base` and an offset. Lanes that are off get the first active lane's.
void Worker::form_addresses(Slot base, std::uint64_t offset, const MemoryOp& memory,
                            std::uint32_t mask, std::uint64_t* addresses) const {
  for (std::size_t i = 0; i < kLanes; ++i)
    addresses[i] = offset + read_lane(registers + base, !memory.base_is_32_bit, i);
  const std::uint64_t first = addresses[first_lane(mask)];
  for (const std::uint32_t i : LanesOf(~mask)) addresses[i] = first;
}

std::byte* Worker::locate_lane(std::uint8_t space, std::uint64_t address, std::uint32_t bytes,
                               std::uint32_t lane, bool is_store) {
  auto inside = [&](std::uint64_t size) { return address <= size && bytes <= size - address; };
  switch (static_cast<ptx::Space>(space)) {
    case ptx::Space::shared:
      return inside(launch_.shared_bytes) ? shared_.data() + address : nullptr;
    case ptx::Space::local:
      return inside(warp_->local_capacity)
                 ? warp_->local.data() + std::size_t{lane} * warp_->local_capacity + address
                 : nullptr;
    case ptx::Space::param:
      // only ever read
      return !is_store && inside(launch_.parameters.size())
                 ? const_cast<std::byte*>(launch_.parameters.data()) + address
                 : nullptr;
    default: {
      auto* allocation = launch_.memory->slot_of(address);
      if (allocation == nullptr || address < allocation->begin ||
          (is_store && allocation->is_constant))
        return nullptr;
      if (allocation->is_heap && !Heap(*allocation).holds(address, bytes)) return nullptr;
      address -= allocation->begin;
      return inside(allocation->contents.size()) ? allocation->contents.data() + address : nullptr;
    }
  }
}

namespace {

/// A generic address as the space it lies in and the offset there.
void resolve(std::uint8_t& space, std::uint64_t& address) {
  if (space != kGenericSpace) return;
  if (address >= kParameterWindow - kBelowWindow)
    space = kParameterSpace, address -= kParameterWindow;
  else if (address >= kLocalWindow - kBelowWindow)
    space = kLocalSpace, address -= kLocalWindow;
  else if (address >= kSharedWindow - kBelowWindow)
    space = kSharedSpace, address -= kSharedWindow;
  else
    space = kGlobalSpace;
}

}  // namespace

bool Worker::locate(const MemoryOp& memory, std::uint32_t mask, const std::uint64_t* addresses,
                    std::byte** host) {
  const bool is_atomic = program_.instructions[memory.index].is_atomic;
  const bool writes = memory.is_store || is_atomic;
  std::uint8_t spaces[kLanes];
  alignas(64) std::uint64_t offsets[kLanes];
  std::uint32_t failing = 0;
  const auto is_aligned = [&](std::uint32_t i) { return (offsets[i] & (memory.bytes - 1)) == 0; };
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    spaces[i] = memory.space;
    offsets[i] = addresses[i];
    resolve(spaces[i], offsets[i]);
    if (!(mask >> i & 1)) continue;
    host[i] = is_aligned(i) ? locate_lane(spaces[i], offsets[i], memory.bytes, i, writes) : nullptr;
    if (host[i] == nullptr) failing |= 1u << i;
  }
  if (failing != 0) {
    const std::uint32_t i = first_lane(failing);
    // a misaligned address outside of every allocation is reported as out of bounds
    const bool misaligned =
        !is_aligned(i) && locate_lane(spaces[i], offsets[i], 1, i, writes) != nullptr;
    access_fault(memory, spaces[i], i, offsets[i], misaligned, failing, mask & ~failing);
    return false;
  }
  if (observer_ == nullptr && !shadow_) return true;
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint8_t space = spaces[first_lane(rest)];
    const std::uint32_t active = rest & lanes_where([&](auto i) { return spaces[i] == space; });
    rest &= ~active;
    if (shadow_) follow_access(memory, space, active, offsets, nullptr);
    if (observer_ == nullptr) continue;
    Access access = accesses_[memory.serial];
    access.space = static_cast<ptx::Space>(space);
    access.is_atomic = is_atomic;
    access.is_of_floats = program_.instructions[memory.index].is_of_floats;
    access.is_joined = program_.instructions[memory.index].is_joined;
    access.is_async = memory.is_store && is_async_copy(memory);
    note_poll(access, memory, offsets[first_lane(active)]);
    access.active = active;
    access.addresses = offsets;
    access.block = block_;
    access.warp = warp_->number;
    access.registers = registers;
    access.shape = nullptr;
    access.pattern = 0;
    observer_->on_access(access);
  }
  return true;
}

/// Between the registers of these lanes and their places in the host's memory.
void Worker::move_elements(const MemoryOp& memory, std::uint32_t mask, std::byte* const* host) {
  for (std::uint32_t k = 0; k < memory.count; ++k)
    for (const std::uint32_t i : LanesOf(mask))
      if (memory.is_store)
        store_element(registers, memory, k, i, host[i]);
      else
        load_element(registers, memory, k, i, host[i]);
}

bool Worker::slow_access(const MemoryOp& memory, std::uint32_t mask, std::uint64_t* addresses) {
  block_cost_ += kSlowAccessCost;
  if (memory.space != kLocalSpace) block_cost_ += spread_cost(addresses, mask, false);
  std::byte* host[kLanes];
  if (!locate(memory, mask, addresses, host)) return false;
  move_elements(memory, mask, host);
  return true;
}

bool Worker::async_copy(const Op& op, std::uint32_t mask) {
  const auto& store = program_.memory_ops[op.aux];
  const auto& load = program_.memory_ops[op.aux - 1];
  std::uint64_t addresses[kLanes];
  std::byte* source[kLanes];
  std::byte* destination[kLanes];
  const auto offset = static_cast<std::uint64_t>(std::int64_t{op.target});
  form_addresses(op.s[1], offset, load, mask, addresses);
  block_cost_ += spread_cost(addresses, mask, false);
  if (!locate(load, mask, addresses, source)) return false;
  form_addresses(op.s[0], op.imm, store, mask, addresses);
  if (!locate(store, mask, addresses, destination)) return false;
  for (const std::uint32_t i : LanesOf(mask)) {
    const auto bytes = op.s[2] == kNoSlot ? store.bytes : std::min(store.bytes, words(op.s[2])[i]);
    std::memset(destination[i], 0, store.bytes);
    std::memcpy(destination[i], source[i], bytes);
  }
  return true;
}

void Worker::report_async(AsyncEvent::Kind kind, const Op& op, std::uint32_t mask,
                          std::ptrdiff_t at) {
  if (observer_ == nullptr) return;
  // All of the code block are on the clock since it was entered.
  const CodeBlock& block = program_.blocks[warp_->split(warp_->current).block];
  const std::uint64_t entered = warp_->issued + (clock_ - began_) - (block.unguarded + 1);
  observer_->on_async({.block = block_,
                       .warp = warp_->number,
                       .lanes = mask,
                       .instruction = op.index,
                       .kind = kind,
                       .groups = kind == AsyncEvent::Kind::wait ? op.imm : AsyncEvent::kAll,
                       .issued = entered + (static_cast<std::uint64_t>(at) - block.first_op)});
}

void Worker::access_parameter(Warp& warp, const Op& op, std::uint32_t mask) {
  std::byte* host[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i)
    host[i] = warp.parameters.data() + i * program_.parameter_bytes_per_lane + op.imm;
  move_elements(program_.memory_ops[op.aux], mask, host);
}

}  // namespace labkit::simt
