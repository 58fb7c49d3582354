#include "observe/races.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "observe/race_observer.h"
#include "observe/race_paths.h"

namespace labkit::observe {
namespace {

launch::Access access_of(BlockTouches::Kind kind) {
  return kind == BlockTouches::plain_write  ? launch::Access::write
         : kind == BlockTouches::plain_read ? launch::Access::read
                                            : launch::Access::atomic;
}

/// The races between blocks at one place: one, or two where stores of the same value, which alone do no harm, are read.
std::vector<Race> between_blocks(const BlockTouches& touches) {
  using enum BlockTouches::Kind;
  // of each kind, what must not be of another block
  static const std::pair<BlockTouches::Kind, std::vector<BlockTouches::Kind>> kClashes[] = {
      {plain_write, {plain_read, atomic}},
      {block_atomic, {plain_write, block_atomic, atomic, plain_read}},  // whole for its own block
      {atomic, {plain_read}}};
  const auto race_of = [&](BlockTouches::Kind kind, const BlockTouches::One& one,
                           BlockTouches::Kind other_kind, const BlockTouches::One& other) {
    Race race;
    race.space = ptx::Space::global;
    race.count = 1;
    race.first = {one.block, one.thread, one.instruction, access_of(kind)};
    race.second = {other.block, other.thread, other.instruction, access_of(other_kind)};
    return race;
  };
  std::vector<Race> found;
  if (const auto& writes = touches.lowest[plain_write]; writes[1].used) {
    auto& race = found.emplace_back(race_of(plain_write, writes[0], plain_write, writes[1]));
    race.first_update = writes[0].update;
    race.second_update = writes[1].update;
    judge_updates(race, touches.has_value && !touches.values_differ);
    if (!race.same_value) return found;
  }
  for (const auto& [kind, others] : kClashes)
    for (const auto& one : touches.lowest[kind])
      for (const auto other_kind : others)
        for (const auto& other : touches.lowest[other_kind])
          if (one.used && other.used && one.block != other.block) {
            found.push_back(race_of(kind, one, other_kind, other));
            return found;
          }
  return found;
}

using Parts = std::set<std::tuple<ptx::Space, std::uint32_t, std::uint32_t>>;  // read, write

void add_parts(Parts& parts, const Race& race) {
  for (const auto read : {race.first_update.read, race.second_update.read})
    for (const auto write : {race.first.instruction, race.second.instruction})
      parts.emplace(race.space, read, write);
}

/// Both are part of an exchange in a loop: what was read of the place goes to another, and what was there comes here.
bool is_exchange(const Race& race, const UpdateSources& sources, const simt::Program& program) {
  if (!race.lost_update || race.first.block != race.second.block) return false;
  const auto exchanges = [&](const RaceSide& side, const Update& update) {
    return update.by_condition && sources.exchanges(side.instruction, update.read) &&
           RacePaths(program).comes_again(side.instruction);
  };
  return exchanges(race.first, race.first_update) && exchanges(race.second, race.second_update);
}

/// A lost update is a race of each of its reads with each of its writes, too. A barrier between them, the mend of those,
/// would only hide it; where the same value was stored they are what is told. So is a change beside atomic ones.
void join_parts_of_updates(std::vector<Race>& races) {
  Parts lost, guarded;
  for (const auto& race : races) {
    const auto mixed = [&](const RaceSide& one, const RaceSide& other, const Update& update) {
      if (one.is_atomic() && other.writes() && update.any())
        lost.emplace(race.space, update.read, one.instruction);
    };
    mixed(race.first, race.second, race.second_update);
    mixed(race.second, race.first, race.first_update);
    if (race.lost_update)
      add_parts(lost, race);
    else if (!race.exchanges && race.first_update.any() && race.second_update.any())
      add_parts(guarded, race);
  }
  const auto is_in = [](const Parts& parts, const Race& race) {
    return race.first.reads() != race.second.reads() &&
           parts.contains({race.space, race.reader().instruction, race.other().instruction});
  };
  std::erase_if(races, [&](const Race& race) { return is_in(lost, race); });
  for (auto& race : races) race.guarded = is_in(guarded, race);
}

/// The write stores what was computed from the read.
bool is_one_statement(const Race& race, const UpdateSources& sources) {
  if (!race.reader().reads() || !race.other().writes()) return false;
  const auto* store = sources.store(race.other().instruction);
  const auto load = sources.load(race.reader().instruction);
  return store != nullptr && load >= 0 &&
         std::ranges::count(store->values, static_cast<std::uint32_t>(load)) != 0;
}

void add_all(BlockTouches& to, const BlockTouches& from) {
  for (int kind = 0; kind < BlockTouches::kinds; ++kind)
    for (const auto& one : from.lowest[kind])
      if (one.used) to.add(static_cast<BlockTouches::Kind>(kind), one);
  if (from.has_value) to.add_value(!from.values_differ, from.value);
}

}  // namespace

struct Races::Shadows {
  Shadows(const simt::Program& program, const Suspects& suspects) : plan(program, suspects) {}
  void compare_blocks(std::uint64_t page);

  RacePlan plan;
  std::vector<GlobalCells> global;  ///< one a host thread
  RaceTable races;
  std::vector<Span> written;  ///< by instruction
};

Races::Races(const simt::Program& program, const Suspects& suspects)
    : shadows_(std::make_unique<Shadows>(program, suspects)) {}
Races::~Races() = default;

std::unique_ptr<simt::Observer> Races::make() {
  return std::make_unique<RaceObserver>(shadows_->plan);
}

void Races::collect(simt::Observer& observer, const simt::Executions&) {
  auto& watched = static_cast<RaceObserver&>(observer);
  for (const auto& [key, race] : watched.races) note(shadows_->races, race);
  shadows_->written.resize(watched.written.size());
  for (std::size_t i = 0; i < watched.written.size(); ++i)
    shadows_->written[i].add(watched.written[i]);
  if (!shadows_->plan.in_order) shadows_->global.push_back(watched.take_global());
}

/// What blocks did to one page of global memory, by the host threads that saw it.
void Races::Shadows::compare_blocks(std::uint64_t page) {
  std::vector<std::pair<const GlobalCells*, const GlobalCell*>> found;
  for (const auto& cells : global)
    if (const auto at = cells.pages().find(page); at != cells.pages().end())
      found.emplace_back(&cells, at->second.get());
  const std::uint64_t count = GlobalCells::kPageBytes / plan.global_cell;
  for (std::uint64_t k = 0; k < count; ++k) {
    int touched = 0;
    bool many = false;
    for (const auto& [cells, first] : found) {
      touched += first[k].state != GlobalCell::untouched ? 1 : 0;
      many = many || first[k].state == GlobalCell::many;
    }
    if (touched < 2 && !many) continue;  // one thread alone
    BlockTouches touches;
    for (const auto& [cells, first] : found) {
      if (first[k].state == GlobalCell::many)
        add_all(touches, cells->record(first[k].instruction).touches);
      else
        RaceObserver::touches_of(first[k], touches, plan);
    }
    for (auto& race : between_blocks(touches)) {
      note_operation(race, plan.updates);
      race.address = page * GlobalCells::kPageBytes + k * plan.global_cell;
      note(races, race);
    }
  }
}

std::vector<Race> Races::take(std::optional<std::uint64_t> failed_block) {
  auto& shadows = *shadows_;
  if (!failed_block && !shadows.plan.in_order) {
    std::set<std::uint64_t> pages;
    for (const auto& cells : shadows.global)
      for (const auto& [page, unused] : cells.pages()) pages.insert(page);
    for (const auto page : pages) shadows.compare_blocks(page);
  }
  std::vector<Race> result;
  for (const auto& [key, race] : shadows.races) {
    const auto last = std::max(race.first.block, race.second.block);
    if (failed_block && last > *failed_block) continue;
    result.push_back(race);
    if (failed_block) result.back().count = 1;
  }
  for (auto& race : result) {
    race.exchanges = is_exchange(race, shadows.plan.updates, shadows.plan.program);
    if (race.exchanges) race.lost_update = false;
  }
  join_parts_of_updates(result);
  for (auto& race : result) {
    race.in_one_statement = is_one_statement(race, shadows.plan.updates);
    if (race.space != ptx::Space::shared || shadows.written.empty()) continue;
    race.first_span = shadows.written[race.first.instruction];
    race.second_span = shadows.written[race.second.instruction];
  }
  std::ranges::stable_sort(result, std::greater{}, &Race::relation);
  return result;
}

RacePlan::RacePlan(const simt::Program& program, const Suspects& suspects)
    : program(program),
      shared_cell(cell_bytes(program, ptx::Space::shared, kWidestRaceCell)),
      global_cell(cell_bytes(program, ptx::Space::global, kWidestRaceCell)),
      watch_shared((suspects.reasons & Suspects::shared_order) != 0),
      watched(suspects.ranges),
      updates(program) {
  for (const auto& facts : simt::instructions(program)) {
    flags = flags || facts.acquires;
    const auto& in = facts.text();
    // in which threads arrive and wait apart
    orders_some =
        orders_some || in.root() == "mbarrier" || (in.root() == "barrier" && in.has("cluster"));
    if (facts.is_barrier) {
      const std::size_t at = in.has("red") ? 1 : 0;  // behind the result
      const bool is_counted = in.operands.size() > (at == 0 ? 1u : 3u);
      const auto& number = in.operands[at];
      orders_some = orders_some || is_counted || number.kind != ptx::OperandKind::immediate ||
                    number.bits != 0;
    }
    const auto index = static_cast<std::uint32_t>(strength.size());
    const bool is_data = in.root() == "ld" && !updates.decides(index);
    strength.push_back(in.has("volatile") && is_data ? Strength::volatile_data
                       : in.has("volatile")          ? Strength::volatile_
                       : facts.is_strong             ? Strength::strong
                                                     : Strength::plain);
    of_block.push_back(facts.is_strong && in.has("cta"));
  }
  orders_some = orders_some || flags;
  in_order = simt::facts(program).order_matters;
  if (!flags && !in_order) standing = suspects.standing;  // what a flag orders its value says
}

std::uint64_t RacePlan::stands_for(std::uint64_t block) const {
  if (!standing) return 1;
  const auto at = std::ranges::lower_bound(*standing, block, {}, &Suspects::Standing::block);
  return at == standing->end() || at->block != block ? 0 : at->blocks;
}

}  // namespace labkit::observe
