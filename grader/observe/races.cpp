#include "observe/races.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "observe/race_observer.h"
#include "observe/race_paths.h"

namespace labkit::observe {

namespace {

/// A race between blocks at one place, if there is one, but for the stores of one same value.
std::optional<Race> other_than_same_value(const BlockTouches& touches) {
  using enum BlockTouches::Kind;
  auto side = [](const BlockTouches::One& one, AccessRole role) {
    return RaceSide{one.block, one.thread, one.instruction, role};
  };
  auto other_than = [&](BlockTouches::Kind kind,
                        const BlockTouches::One& one) -> const BlockTouches::One* {
    for (const auto& candidate : touches.lowest[kind])
      if (candidate.used && candidate.block != one.block) return &candidate;
    return nullptr;
  };
  Race race;
  race.space = ptx::Space::global;
  race.count = 1;
  const auto& writes = touches.lowest[plain_write];
  const auto& atomics = touches.lowest[atomic];
  for (const auto& one : writes) {
    if (!one.used) continue;
    for (const auto kind : {plain_read, atomic})
      if (const auto* other = other_than(kind, one)) {
        race.first = side(one, AccessRole::write);
        race.second = side(*other, kind == atomic ? AccessRole::atomic : AccessRole::read);
        return race;
      }
  }
  for (const auto& one : touches.lowest[block_atomic]) {  // whole for its own block alone
    if (!one.used) continue;
    for (const auto kind : {plain_write, block_atomic, atomic, plain_read})
      if (const auto* other = other_than(kind, one)) {
        race.first = side(one, AccessRole::atomic);
        race.second = side(*other, kind == plain_write  ? AccessRole::write
                                   : kind == plain_read ? AccessRole::read
                                                        : AccessRole::atomic);
        return race;
      }
  }
  for (const auto& one : atomics) {
    if (!one.used) continue;
    if (const auto* other = other_than(plain_read, one)) {
      race.first = side(one, AccessRole::atomic);
      race.second = side(*other, AccessRole::read);
      return race;
    }
  }
  return std::nullopt;
}

/// The races between blocks at one place: one, or two where stores of the same value, which alone do no harm, are read.
std::vector<Race> between_blocks(const BlockTouches& touches) {
  std::vector<Race> found;
  if (const auto& writes = touches.lowest[BlockTouches::plain_write]; writes[1].used) {
    auto& race = found.emplace_back();
    race.space = ptx::Space::global;
    race.count = 1;
    race.first = {writes[0].block, writes[0].thread, writes[0].instruction, AccessRole::write};
    race.second = {writes[1].block, writes[1].thread, writes[1].instruction, AccessRole::write};
    race.first_update = writes[0].update;
    race.second_update = writes[1].update;
    judge_updates(race, touches.has_value && !touches.values_differ);
    if (!race.same_value) return found;
  }
  if (const auto race = other_than_same_value(touches)) found.push_back(*race);
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
      if (one.role == AccessRole::atomic && other.role == AccessRole::write && update.any())
        lost.emplace(race.space, update.read, one.instruction);
    };
    mixed(race.first, race.second, race.second_update);
    mixed(race.second, race.first, race.first_update);
    if (race.lost_update)
      add_parts(lost, race);
    else if (race.exchanges)
      continue;
    else if (race.first_update.any() && race.second_update.any())
      add_parts(guarded, race);
  }
  auto is_in = [](const Parts& parts, const Race& race) {
    if ((race.first.role == AccessRole::read) == (race.second.role == AccessRole::read))
      return false;
    const bool first = race.first.role == AccessRole::read;
    return parts.contains({race.space, (first ? race.first : race.second).instruction,
                           (first ? race.second : race.first).instruction});
  };
  std::erase_if(races, [&](const Race& race) { return is_in(lost, race); });
  for (auto& race : races) race.guarded = is_in(guarded, race);
}

void note_statement(Race& race, const UpdateSources& sources) {
  const bool first = race.first.role == AccessRole::read;
  const auto &read = first ? race.first : race.second, &write = first ? race.second : race.first;
  if (read.role != AccessRole::read || write.role != AccessRole::write) return;
  const auto* store = sources.store(write.instruction);
  const auto load = sources.load(read.instruction);
  race.in_one_statement = store != nullptr && load >= 0 &&
                          std::find(store->values.begin(), store->values.end(),
                                    static_cast<std::uint32_t>(load)) != store->values.end();
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
  RacePlan plan;
  std::vector<GlobalCells> global;  ///< one a host thread
  RaceTable races;
  std::vector<WrittenSpan> written;  ///< by instruction
};

Races::Races(const simt::Program& program, const Suspects& suspects)
    : shadows_(std::make_unique<Shadows>(program, suspects)) {}
Races::~Races() = default;

std::unique_ptr<simt::Observer> Races::make() {
  return std::make_unique<RaceObserver>(shadows_->plan);
}

void Races::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                    std::size_t) {
  auto& watched = static_cast<RaceObserver&>(observer);
  for (const auto& [key, race] : watched.races) note(shadows_->races, race);
  shadows_->written.resize(watched.written.size());
  for (std::size_t i = 0; i < watched.written.size(); ++i)
    if (const auto& span = watched.written[i]; span.end != 0)
      shadows_->written[i].add(span.begin, span.end);
  if (!shadows_->plan.in_order) shadows_->global.push_back(watched.take_global());
}

std::vector<Race> Races::take(std::optional<std::uint64_t> failed_block) {
  auto& shadows = *shadows_;
  if (!failed_block && !shadows.plan.in_order) {
    std::vector<std::uint64_t> pages;
    for (const auto& cells : shadows.global)
      for (const auto& [page, unused] : cells.pages()) pages.push_back(page);
    std::sort(pages.begin(), pages.end());
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    for (const auto page : pages) {
      std::vector<std::pair<const GlobalCells*, const GlobalCell*>> found;
      for (const auto& cells : shadows.global)
        if (const auto at = cells.pages().find(page); at != cells.pages().end())
          found.emplace_back(&cells, at->second.get());
      const std::uint64_t count = GlobalCells::kPageBytes / shadows.plan.global_cell;
      for (std::uint64_t k = 0; k < count; ++k) {
        int touched = 0;
        bool many = false;
        for (const auto& [cells, first] : found) {
          const auto state = first[k].state;
          touched += state != GlobalCell::untouched ? 1 : 0;
          many = many || state == GlobalCell::many;
        }
        if (touched < 2 && !many) continue;  // one thread alone
        BlockTouches touches;
        for (const auto& [cells, first] : found) {
          if (first[k].state == GlobalCell::many)
            add_all(touches, cells->record(first[k].instruction).touches);
          else
            RaceObserver::touches_of(first[k], touches, shadows.plan);
        }
        for (auto& race : between_blocks(touches)) {
          note_operation(race, shadows.plan.updates);
          race.address = page * GlobalCells::kPageBytes + k * shadows.plan.global_cell;
          note(shadows.races, race);
        }
      }
    }
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
    note_statement(race, shadows.plan.updates);
    if (race.space != ptx::Space::shared || shadows.written.empty()) continue;
    race.first_span = shadows.written[race.first.instruction];
    race.second_span = shadows.written[race.second.instruction];
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return width_of(a) > width_of(b); });
  return result;
}

RacePlan::RacePlan(const simt::Program& program, const Suspects& suspects)
    : program(program),
      watch_shared((suspects.reasons & Suspects::shared_order) != 0),
      watched(suspects.ranges),
      updates(program) {
  for (const auto& facts : simt::instructions(program)) {
    const auto bytes = std::max<std::uint32_t>(facts.bytes_per_lane, 1);
    const bool accesses = facts.is_load || facts.is_store || facts.is_atomic;
    const bool generic = facts.space == ptx::Space::generic;
    if (accesses && (generic || facts.space == ptx::Space::shared))
      shared_cell = std::min(shared_cell, bytes);
    if (accesses && (generic || facts.space == ptx::Space::global))
      global_cell = std::min(global_cell, bytes);
    flags = flags || facts.acquires;
    const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
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
  const auto at = std::lower_bound(standing->begin(), standing->end(), block,
                                   [](const auto& one, auto number) { return one.block < number; });
  return at == standing->end() || at->block != block ? 0 : at->blocks;
}

}  // namespace labkit::observe
