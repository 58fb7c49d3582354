// What of several accesses to one place nothing orders, and what is kept of them: what the detector knows of a kernel before it
// runs, the races that were found, and the checks. Private to the race detector (races.h).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "observe/race_cells.h"
#include "observe/race_clock.h"
#include "observe/race_updates.h"
#include "observe/races.h"
#include "observe/suspects.h"
#include "simt/machine.h"

namespace labkit::observe {

inline constexpr std::uint32_t kWidestRaceCell = 4;  ///< bytes

/// Facts of a program that the detector needs again and again.
struct RacePlan {
  RacePlan(const simt::Program& program, const Suspects& suspects);

  const simt::Program& program;
  std::uint32_t shared_cell, global_cell;  ///< bytes
  bool flags = false;                      ///< some strong read tells a thread of another
  bool orders_some = false;  ///< or barriers of some warps: of two reads one may be over
  bool in_order = false;     ///< blocks may learn of one another: one host thread follows them all
  std::vector<Strength> strength;  ///< by instruction
  std::vector<bool> of_block;      ///< by instruction: strong for its block alone (scope .cta)
  bool watch_shared = true;
  std::optional<std::vector<Suspects::Standing>> standing;
  /// For how many blocks `block` is looked at; 0: another is looked at for it.
  std::uint64_t stands_for(std::uint64_t block) const;
  std::vector<Span> watched;  ///< global memory that is
  UpdateSources updates;
};

using RaceKey = std::tuple<ptx::Space, std::uint32_t, std::uint32_t, bool, bool, bool>;
using RaceTable = std::map<RaceKey, Race>;

inline RaceKey key_of(const Race& race) {
  return {race.space,      race.first.instruction, race.second.instruction,
          race.same_value, race.in_flight,         race.lost_update};
}

/// Two writes, with what they are the ends of. If what was stored depends on what was there, it is luck that both stored
/// the same; if that only decided whether to store (`if (!done) done = 1;`), the same value does no harm.
inline void judge_updates(Race& race, bool same) {
  const auto by_value = [](const Update& update) { return update.any() && !update.by_condition; };
  race.same_value = same && !by_value(race.first_update) && !by_value(race.second_update);
  race.lost_update = !race.same_value && race.first_update.any() && race.second_update.any();
}

inline void note_operation(Race& race, const UpdateSources& sources) {
  const auto* store = race.lost_update ? sources.store(race.second.instruction) : nullptr;
  if (store != nullptr)
    race.operation = race.second_update.by_condition ? UpdateOperation::extreme : store->operation;
}

inline void note(RaceTable& table, const Race& race) {
  const auto key = key_of(race);
  const auto [at, is_new] = table.try_emplace(key, race);
  if (is_new) return;
  const auto count = at->second.count + race.count;
  const bool several =
      at->second.several_places || race.several_places || race.address != at->second.address;
  // the example whose mend mends the others too: a barrier of the block is also one of its warps
  const auto width = race.relation(), have = at->second.relation();
  if (width > have || (width == have && race.second.block < at->second.second.block))
    at->second = race;
  at->second.count = count;
  at->second.several_places = several;
}

/// The part of RaceObserver (race_observer.h) that knows cells, and not where they lie.
class RaceChecks {
 public:
  RaceTable races;

 protected:
  explicit RaceChecks(const RacePlan& plan) : plan_(plan) {}

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
    launch::Access role = launch::Access::read;
    bool reads() const { return role == launch::Access::read; }
    bool writes() const { return role == launch::Access::write; }
    bool has_updates = false;  ///< update_of_ says which lanes' stores end one
  };
  Update update_of(const Now& now, std::uint32_t lane) const {
    return now.has_updates ? update_of_[lane] : Update{};
  }

  /// `past`: a Cell's write or read.
  static bool both_strong(const Now& now, const auto& past, bool same_warp) {
    if ((now.of_block || past.of_block) && past.block != now.access->block) return false;
    const auto [weaker, stronger] = std::minmax(now.strength, past.strength);
    if (weaker == Strength::plain || stronger == Strength::strong) return weaker != Strength::plain;
    return weaker == Strength::volatile_ && !(same_warp && now.access->space == ptx::Space::shared);
  }

  /// note(), for the many races between two instructions one after another.
  void note_soon(const Race& race) {
    const auto key = key_of(race);
    auto& recent = recent_[(race.first.instruction * 31 + race.second.instruction) % 64];
    if (recent.race != nullptr && recent.key == key && race.relation() <= recent.race->relation() &&
        race.second.block >= recent.race->second.block) {
      recent.race->count += race.count;
      recent.race->several_places |= race.address != recent.race->address;
      return;
    }
    note(races, race);
    recent = {key, &races.at(key)};
  }

  void report(const Now& now, const Stamp& past, std::uint32_t instruction, launch::Access role,
              std::uint32_t lane, std::uint64_t address, Race race = {}) {
    race.space = now.access->space;
    race.first = {past.block, past.thread, instruction, role};
    race.second = {now.access->block, now.access->warp * 32 + lane, now.access->instruction,
                   now.role};
    race.address = address;
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

  /// Whether that lane of the access knows that what is stamped is over.
  bool knows(const Now& now, std::uint32_t lane, const Stamp& past) const {
    return clock_.knows(now.shadow->clock, now.access->warp * 32 + lane, past);
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
    for (const auto lane : Lanes(lanes)) {
      if (knows(now, lane, past)) continue;
      Race race;
      race.first_update = write.update;
      race.second_update = update_of(now, lane);
      const bool same = now.writes() && write.has_value && value == write.value;
      judge_updates(race, same);
      if (both_strong(now, write, here) && !race.lost_update) continue;
      report(now, past, write.instruction, access_of(true, write.is_atomic), lane, address, race);
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
      race.uncommitted = RaceClock::was_left_out(now.shadow->clock, copy.thread, copy.async_group);
    }
    for (const auto lane : Lanes(lanes)) {
      if (waited && knows(now, lane, past)) continue;
      report(now, past, copy.instruction, launch::Access::write, lane, address, race);
      return true;
    }
    return false;
  }

  /// Whether `lane` races with those lanes that read, or wrote strongly; it is told of one.
  bool check_lanes(const Now& now, const Cell::Read& past, launch::Access role, std::uint32_t lane,
                   std::uint64_t address) {
    if (past.lanes == 0 || is_over(now, past.block, past.warp, past.time)) return false;
    const bool here = past.block == now.access->block && past.warp == now.access->warp;
    if (both_strong(now, past, here)) return false;
    for (const auto other : Lanes(here ? past.lanes & ~(1u << lane) : past.lanes)) {
      const Stamp stamp{past.block, past.warp * 32u + other, past.time};
      if (knows(now, lane, stamp)) continue;
      report(now, stamp, past.instruction, role, lane, address);
      return true;
    }
    return false;
  }

  /// `behind`: also those that a plain write has come after.
  bool check_reads(const Now& now, const Cell& cell, std::uint32_t lane, std::uint64_t address,
                   bool behind) {
    const auto races = [&](const Cell::Read& read) {
      return (behind || !read.is_behind) &&
             check_lanes(now, read, launch::Access::read, lane, address);
    };
    return races(cell.reads[0]) || races(cell.reads[1]) ||
           (cell.more && std::ranges::any_of(cell.more->reads, races));
  }

  /// The strong writes but for the last.
  bool check_strong(const Now& now, const Cell& cell, std::uint32_t lanes, std::uint64_t address) {
    if (!cell.more) return false;
    for (const auto& past : cell.more->strong)
      for (const auto lane : Lanes(lanes))
        if (check_lanes(now, past, access_of(true, past.is_atomic), lane, address)) return true;
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
    read->strength = adds ? std::min(read->strength, now.strength) : now.strength;
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
             .strength = now.strength,
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

  const RacePlan& plan_;
  RaceClock clock_;
  std::array<Update, 32> update_of_;  ///< of the access being looked at, by lane

 private:
  struct Recent {
    RaceKey key;
    Race* race = nullptr;
  };
  Recent recent_[64];
};

}  // namespace labkit::observe
