// Follows one host thread's accesses and says which of them nothing orders. Private to the race detector (races.h).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/race_cells.h"
#include "observe/race_checks.h"

namespace labkit::observe {

class RaceObserver final : public simt::Observer, public RaceChecks {
 public:
  explicit RaceObserver(const RacePlan& plan)
      : RaceChecks(plan),
        written(plan.strength.size()),
        updates_(plan.updates),
        global_(plan.global_cell) {}

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    auto& shadow = blocks_[block];
    if (spare_.empty()) {
      shadow = std::make_unique<BlockShadow>();
    } else {
      shadow = std::move(spare_.back());
      spare_.pop_back();
    }
    clock_.begin(shadow->clock, block, threads);
    current_ = shadow.get();
    shadow->stands_for = plan_.stands_for(block);
  }
  bool wants_each_shared_access() const override {
    return current_ == nullptr || current_->stands_for != 0;
  }
  void on_block_end(std::uint64_t block) override {
    const auto at = blocks_.find(block);
    if (at == blocks_.end()) return;
    if (current_ == at->second.get()) current_ = nullptr;
    spare_.push_back(std::move(at->second));
    blocks_.erase(at);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_arrival(const simt::BarrierArrival& arrival) override {
    if (arrival.whole_block) return;
    clock_.arrive(shadow_of(arrival.block).clock, arrival.number, arrival.warp, arrival.lanes,
                  arrival.waits);
  }
  void on_release(std::uint64_t block, std::uint32_t barrier) override {
    auto& shadow = shadow_of(block);
    if (shadow.clock.arrivals[barrier].empty())
      clock_.barrier(shadow.clock);
    else
      clock_.named_barrier(shadow.clock, barrier);
  }
  void on_warp_sync(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    clock_.warp_sync(shadow_of(block).clock, warp, lanes);
  }
  void on_fence(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                bool of_block) override {
    clock_.fence(shadow_of(block).clock, warp, lanes, of_block);
  }
  void on_async_commit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    RaceClock::commit(shadow_of(block).clock, warp, lanes);
  }
  void on_async_wait(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                     std::uint64_t groups) override {
    clock_.wait(shadow_of(block).clock, warp, lanes, groups);
  }
  void on_exit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    shadow_of(block).clock.warps[warp].live &= ~lanes;
  }

  void on_access(const simt::Access& access) override {
    const bool shared = access.space == ptx::Space::shared;
    if (!shared && access.space != ptx::Space::global) return;
    auto& shadow = shadow_of(access.block);
    if (shadow.stands_for == 0) return;
    Now now;
    now.access = &access;
    now.shadow = &shadow;
    now.time = clock_.now();
    now.strength = plan_.strength[access.instruction];
    now.of_block = plan_.of_block[access.instruction];
    now.role = access.is_atomic  ? AccessRole::atomic
               : access.is_store ? AccessRole::write
                                 : AccessRole::read;
    if (access.is_store && !shared) now.shadow->clock.warps[access.warp].last_store = now.time;
    if (now.role == AccessRole::read)
      updates_.on_load(now.shadow->reads, now.shadow->clock, now.time, access);
    now.has_updates = now.role == AccessRole::write &&
                      updates_.on_store(now.shadow->reads, now.shadow->clock, access, update_of_);
    if (shared && plan_.watch_shared)
      on_shared(now);
    else if (!shared && is_watched(access))
      on_global(now);
    if (plan_.flags && now.strength != Strength::plain) on_flag(now);
  }

  std::vector<WrittenSpan> written;  ///< by instruction
  GlobalCells take_global() { return std::move(global_); }

 private:
  BlockShadow& shadow_of(std::uint64_t block) {
    if (current_ == nullptr || current_->clock.block != block) current_ = blocks_.at(block).get();
    return *current_;
  }

  void on_shared(const Now& now) {
    const auto& access = *now.access;
    auto& cells = now.shadow->shared;
    const std::uint32_t bytes = plan_.shared_cell, count = access.bytes_per_lane / bytes;
    auto cell_at = [&](std::uint64_t address) -> Cell& {
      const std::size_t at = address / bytes;
      if (at >= cells.size()) cells.resize(at + 1024);
      return cells[at];
    };
    const auto first = static_cast<std::uint32_t>(std::countr_zero(access.active));
    if (now.role == AccessRole::read && is_uniform(access)) {
      for (std::uint32_t k = 0; k < count; ++k) {
        const auto address = access.addresses[first] + std::uint64_t{k} * bytes;
        read_cell(now, cell_at(address), access.active, address);
      }
      return;
    }
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (now.role == AccessRole::write)
        written[access.instruction].add(access.addresses[lane],
                                        access.addresses[lane] + access.bytes_per_lane);
      for (std::uint32_t k = 0; k < count; ++k) {
        const auto address = access.addresses[lane] + std::uint64_t{k} * bytes;
        if (now.role == AccessRole::read)
          read_cell(now, cell_at(address), 1u << lane, address);
        else
          write_cell(now, cell_at(address), lane, address,
                     simt::stored_bytes(access, lane, k * bytes, bytes));
      }
    }
  }

  /// Whether an address may lie where races are looked for.
  bool is_watched(const simt::Access& access) const {
    for (const auto& range : plan_.watched)
      for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const auto address = access.addresses[std::countr_zero(rest)];
        if (address + access.bytes_per_lane > range.begin && address < range.end) return true;
      }
    return false;
  }

  static bool is_uniform(const simt::Access& access) {
    std::uint64_t different = 0;
    const auto start = access.addresses[std::countr_zero(access.active)];
    for (std::uint32_t i = 0; i < 32; ++i)
      different |= access.active >> i & 1 ? access.addresses[i] ^ start : 0;
    return different == 0;
  }

  void on_global(const Now& now) {
    const auto& access = *now.access;
    const std::uint32_t bytes = plan_.global_cell, count = access.bytes_per_lane / bytes;
    if (now.role == AccessRole::read && is_uniform(access)) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(access.active));
      for (std::uint32_t k = 0; k < count; ++k)
        touch(now, access.active, access.addresses[first] + std::uint64_t{k} * bytes, std::nullopt);
      return;
    }
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      for (std::uint32_t k = 0; k < count; ++k)
        touch(now, 1u << lane, access.addresses[lane] + std::uint64_t{k} * bytes,
              now.role == AccessRole::write ? simt::stored_bytes(access, lane, k * bytes, bytes)
                                            : std::nullopt);
    }
  }

  static GlobalCell::State state_for(AccessRole role) {
    return role == AccessRole::read    ? GlobalCell::one_reader
           : role == AccessRole::write ? GlobalCell::one_writer
                                       : GlobalCell::one_atomic;
  }

  void touch(const Now& now, std::uint32_t lanes, std::uint64_t address,
             std::optional<std::uint32_t> value) {
    const auto& access = *now.access;
    auto& cell = global_.at(address);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const auto thread = static_cast<std::uint16_t>(access.warp * 32 + lane);
    const auto state = state_for(now.role);
    const bool alone = std::has_single_bit(lanes) &&
                       (now.strength == Strength::plain || now.role == AccessRole::atomic);
    if (alone && cell.state == GlobalCell::untouched) {
      cell.state = state;
      take_over(now, cell, thread, value);
      return;
    }
    if (alone && again(now, cell, state, thread, lane, value)) return;
    if (cell.state != GlobalCell::many) expand(cell);
    auto& record = global_.record(cell.instruction);
    if (now.role == AccessRole::read)
      read_cell(now, record.cell, lanes, address);
    else
      write_cell(now, record.cell, lane, address, value);
    if (plan_.in_order || (now.role == AccessRole::read && reads_its_own(now, record.cell, lanes)))
      return;
    const auto kind = now.role == AccessRole::read    ? BlockTouches::plain_read
                      : now.role == AccessRole::write ? BlockTouches::plain_write
                      : now.of_block                  ? BlockTouches::block_atomic
                                                      : BlockTouches::atomic;
    record.touches.add(kind, {access.block, access.instruction, thread, true,
                              now.role == AccessRole::write ? update_of(now, lane) : Update{}});
    if (kind == BlockTouches::plain_write)
      record.touches.add_value(value.has_value(), value.value_or(0));
  }

  /// The thread that was alone on the cell comes again; false if the cell does not hold both.
  bool again(const Now& now, GlobalCell& cell, GlobalCell::State state, std::uint16_t thread,
             std::uint32_t lane, std::optional<std::uint32_t> value) {
    const auto& access = *now.access;
    if (cell.state == GlobalCell::many || cell.thread != thread || cell.block != access.block)
      return false;
    const bool later = cell.time != now.time;  // something may have ordered others in between
    switch (state) {
      case GlobalCell::one_atomic:
        if (cell.state != state) return false;
        cell.time = now.time;
        if (now.of_block) cell.instruction = access.instruction;  // the narrower of two
        return true;
      case GlobalCell::one_reader:
        if (cell.state == GlobalCell::one_atomic) return false;
        // What races with its read races with its write as well, unless it reads later: others may know of the write alone.
        if (cell.state == GlobalCell::one_writer) return !later;
        cell.time = now.time;
        if (later) cell.instruction = access.instruction;
        return true;
      default:
        if (cell.state == GlobalCell::one_atomic) return false;
        if (cell.state == state) {
          const bool differ = cell.values_differ || !value || value != cell.value;
          if (later)  // whoever does not know of the first does not know of this one either
            take_over(now, cell, thread, value);
          else
            note_update(cell, update_of(now, lane));
          cell.values_differ = differ;
          return true;
        }
        cell.state = state;
        take_over(now, cell, thread, value);
        return true;
    }
  }

  /// Whether it reads what its own block has written before: other blocks write the same, so that it does not matter which
  /// comes first, or their writes are told.
  bool reads_its_own(const Now& now, const Cell& cell, std::uint32_t lanes) const {
    const auto& write = cell.write;
    if (write.time == 0 || write.block != now.access->block || write.is_atomic) return false;
    const Stamp past{write.block, write.thread, write.time};
    for (; lanes != 0; lanes &= lanes - 1)
      if (!clock_.knows(now.shadow->clock,
                        now.access->warp * 32 + static_cast<std::uint32_t>(std::countr_zero(lanes)),
                        past))
        return false;
    return true;
  }

  static void note_update(GlobalCell& cell, const Update& update) {
    if (!update.any() || cell.read != kNoRead) return;
    cell.read = update.read;
    cell.by_condition = update.by_condition;
  }

  void take_over(const Now& now, GlobalCell& cell, std::uint16_t thread,
                 std::optional<std::uint32_t> value) {
    cell.block = now.access->block;
    cell.time = now.time;
    cell.instruction = now.access->instruction;
    cell.thread = thread;
    cell.value = value.value_or(0);
    cell.has_value = value.has_value();
    cell.read = kNoRead;
    if (now.role == AccessRole::write) note_update(cell, update_of(now, thread % 32u));
  }

  void expand(GlobalCell& cell) {
    const auto index = global_.new_record();
    auto& record = global_.record(index);
    record = FullRecord{};
    if (cell.state == GlobalCell::one_reader) {
      record.cell.reads[0] = {.block = cell.block,
                              .time = cell.time,
                              .instruction = cell.instruction,
                              .lanes = 1u << cell.thread % 32,
                              .warp = static_cast<std::uint16_t>(cell.thread / 32)};
    } else if (cell.state != GlobalCell::untouched) {
      const bool is_atomic = cell.state == GlobalCell::one_atomic;
      auto& write = is_atomic ? record.cell.strong : record.cell.write;
      write = Cell::Write{
          .block = cell.block,
          .time = cell.time,
          .instruction = cell.instruction,
          .value = cell.value,
          .thread = cell.thread,
          .strength = static_cast<std::uint8_t>(is_atomic ? Strength::strong : Strength::plain),
          .has_value = cell.has_value && !cell.values_differ,
          .is_atomic = is_atomic,
          .of_block = plan_.of_block[cell.instruction],
          .async_group = 0,
          .update = {cell.read, cell.by_condition}};
    }
    touches_of(cell, record.touches, plan_);
    cell.state = GlobalCell::many;
    cell.instruction = index;
  }

 public:
  /// What a cell that is not `many` says.
  static void touches_of(const GlobalCell& cell, BlockTouches& touches, const RacePlan& plan) {
    if (cell.state == GlobalCell::untouched) return;
    const auto kind = cell.state == GlobalCell::one_reader   ? BlockTouches::plain_read
                      : cell.state == GlobalCell::one_writer ? BlockTouches::plain_write
                      : plan.of_block[cell.instruction]      ? BlockTouches::block_atomic
                                                             : BlockTouches::atomic;
    touches.add(kind, {cell.block, cell.instruction, cell.thread, true,
                       kind == BlockTouches::plain_write ? Update{cell.read, cell.by_condition}
                                                         : Update{}});
    if (kind == BlockTouches::plain_write)
      touches.add_value(cell.has_value && !cell.values_differ, cell.value);
  }

 private:
  void on_flag(const Now& now) {
    const auto& access = *now.access;
    const bool shared = access.space == ptx::Space::shared;
    if (!shared && !plan_.in_order) return;
    const bool writes = now.role != AccessRole::read;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto flag = shared ? kSharedFlag | access.addresses[lane] : access.addresses[lane];
      clock_.flag_access(now.shadow->clock, access.warp * 32 + lane, flag,
                         {writes, access.acquires, access.releases, now.of_block});
    }
  }

  UpdateWatch updates_;
  std::unordered_map<std::uint64_t, std::unique_ptr<BlockShadow>> blocks_;  ///< under way
  std::vector<std::unique_ptr<BlockShadow>> spare_;
  BlockShadow* current_ = nullptr;
  GlobalCells global_;
};

}  // namespace labkit::observe
