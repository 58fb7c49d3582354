// Follows one host thread's accesses and says which of them nothing orders. Private to the race detector (races.h).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
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
    auto& shadow = blocks_.begin(block);
    clock_.begin(shadow.clock, block, threads);
    shadow.stands_for = plan_.stands_for(block);
  }
  bool wants_each_shared_access() const override {
    return blocks_.current() == nullptr || blocks_.current()->stands_for != 0;
  }
  void on_block_end(std::uint64_t block) override { blocks_.end(block); }
  void on_arrival(const simt::BarrierArrival& arrival) override {
    if (arrival.whole_block) return;
    clock_.arrive(blocks_.at(arrival.block).clock, arrival.number, arrival.warp, arrival.lanes,
                  arrival.waits);
  }
  void on_release(std::uint64_t block, std::uint32_t barrier) override {
    auto& shadow = blocks_.at(block);
    if (shadow.clock.arrivals[barrier].empty())
      clock_.barrier(shadow.clock);
    else
      clock_.named_barrier(shadow.clock, barrier);
  }
  void on_phase(const simt::PhaseEvent& event) override {
    clock_.phase(blocks_.at(event.block).clock, event);
  }
  void on_warp_sync(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    clock_.warp_sync(blocks_.at(block).clock, warp, lanes);
  }
  void on_fence(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                bool of_block) override {
    clock_.fence(blocks_.at(block).clock, warp, lanes, of_block);
  }
  void on_async(const simt::AsyncEvent& event) override {
    using Kind = simt::AsyncEvent::Kind;
    if (event.kind == Kind::copy) return;
    auto& clock = blocks_.at(event.block).clock;
    if (event.kind == Kind::commit)
      RaceClock::commit(clock, event.warp, event.lanes);
    else
      clock_.wait(clock, event.warp, event.lanes, event.groups);
  }
  void on_reuse(std::uint64_t address, std::uint64_t bytes) override {
    for (std::uint64_t at = address; at < address + bytes; at += plan_.global_cell)
      global_.at(at) = {};
  }
  void on_exit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    blocks_.at(block).clock.warps[warp].live &= ~lanes;
  }

  void on_access(const simt::Access& access) override {
    const bool shared = access.space == ptx::Space::shared;
    if (!shared && access.space != ptx::Space::global) return;
    auto& shadow = blocks_.at(access.block);
    if (shadow.stands_for == 0) return;
    Now now;
    now.access = &access;
    now.shadow = &shadow;
    now.time = clock_.now();
    now.strength = plan_.strength[access.instruction];
    now.of_block = plan_.of_block[access.instruction];
    now.role = access_of(access.is_store, access.is_atomic);
    if (access.is_store && !shared) now.shadow->clock.warps[access.warp].last_store = now.time;
    if (now.reads()) updates_.on_load(now.shadow->reads, now.shadow->clock, now.time, access);
    now.has_updates =
        now.writes() && updates_.on_store(now.shadow->reads, now.shadow->clock, access, update_of_);
    if (shared && plan_.watch_shared)
      on_shared(now);
    else if (!shared && is_watched(access))
      on_global(now);
    if (plan_.flags && now.strength != Strength::plain) on_flag(now);
  }

  std::vector<Span> written;  ///< by instruction
  GlobalCells take_global() { return std::move(global_); }

 private:
  /// Calls `touch` with each cell of the access, the lanes that touch it (several only if all read the same) and what is stored.
  static void for_each_cell(const Now& now, std::uint32_t bytes, const auto& touch) {
    const auto& access = *now.access;
    const auto touch_all = [&](std::uint32_t lanes) {
      const auto lane = first_lane(lanes);
      for (std::uint32_t at = 0; at + bytes <= access.bytes_per_lane; at += bytes)
        touch(access.addresses[lane] + at, lanes,
              now.writes() ? simt::stored_bytes(access, lane, at, bytes) : std::nullopt);
    };
    if (now.reads() && is_uniform(access)) return touch_all(access.active);
    for (const auto lane : Lanes(access.active)) touch_all(1u << lane);
  }

  void on_shared(const Now& now) {
    const auto& access = *now.access;
    auto& cells = now.shadow->shared;
    if (now.writes())
      for (const auto lane : Lanes(access.active))
        written[access.instruction].add(access.addresses[lane],
                                        access.addresses[lane] + access.bytes_per_lane);
    for_each_cell(
        now, plan_.shared_cell,
        [&](std::uint64_t address, std::uint32_t lanes, std::optional<std::uint32_t> value) {
          const std::size_t at = address / plan_.shared_cell;
          if (at >= cells.size()) cells.resize(at + 1024);
          if (now.reads())
            read_cell(now, cells[at], lanes, address);
          else
            write_cell(now, cells[at], first_lane(lanes), address, value);
        });
  }

  /// Whether an address may lie where races are looked for.
  bool is_watched(const simt::Access& access) const {
    for (const auto& range : plan_.watched)
      for (const auto lane : Lanes(access.active)) {
        const auto address = access.addresses[lane];
        if (address + access.bytes_per_lane > range.begin && address < range.end) return true;
      }
    return false;
  }

  static bool is_uniform(const simt::Access& access) {
    std::uint64_t different = 0;
    const auto start = access.addresses[first_lane(access.active)];
    for (std::uint32_t i = 0; i < 32; ++i)
      different |= access.active >> i & 1 ? access.addresses[i] ^ start : 0;
    return different == 0;
  }

  void on_global(const Now& now) {
    for_each_cell(now, plan_.global_cell,
                  [&](std::uint64_t address, std::uint32_t lanes,
                      std::optional<std::uint32_t> value) { touch(now, lanes, address, value); });
  }

  static BlockTouches::Kind kind_of(GlobalCell::State state, bool of_block) {
    return state == GlobalCell::one_reader   ? BlockTouches::plain_read
           : state == GlobalCell::one_writer ? BlockTouches::plain_write
           : of_block                        ? BlockTouches::block_atomic
                                             : BlockTouches::atomic;
  }

  void touch(const Now& now, std::uint32_t lanes, std::uint64_t address,
             std::optional<std::uint32_t> value) {
    const auto& access = *now.access;
    auto& cell = global_.at(address);
    const auto lane = first_lane(lanes);
    const auto thread = static_cast<std::uint16_t>(access.warp * 32 + lane);
    const auto state = now.reads()    ? GlobalCell::one_reader
                       : now.writes() ? GlobalCell::one_writer
                                      : GlobalCell::one_atomic;
    const bool alone = std::has_single_bit(lanes) &&
                       (now.strength == Strength::plain || now.role == launch::Access::atomic);
    if (alone && cell.state == GlobalCell::untouched) {
      cell.state = state;
      take_over(now, cell, thread, value);
      return;
    }
    if (alone && again(now, cell, state, thread, lane, value)) return;
    if (cell.state != GlobalCell::many) expand(cell);
    auto& record = global_.record(cell.instruction);
    if (now.reads())
      read_cell(now, record.cell, lanes, address);
    else
      write_cell(now, record.cell, lane, address, value);
    if (plan_.in_order || (now.reads() && reads_its_own(now, record.cell, lanes))) return;
    const auto kind = kind_of(state, now.of_block);
    record.touches.add(kind, {access.block, access.instruction, thread, true,
                              now.writes() ? update_of(now, lane) : Update{}});
    if (now.writes()) record.touches.add_value(value.has_value(), value.value_or(0));
  }

  /// The thread that was alone on the cell comes again; false if the cell does not hold both.
  bool again(const Now& now, GlobalCell& cell, GlobalCell::State state, std::uint16_t thread,
             std::uint32_t lane, std::optional<std::uint32_t> value) {
    const auto& access = *now.access;
    if (cell.state == GlobalCell::many || cell.thread != thread || cell.block != access.block)
      return false;
    if ((state == GlobalCell::one_atomic) != (cell.state == GlobalCell::one_atomic)) return false;
    const bool later = cell.time != now.time;  // something may have ordered others in between
    if (state == GlobalCell::one_atomic) {
      cell.time = now.time;
      if (now.of_block) cell.instruction = access.instruction;  // the narrower of two
    } else if (state == GlobalCell::one_reader) {
      // What races with its read races with its write as well, unless it reads later: others may know of the write alone.
      if (cell.state == GlobalCell::one_writer) return !later;
      cell.time = now.time;
      if (later) cell.instruction = access.instruction;
    } else if (cell.state == GlobalCell::one_reader) {
      cell.state = state;
      take_over(now, cell, thread, value);
    } else {
      const bool differ = cell.values_differ || !value || value != cell.value;
      if (later)  // whoever does not know of the first does not know of this one either
        take_over(now, cell, thread, value);
      else
        note_update(cell, update_of(now, lane));
      cell.values_differ = differ;
    }
    return true;
  }

  /// Whether it reads what its own block has written before: other blocks write the same, so that it does not matter which
  /// comes first, or their writes are told.
  bool reads_its_own(const Now& now, const Cell& cell, std::uint32_t lanes) const {
    const auto& write = cell.write;
    if (write.time == 0 || write.block != now.access->block || write.is_atomic) return false;
    const Stamp past{write.block, write.thread, write.time};
    for (const auto lane : Lanes(lanes))
      if (!knows(now, lane, past)) return false;
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
    if (now.writes()) note_update(cell, update_of(now, thread % 32u));
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
      write = Cell::Write{.block = cell.block,
                          .time = cell.time,
                          .instruction = cell.instruction,
                          .value = cell.value,
                          .thread = cell.thread,
                          .strength = is_atomic ? Strength::strong : Strength::plain,
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
    const auto kind = kind_of(cell.state, plan.of_block[cell.instruction]);
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
    const bool writes = !now.reads();
    for (const auto lane : Lanes(access.active)) {
      const auto flag = shared ? kSharedFlag | access.addresses[lane] : access.addresses[lane];
      clock_.flag_access(now.shadow->clock, access.warp * 32 + lane, flag,
                         {writes, access.acquires, access.releases, now.of_block});
    }
  }

  UpdateWatch updates_;
  BlockStates<BlockShadow> blocks_;
  GlobalCells global_;
};

}  // namespace labkit::observe
