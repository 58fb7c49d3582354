// Follows one host thread's accesses and says which of them nothing orders. Private to the race detector (races.h).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/race_cells.h"
#include "observe/race_plan.h"
#include "observe/race_table.h"
#include "simt/op.h"

namespace labkit::observe {

class RaceObserver final : public simt::Observer {
 public:
  explicit RaceObserver(const RacePlan& plan)
      : written(plan.strength.size()),
        plan_(plan),
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

  RaceTable races;
  std::vector<WrittenSpan> written;  ///< by instruction
  GlobalCells take_global() { return std::move(global_); }

 private:
  struct BlockShadow {
    BlockClock clock;
    std::vector<Cell> shared;
    BlockReads reads;
    std::uint64_t stands_for = 1;  ///< blocks that do alike; 0: another is looked at for it
  };
  /// The access being looked at.
  struct Now {
    const simt::Access* access = nullptr;
    BlockShadow* shadow = nullptr;
    Time time = 0;
    Strength strength = Strength::plain;
    bool of_block = false;  ///< strong for its block alone
    AccessRole role = AccessRole::read;
    bool has_updates = false;  ///< update_of_ says which lanes' stores end one
  };
  Update update_of(const Now& now, std::uint32_t lane) const {
    return now.has_updates ? update_of_[lane] : Update{};
  }

  BlockShadow& shadow_of(std::uint64_t block) {
    if (current_ == nullptr || current_->clock.block != block) current_ = blocks_.at(block).get();
    return *current_;
  }

  /// `past`: a Cell's write or read.
  static bool both_strong(const Now& now, const auto& past, bool same_warp) {
    const auto other = static_cast<Strength>(past.strength);
    if ((now.of_block || past.of_block) && past.block != now.access->block) return false;
    if (now.strength == Strength::plain || other == Strength::plain) return false;
    if (now.strength == Strength::strong || other == Strength::strong) return true;
    const bool is_data =
        now.strength == Strength::volatile_data || other == Strength::volatile_data;
    return !is_data && !(same_warp && now.access->space == ptx::Space::shared);
  }

  /// note(), for the many races between two instructions one after another.
  void note_soon(const Race& race) {
    const auto key = key_of(race);
    auto& recent = recent_[(race.first.instruction * 31 + race.second.instruction) % 64];
    if (recent.race != nullptr && recent.key == key && width_of(race) <= width_of(*recent.race) &&
        race.second.block >= recent.race->second.block) {
      recent.race->count += race.count;
      recent.race->several_places |= race.address != recent.race->address;
      return;
    }
    note(races, race);
    recent = {key, &races.at(key)};
  }

  void report(const Now& now, const Stamp& past, std::uint32_t instruction, AccessRole role,
              std::uint32_t lane, std::uint64_t address, bool same_value, Race race = {}) {
    race.space = now.access->space;
    race.first = {past.block, past.thread, instruction, role};
    race.second = {now.access->block, now.access->warp * 32 + lane, now.access->instruction,
                   now.role};
    race.address = address;
    race.same_value = same_value;
    race.count = now.shadow->stands_for;
    note_operation(race, plan_.updates);
    note_soon(race);
  }

  /// Whether what happened in `block` at `time` by `warp` is surely over for all lanes of the warp that accesses: the
  /// questions that settle nearly all cases.
  bool is_over(const Now& now, std::uint64_t block, std::uint32_t warp, Time time) const {
    const auto& clock = now.shadow->clock;
    if (time <= clock.begin && (!plan_.in_order || time == 0 || block == clock.block)) return true;
    if (block !=
        clock.block)  // compared at the end; what lies in shared memory is an earlier block's
      return !plan_.in_order || now.access->space == ptx::Space::shared;
    if (time <= clock.barrier) return true;
    return warp == now.access->warp && time <= clock.warps[warp].synced;
  }

  enum class Found : std::uint8_t { nothing, same_value, race };
  Found check_write(const Now& now, const Cell::Write& write, std::uint32_t lanes,
                    std::uint64_t address, std::optional<std::uint32_t> value) {
    if (write.time == 0) return Found::nothing;
    if (write.async_group != 0)
      return check_copy(now, write, lanes, address) ? Found::race : Found::nothing;
    const std::uint32_t warp = write.thread / 32u;
    if (is_over(now, write.block, warp, write.time)) return Found::nothing;
    const bool here = write.block == now.access->block && warp == now.access->warp;
    // strong accesses come one after the other, and an update made of two of them is lost all the same
    if (both_strong(now, write, here) && !(now.has_updates && write.update.any()))
      return Found::nothing;
    if (here) lanes &= ~(1u << write.thread % 32);
    const Stamp past{write.block, write.thread, write.time};
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      if (clock_.knows(now.shadow->clock, now.access->warp * 32 + lane, past)) continue;
      Race race;
      race.first_update = write.update;
      race.second_update = update_of(now, lane);
      const bool same = now.role == AccessRole::write && write.has_value && value == write.value;
      judge_updates(race, same);
      if (both_strong(now, write, here) && !race.lost_update) continue;
      report(now, past, write.instruction, write.is_atomic ? AccessRole::atomic : AccessRole::write,
             lane, address, race.same_value, race);
      return race.same_value ? Found::same_value : Found::race;
    }
    return Found::nothing;
  }

  /// The same where the last to write was a cp.async.
  bool check_copy(const Now& now, const Cell::Write& copy, std::uint32_t lanes,
                  std::uint64_t address) {
    if (copy.block != now.access->block) return false;  // a block that was here before
    Race race;
    Stamp past{copy.block, copy.thread, copy.time};
    const auto waited = RaceClock::waited_at(now.shadow->clock, copy.thread, copy.async_group);
    if (waited) {
      past.time = *waited;
      race.was_copied = true;
      if (is_over(now, copy.block, copy.thread / 32u, past.time)) return false;
    } else {
      race.in_flight = true;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      if (waited && clock_.knows(now.shadow->clock, now.access->warp * 32 + lane, past)) continue;
      report(now, past, copy.instruction, AccessRole::write, lane, address, false, race);
      return true;
    }
    return false;
  }

  /// Whether `lane` races with those lanes that read, or wrote strongly; it is told of one.
  bool check_lanes(const Now& now, const Cell::Read& past, AccessRole role, std::uint32_t lane,
                   std::uint64_t address) {
    if (past.lanes == 0 || is_over(now, past.block, past.warp, past.time)) return false;
    const bool here = past.block == now.access->block && past.warp == now.access->warp;
    if (both_strong(now, past, here)) return false;
    std::uint32_t lanes = past.lanes;
    if (here) lanes &= ~(1u << lane);
    for (; lanes != 0; lanes &= lanes - 1) {
      const Stamp stamp{past.block,
                        past.warp * 32u + static_cast<std::uint32_t>(std::countr_zero(lanes)),
                        past.time};
      if (clock_.knows(now.shadow->clock, now.access->warp * 32 + lane, stamp)) continue;
      report(now, stamp, past.instruction, role, lane, address, false);
      return true;
    }
    return false;
  }

  /// `behind`: also those that a plain write has come after.
  bool check_reads(const Now& now, const Cell& cell, std::uint32_t lane, std::uint64_t address,
                   bool behind) {
    const auto races = [&](const Cell::Read& read) {
      return (behind || !read.is_behind) && check_lanes(now, read, AccessRole::read, lane, address);
    };
    return races(cell.reads[0]) || races(cell.reads[1]) ||
           (cell.more && std::any_of(cell.more->reads.begin(), cell.more->reads.end(), races));
  }

  /// The strong writes but for the last.
  bool check_strong(const Now& now, const Cell& cell, std::uint32_t lanes, std::uint64_t address) {
    if (!cell.more) return false;
    for (const auto& past : cell.more->strong)
      for (auto rest = lanes; rest != 0; rest &= rest - 1)
        if (check_lanes(now, past, past.is_atomic ? AccessRole::atomic : AccessRole::write,
                        static_cast<std::uint32_t>(std::countr_zero(rest)), address))
          return true;
    return false;
  }

  /// Keeps what would be forgotten, unless it is over for the whole block.
  void keep(const Now& now, std::vector<Cell::Read>& kept, const Cell::Read& past) {
    const auto& clock = now.shadow->clock;
    const auto is_over_for_all = [&](const Cell::Read& read) {
      return read.time <= clock.begin || (read.block == clock.block && read.time <= clock.barrier);
    };
    if (past.lanes == 0 || is_over_for_all(past)) return;
    for (auto& have : kept)
      if (have.block == past.block && have.warp == past.warp && have.time == past.time &&
          have.instruction == past.instruction && have.is_behind == past.is_behind) {
        have.lanes |= past.lanes;
        return;
      }
    if (kept.size() >= Cell::kMost)
      std::erase_if(kept,
                    [&](const auto& read) { return read.is_behind || is_over_for_all(read); });
    if (kept.size() < Cell::kMost) kept.push_back(past);
  }

  void read_cell(const Now& now, Cell& cell, std::uint32_t lanes, std::uint64_t address) {
    if (check_write(now, cell.strong, lanes, address, std::nullopt) == Found::nothing &&
        !check_strong(now, cell, lanes, address))
      check_write(now, cell.write, lanes, address, std::nullopt);
    const auto& access = *now.access;
    auto mine = [&](const Cell::Read& read) {
      return read.warp == access.warp && read.block == access.block;
    };
    Cell::Read* read = &cell.reads[0];
    if (!mine(*read) && read->lanes != 0 && !read->is_behind) {
      Cell::Read* second = &cell.reads[1];
      if (mine(*second) || !is_over(now, read->block, read->warp, read->time)) read = second;
    }
    const auto& warp = now.shadow->clock.warps[access.warp];
    // lanes add up until they meet; where they meet in parts, each part is kept at its own time
    const bool adds =
        read->lanes != 0 && mine(*read) && !read->is_behind && read->time > warp.last_sync;
    if (!adds && read->lanes != 0 && !read->is_behind) {
      auto before = *read;
      if (mine(before)) before.lanes = before.time > warp.synced ? before.lanes & ~lanes : 0;
      if (before.lanes != 0 && (mine(before) || plan_.orders_some))
        keep(now, cell.more_of().reads, before);
    }
    read->lanes = adds ? read->lanes | lanes : lanes;
    read->strength = adds ? std::min(read->strength, static_cast<std::uint8_t>(now.strength))
                          : static_cast<std::uint8_t>(now.strength);
    read->of_block = now.of_block || (adds && read->of_block);
    read->is_behind = false;
    read->block = access.block;
    read->time = now.time;
    read->instruction = access.instruction;
    read->warp = static_cast<std::uint16_t>(access.warp);
  }

  void write_cell(const Now& now, Cell& cell, std::uint32_t lane, std::uint64_t address,
                  std::optional<std::uint32_t> value) {
    auto found = check_write(now, cell.strong, 1u << lane, address, value);
    if (found == Found::nothing && check_strong(now, cell, 1u << lane, address))
      found = Found::race;
    if (found == Found::nothing) found = check_write(now, cell.write, 1u << lane, address, value);
    // one that races with the last write, but has written the same, comes before or after the reads before that
    const bool reads_told = check_reads(now, cell, lane, address, found == Found::same_value);
    const auto& access = *now.access;
    const bool plain = now.strength == Strength::plain;
    if (!plain) keep_strong(now, cell, access.warp * 32 + lane);
    auto& write = plain ? cell.write : cell.strong;
    write = {.block = access.block,
             .time = now.time,
             .instruction = access.instruction,
             .value = value.value_or(0),
             .thread = static_cast<std::uint16_t>(access.warp * 32 + lane),
             .strength = static_cast<std::uint8_t>(now.strength),
             .has_value = value.has_value(),
             .is_atomic = access.is_atomic,
             .of_block = now.of_block,
             .async_group = access.is_async
                                ? RaceClock::open_group(now.shadow->clock, access.warp * 32 + lane)
                                : 0,
             .update = update_of(now, lane)};
    if (!plain) return;
    // whoever comes after this write comes after them
    cell.strong.time = 0;
    if (cell.more) cell.more->strong.clear();
    const bool forgets = reads_told || !value;
    for (auto& read : cell.reads) {
      read.is_behind = true;
      if (forgets) read.lanes = 0;
    }
    if (!cell.more) return;
    if (forgets) cell.more->reads.clear();
    for (auto& read : cell.more->reads) read.is_behind = true;
  }

  /// Before `thread` writes strongly. What it has taken up by an operation of its own that reads there is over for it, and
  /// for those who come after it.
  void keep_strong(const Now& now, Cell& cell, std::uint32_t thread) {
    const auto& last = cell.strong;
    if (now.access->acquires) {
      if (cell.more) cell.more->strong.clear();
      return;
    }
    if (last.time == 0 || (last.thread == thread && last.block == now.access->block) ||
        is_over(now, last.block, last.thread / 32u, last.time))
      return;
    keep(now, cell.more_of().strong,
         {.block = last.block,
          .time = last.time,
          .instruction = last.instruction,
          .lanes = 1u << last.thread % 32,
          .warp = static_cast<std::uint16_t>(last.thread / 32),
          .strength = last.strength,
          .of_block = last.of_block,
          .is_atomic = last.is_atomic});
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
    if (alone && cell.state != GlobalCell::many && cell.thread == thread &&
        cell.block == access.block &&
        (cell.state == state ||
         (cell.state != GlobalCell::one_atomic && state != GlobalCell::one_atomic))) {
      // a thread that writes is not also kept as a reader: what races with its read races with its write
      cell.time = now.time;
      if (now.of_block) cell.instruction = access.instruction;  // the narrower of two atomics
      if (state == GlobalCell::one_reader) return;
      if (state == GlobalCell::one_writer && cell.state == state) {
        note_update(cell, update_of(now, lane));
        cell.values_differ = cell.values_differ || !value || value != cell.value;
        return;
      }
      cell.state = state;
      take_over(now, cell, thread, value);
      return;
    }
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

  struct Recent {
    RaceKey key;
    Race* race = nullptr;
  };
  Recent recent_[64];
  const RacePlan& plan_;
  UpdateWatch updates_;
  std::array<Update, 32> update_of_;  ///< of the access being looked at, by lane
  RaceClock clock_;
  std::unordered_map<std::uint64_t, std::unique_ptr<BlockShadow>> blocks_;  ///< under way
  std::vector<std::unique_ptr<BlockShadow>> spare_;
  BlockShadow* current_ = nullptr;
  GlobalCells global_;
};

}  // namespace labkit::observe
