#include "simt/heap.h"

#include <algorithm>

#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {

using words::Id;

std::uint64_t Heap::block_before(std::uint64_t address) const {
  for (std::uint64_t cell = std::min((address - begin_) / kHeapCell, cells_); cell-- > 0;)
    if (states_[cell] == kBlockHead || states_[cell] == kFreedHead)
      return begin_ + (cell + 1) * kHeapCell;
  return 0;
}

std::uint64_t Heap::size_of_block(std::uint64_t address) const {
  std::uint64_t size;
  std::memcpy(&size, blocks_ + (address - begin_) - kHeapCell, sizeof size);
  return size;
}

/// The first of so many cells in a row; cells_: there are none.
std::uint64_t Heap::find_room(std::uint64_t cells, bool& is_used_again) {
  std::uint64_t used;
  std::uint8_t* const count = states_ + cells_;
  std::memcpy(&used, count, sizeof used);
  is_used_again = cells > cells_ - used;
  if (!is_used_again) {
    const std::uint64_t end = used + cells;
    std::memcpy(count, &end, sizeof end);
    return used;
  }
  std::uint64_t free = 0;
  for (std::uint64_t cell = 0; cell < cells_; ++cell) {
    const auto state = states_[cell];
    free = state == 0 || state == kFreedHead || state == kFreed ? free + 1 : 0;
    if (free == cells) return cell + 1 - cells;
  }
  return cells_;
}

std::uint64_t Heap::allocate(std::uint64_t bytes, bool& is_used_again) {
  if (bytes == 0 || bytes > cells_ * kHeapCell) return 0;
  const std::uint64_t cells = (bytes + kHeapCell - 1) / kHeapCell;
  const std::uint64_t head = find_room(cells + 1, is_used_again);
  if (head == cells_) return 0;
  states_[head] = kBlockHead;
  std::memset(states_ + head + 1, kHeapCell, cells);
  states_[head + cells] = static_cast<std::uint8_t>(bytes - (cells - 1) * kHeapCell);
  std::memcpy(blocks_ + head * kHeapCell, &bytes, sizeof bytes);
  return begin_ + (head + 1) * kHeapCell;
}

void Heap::release(std::uint64_t address) {
  const std::uint64_t first = (address - begin_) / kHeapCell;
  states_[first - 1] = kFreedHead;
  std::memset(states_ + first, kFreed, (size_of_block(address) + kHeapCell - 1) / kHeapCell);
}

/// Calls of malloc() and free(), lane after lane. False: fault.
bool Worker::call_heap(Warp& warp, const Op& op, std::uint32_t mask) {
  const auto& site = program_.calls[op.aux];
  const bool frees = op.imm != 0;
  Allocation& memory = launch_.memory->allocations[*launch_.memory->heap];
  Heap heap(memory);
  changed_ = true;
  for (const std::uint32_t lane : LanesOf(mask)) {
    const std::size_t first = std::size_t{lane} * program_.parameter_bytes_per_lane;
    std::uint64_t argument;
    std::memcpy(&argument, warp.parameters.data() + first + site.arguments[0].offset,
                sizeof argument);
    if (frees) {
      if (argument == 0) continue;
      const auto stop = [&](Id why, Id fix) {
        return fail(launch::FindingKind::trap, launch::Cause::trap, op.index, warp.number,
                    1u << lane, {{why}}, {fix});
      };
      const bool is_inside = argument >= memory.begin + kHeapCell && argument < memory.end() &&
                             argument % kHeapCell == 0;
      const auto head = is_inside ? heap.state(argument - kHeapCell) : std::uint8_t{0};
      if (head == kFreedHead) return stop(Id::heap_freed_twice, Id::heap_fix_freed_twice);
      if (head != kBlockHead) return stop(Id::heap_no_block, Id::heap_fix_no_block);
      heap.release(argument);
      continue;
    }
    bool is_used_again = false;
    const std::uint64_t address = heap.allocate(argument, is_used_again);
    if (is_used_again) {
      block_cost_ += slots(1 << 12);  // to look for it
      if (observer_ != nullptr && address != 0) observer_->on_reuse(address, argument);
    }
    std::memcpy(warp.parameters.data() + first + site.results[0].offset, &address, sizeof address);
    if (!shadow_) continue;
    std::memset(shadow_->warps[warp.number].parameters.data() + first + site.results[0].offset,
                kDefined, sizeof address);
    if (address != 0)
      std::memset(launch_.shadow->of(memory, true) + (address - memory.begin), kNeverWritten,
                  argument);
  }
  return true;
}

/// An access in the heap's memory, but in no block.
void Worker::describe_outside_heap(launch::Finding& finding, const Allocation& memory) const {
  const Heap heap(memory);
  if (const auto state = heap.state(finding.address); state == kFreed || state == kFreedHead) {
    finding.cause = launch::Cause::out_of_bounds_freed;
    finding.evidence = {{Id::heap_freed}};
    finding.fix = {Id::heap_fix_freed};
    return;
  }
  const std::uint64_t block = heap.block_before(finding.address);
  if (block == 0 || heap.state(block - kHeapCell) != kBlockHead) {
    finding.evidence = {{Id::heap_outside}};
    return;
  }
  const std::uint64_t size = heap.size_of_block(block);
  finding.evidence = {
      {Id::heap_past_end,
       {{"size", words::count(size)}, {"distance", words::count(finding.address - block)}}}};
}

}  // namespace labkit::simt
