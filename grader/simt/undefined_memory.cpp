// Undefined bytes on their way through memory: what loads find and stores leave.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "simt/access.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

/// Where a word stored undefined has its origin noted: local memory is a lane's own.
std::uint64_t origin_key(std::uint8_t space, std::uint64_t address, std::uint32_t thread) {
  return space == kLocalSpace ? 1ull << 62 | std::uint64_t{thread} << 32 | address / 4
                              : address / 4;
}

/// Of memory that is looked through rather than asked about lane by lane.
constexpr std::uint64_t kWhole = 512;

bool any_set(const std::uint8_t* at, std::uint64_t bytes) {
  std::uint8_t any = 0;
  for (std::uint64_t b = 0; b < bytes; ++b) any |= at[b];
  return any != 0;
}

std::uint64_t bytes_at(const std::uint8_t* at, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

/// All bits of each byte that is not 0.
std::uint64_t widen(std::uint64_t flags) {
  flags |= flags >> 1;
  return (flags & 0x0101010101010101ull) * 0xFF;
}

/// A store's byte, of its undefined bits. One of which some bits are set stays defined from then on, as when bit-fields are
/// set one after another: read, masked, stored.
std::uint8_t flag_of(std::uint64_t bits) {
  return (bits & 0xFF) == 0xFF ? kStoredUndefined : kDefined;
}

}  // namespace

void UndefinedStores::note(std::uint64_t address, Element element) {
  const auto keep = [&](Element& have) {
    if (have.bytes == 0 || keeps_last || element.block <= have.block) have = element;
  };
  if (element.bytes < kWordBytes) return keep(small_[address]);
  const std::uint64_t number = address / kPageBytes;
  if (near_page_ == nullptr || near_ != number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    near_page_ = page.get();
    near_ = number;
  }
  keep((*near_page_)[address % kPageBytes / kWordBytes]);
}

const UndefinedStores::Element* UndefinedStores::word_at(std::uint64_t address) const {
  const auto page = pages_.find(address / kPageBytes);
  if (page == pages_.end()) return nullptr;
  const auto& element = (*page->second)[address % kPageBytes / kWordBytes];
  return element.bytes == 0 ? nullptr : &element;
}

std::optional<UndefinedUse> UndefinedStores::at(std::uint64_t address) const {
  for (const std::uint64_t size : {1, 2}) {  // elements lie at multiples of their size
    const auto element = small_.find(address & ~(size - 1));
    if (element != small_.end() && element->second.bytes >= size)
      return use_of(element->second, element->first);
  }
  if (pages_.empty()) return std::nullopt;
  for (const std::uint64_t size : {4, 8}) {
    const std::uint64_t begin = address & ~(size - 1);
    if (const auto* element = word_at(begin); element != nullptr && element->bytes >= size)
      return use_of(*element, begin);
  }
  return std::nullopt;
}

UndefinedUse UndefinedStores::from(std::uint32_t origin, std::uint64_t block,
                                   std::uint32_t thread) const {
  if (origin >= origins.size()) return {};
  UndefinedUse use = origins[origin];
  // its own lane's, if that read there, is where it has it from
  const auto& by_lane = lanes[origin];
  if (use.block == block && use.origin_thread / 32 == thread / 32 &&
      (by_lane.known >> thread % 32 & 1) != 0) {
    use.origin_thread = thread;
    use.origin_address = by_lane.addresses[thread % 32];
  }
  return use;
}

UndefinedUse UndefinedStores::use_of(const Element& element, std::uint64_t address) const {
  UndefinedUse use = from(element.origin, element.block, element.thread);
  use.kind = UndefinedUse::Kind::output;
  use.instruction = element.instruction;
  use.block = element.block;
  use.thread = element.thread;
  use.address = address;
  return use;
}

std::uint8_t* LaunchShadow::of(const Allocation& allocation, bool make) {
  const auto number = static_cast<std::size_t>(&allocation - memory_.allocations.data());
  auto* have = shadows_[number].load(std::memory_order_acquire);
  if (have != nullptr || !make) return have;
  const std::lock_guard lock(mutex_);
  auto& undefined = memory_.allocations[number].undefined;
  if (undefined.empty())
    undefined = std::vector<std::uint8_t>(allocation.contents.size(), kDefined);
  shadows_[number].store(undefined.data(), std::memory_order_release);
  return undefined.data();
}

void LaunchShadow::finish(const std::vector<const UndefinedStores*>& stored, UseTable& uses) const {
  // by place, the lowest block's first; of a place that several have stored to, whose is still there nobody knows
  std::map<std::uint64_t, std::vector<const UndefinedStores*>> pages, small;
  for (const auto* one : stored) {
    for (const auto& [number, page] : one->pages()) pages[number].push_back(one);
    for (const auto& [address, element] : one->small()) small[address].push_back(one);
  }
  const auto note_lowest = [&](std::uint64_t address, const auto& holders, const auto& element_of) {
    const UndefinedStores* holder = nullptr;
    const UndefinedStores::Element* lowest = nullptr;
    for (const auto* one : holders) {
      const auto& element = element_of(*one);
      if (element.bytes == 0 || (lowest != nullptr && lowest->block < element.block)) continue;
      holder = one;
      lowest = &element;
    }
    if (lowest == nullptr) return;
    const auto* allocation = memory_.slot_of(address);
    if (allocation == nullptr || allocation->undefined.empty()) return;
    const std::uint64_t offset = address - allocation->begin;
    const auto* at = allocation->undefined.data() + offset;
    bool is_padding = true;
    for (std::uint32_t i = 0; i < lowest->bytes; ++i)
      is_padding = is_padding && allocation->is_padding(offset + i);
    if (!is_padding &&
        std::all_of(at, at + lowest->bytes, [](auto b) { return b == kStoredUndefined; }))
      note_use(uses, holder->use_of(*lowest, address));
  };
  for (const auto& [number, holders] : pages)
    for (std::size_t k = 0; k < std::tuple_size_v<UndefinedStores::Page>; ++k)
      note_lowest(
          number * UndefinedStores::kPageBytes + k * UndefinedStores::kWordBytes, holders,
          [&, page =
           number ](const auto& one) -> const auto& { return (*one.pages().at(page))[k]; });
  for (const auto& [place, holders] : small)
    note_lowest(
        place, holders, [address = place](const auto& one) -> const auto& {
          return one.small().at(address);
        });
}

std::uint32_t Worker::origin_of(std::uint8_t space, std::uint64_t address, std::uint32_t lane,
                                std::uint8_t how, const MemoryOp& memory) {
  const std::uint32_t thread = warp_->number * kLanes + lane;
  if (how != kNeverWritten) {
    if (space == kSharedSpace || space == kLocalSpace) {
      const auto at = shadow_->origins.find(origin_key(space, address, thread));
      if (at != shadow_->origins.end()) return at->second;
    } else if (const auto stored = undefined_stores.at(address)) {
      return new_origin(*stored);
    }
  }
  return new_origin({.block = block_,
                     .origin = memory.index,
                     .origin_space = static_cast<ptx::Space>(space),
                     .origin_address = address,
                     .origin_thread = thread});
}

/// Nearly always all that a warp loads is defined, and so is what it stores, and one look at the bytes from the lowest to
/// the highest tells. False: it must be looked at lane by lane.
bool Worker::settle_together(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                             const std::uint64_t* addresses, const Pattern& pattern) {
  const auto first = addresses[pattern.first];
  const std::uint64_t begin = first + static_cast<std::uint64_t>(pattern.low),
                      bytes = static_cast<std::uint64_t>(pattern.high - pattern.low);
  std::uint8_t* at = nullptr;
  if (space == kSharedSpace) {
    at = shadow_->shared.data() + begin;
  } else if (space == kGlobalSpace) {
    const auto* allocation = launch_.memory->slot_of(begin);
    if (allocation == nullptr || allocation != launch_.memory->slot_of(begin + bytes - 1))
      return false;
    at = launch_.shadow->of(*allocation, false);
    if (at != nullptr) at += begin - allocation->begin;
  } else {
    return false;
  }
  if (memory.is_store) {
    if (at == nullptr) return true;
    if (pattern.shape != Shape::consecutive) return false;
    std::memset(at, kDefined, bytes);
    return true;
  }
  if (at != nullptr && (bytes > kWhole || any_set(at, bytes))) return false;
  define_loaded(memory, mask);
  return true;
}

/// All that was loaded is defined.
void Worker::define_loaded(const MemoryOp& memory, std::uint32_t mask) {
  const std::uint32_t count = program_.instructions[memory.index].is_atomic ? 1 : memory.count;
  for (std::uint32_t k = 0; k < count; ++k)
    define(memory.data[k], memory.register_is_64_bit ? 'l' : 'w', mask);
  if (is_async_copy(memory)) in_flight_any_ = false;
}

void Worker::follow_access(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                           const std::uint64_t* addresses, const Pattern* pattern) {
  const bool is_atomic = program_.instructions[memory.index].is_atomic;
  bool undefined_data = memory.is_store && is_async_copy(memory) && in_flight_any_;
  if ((memory.is_store || is_atomic) && warp_shadow_->count != 0)
    undefined_data =
        undefined_data || std::any_of(memory.data, memory.data + (is_atomic ? 3u : memory.count),
                                      [&](Slot slot) { return is_undefined(slot); });
  if (pattern != nullptr && !pattern->wild && !is_atomic && !undefined_data &&
      settle_together(memory, space, mask, addresses, *pattern))
    return;
  std::uint8_t* at[kLanes] = {};
  const Allocation* last = nullptr;  // nearly always there is one, which is wholly defined
  std::uint8_t* shadow = nullptr;
  bool has_shadow = false, any = false;
  for (const std::uint32_t i : LanesOf(mask)) {
    if (space == kSharedSpace) {
      at[i] = shadow_->shared.data() + addresses[i];
    } else if (space == kLocalSpace) {
      at[i] = warp_shadow_->local.data() + std::size_t{i} * warp_->local_capacity + addresses[i];
    } else if (space == kGlobalSpace) {
      const auto* allocation = launch_.memory->slot_of(addresses[i]);
      if (allocation != last) shadow = launch_.shadow->of(*allocation, undefined_data);
      last = allocation;
      if (shadow != nullptr) at[i] = shadow + (addresses[i] - allocation->begin);
    }
    if (at[i] == nullptr) continue;
    has_shadow = true;
    any = any || is_atomic || memory.is_store || any_set(at[i], memory.bytes);
  }
  if (memory.is_store && !undefined_data) {
    for (const std::uint32_t i : LanesOf(mask))
      if (at[i] != nullptr) std::memset(at[i], kDefined, memory.bytes);
  } else if (!memory.is_store && !any) {
    define_loaded(memory, mask);
  } else if (has_shadow) {
    follow_lanes(memory, space, mask, addresses, at);
  }
}

/// A lane that reads, with others, what nobody has written.
void Worker::note_lane(std::uint32_t origin, const MemoryOp& memory, std::uint32_t lane,
                       std::uint64_t address) {
  const auto& from = undefined_stores.origins[origin];
  if (from.origin != memory.index || from.block != block_ ||
      from.origin_thread / kLanes != warp_->number)
    return;
  auto& lanes = undefined_stores.lanes[origin];
  lanes.known |= 1u << lane;
  lanes.addresses[lane] = address;
}

/// The same where something is undefined: lane by lane.
void Worker::follow_lanes(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                          const std::uint64_t* addresses, std::uint8_t** at) {
  const auto& facts = program_.instructions[memory.index];
  const bool store = memory.is_store, is_atomic = facts.is_atomic;
  if (in_flight_.empty()) in_flight_.resize(std::size_t{kLanes} * 16);
  auto mark = [&](std::uint32_t i, std::uint64_t offset, std::uint32_t bytes, std::uint64_t bits,
                  std::uint32_t origin) {
    std::uint8_t flags[8];
    bool all = true, any = false;
    for (std::uint32_t b = 0; b < bytes; ++b) {
      flags[b] = flag_of(bits >> 8 * b);
      all = all && flags[b] != kDefined;
      any = any || flags[b] != kDefined;
    }
    if (at[i] == nullptr) return;
    std::memcpy(at[i] + offset, flags, bytes);
    if (!any) return;
    const std::uint64_t address = addresses[i] + offset;
    const std::uint32_t thread = warp_->number * kLanes + i;
    if (space == kSharedSpace || space == kLocalSpace) {
      for (std::uint32_t b = 0; b < bytes; b += 4)
        shadow_->origins[origin_key(space, address + b, thread)] = origin;
      return;
    }
    if (!all) return;  // padding that is copied along
    undefined_stores.note(address, {.block = block_,
                                    .instruction = memory.index,
                                    .origin = origin,
                                    .thread = static_cast<std::uint16_t>(thread),
                                    .bytes = static_cast<std::uint8_t>(bytes)});
  };
  if (is_async_copy(memory)) {
    for (const std::uint32_t i : LanesOf(mask)) {
      auto* flight = in_flight_.data() + std::size_t{i} * 16;
      if (!store) {
        if (at[i] == nullptr) {
          std::memset(flight, 0, 16);
          continue;
        }
        std::memcpy(flight, at[i], memory.bytes);
        if (const auto* first =
                std::find_if(flight, flight + memory.bytes, [](auto b) { return b != kDefined; });
            first != flight + memory.bytes)
          in_flight_origin_ = origin_of(
              space, addresses[i] + static_cast<std::uint64_t>(first - flight), i, *first, memory);
        continue;
      }
      for (std::uint32_t b = 0; b < memory.bytes; b += 4)
        mark(i, b, 4, widen(bytes_at(flight + b, 4)), in_flight_origin_);
    }
    in_flight_any_ = !store;
    return;
  }
  // what an exchange leaves is its operand, whatever was there before
  const bool replaces = is_atomic && facts.function->body[facts.body_index].has("exch");
  const std::uint32_t elements = is_atomic ? 1 : memory.count;
  for (std::uint32_t k = 0; k < elements; ++k) {
    std::uint64_t undefined[kLanes] = {};
    std::uint32_t origin = ~0u;
    const Slot slot = memory.data[is_atomic ? 1 : k];
    for (const std::uint32_t i : LanesOf(mask)) {
      const std::uint64_t offset = std::uint64_t{k} * memory.element_bytes;
      std::uint64_t operand = 0;
      if ((store || is_atomic) && is_undefined(slot)) {
        operand = read_lane(shadow_of(slot), memory.register_is_64_bit, i);
        if (operand != 0) origin = warp_shadow_->origin[slot / 4];
      }
      if (store) {
        mark(i, offset, memory.element_bytes, operand, origin);
        continue;
      }
      if (at[i] == nullptr) continue;
      const std::uint64_t flags = bytes_at(at[i] + offset, memory.element_bytes);
      const std::uint64_t bits = widen(flags);
      if (flags != 0) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(flags)) / 8;
        if (origin == ~0u)
          origin =
              origin_of(space, addresses[i] + offset + first, i, at[i][offset + first], memory);
        if (at[i][offset + first] == kNeverWritten)
          note_lane(origin, memory, i, addresses[i] + offset + first);
      }
      if (is_atomic && (bits | operand) != 0)
        mark(i, 0, memory.bytes, replaces ? operand : ~0ull, origin);
      undefined[i] = memory.sign_extend ? sign_extended(bits, memory.element_bytes) : bits;
    }
    if (store) continue;
    set_shadow(memory.data[is_atomic ? 0 : k], memory.register_is_64_bit, undefined, mask, origin);
  }
}

/// Parameters of calls: moves from registers to a lane's parameter memory and back.
void Worker::follow_parameter(const Op& op, std::uint32_t m, bool store) {
  const auto& memory = program_.memory_ops[op.aux];
  auto& shadow = *warp_shadow_;
  auto at = [&](std::uint32_t i, std::uint32_t k) {
    return shadow.parameters.data() + std::size_t{i} * program_.parameter_bytes_per_lane + op.imm +
           std::size_t{k} * memory.element_bytes;
  };
  for (std::uint32_t k = 0; k < memory.count; ++k) {
    const Slot slot = memory.data[k];
    if (slot == kNoSlot) continue;
    if (store) {
      const bool undefined = is_undefined(slot);
      for (const std::uint32_t i : LanesOf(m)) {
        const std::uint64_t bits =
            undefined ? read_lane(shadow_of(slot), memory.register_is_64_bit, i) : 0;
        for (std::uint32_t b = 0; b < memory.element_bytes; ++b)
          at(i, k)[b] = bits >> 8 * b & 0xFF ? kStoredUndefined : kDefined;
      }
      if (!undefined) continue;
      shadow.parameter_origin = shadow.origin[slot / 4];
      // from now on calls of this block must be looked at even if no register is undefined
      if (!shadow.parameters_undefined) ++shadow.count;
      shadow.parameters_undefined = true;
      continue;
    }
    std::uint64_t undefined[kLanes] = {};
    for (const std::uint32_t i : LanesOf(m)) {
      const std::uint64_t bits = widen(bytes_at(at(i, k), memory.element_bytes));
      undefined[i] = memory.sign_extend ? sign_extended(bits, memory.element_bytes) : bits;
    }
    set_shadow(slot, memory.register_is_64_bit, undefined, m, shadow.parameter_origin);
  }
}

}  // namespace labkit::simt
