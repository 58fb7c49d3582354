// Races that a barrier fixes: which, and where it is missing.
#include <algorithm>
#include <utility>

#include "observe/race_parts.h"
#include "observe/race_paths.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

/// A barrier that would do.
bool is_barrier(std::uint32_t instruction, Relation relation, const Places& places) {
  const auto& in = RacePaths(places.program()).text(instruction);
  return simt::instructions(places.program())[instruction].is_barrier ||
         (relation == Relation::lanes && in.root() == "bar" && in.has("warp"));
}

/// An instruction of which `holds` is true stands on one of these lines.
bool any_between(const launch::SourceLine& from, const launch::SourceLine& to, const Places& places,
                 const auto& holds) {
  const auto count = static_cast<std::uint32_t>(simt::instructions(places.program()).size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!holds(i)) continue;
    const auto at = places.line(i);
    if (at.file == from.file && at.line >= from.line && at.line <= to.line) return true;
  }
  return false;
}

/// Lanes meet there and hand values on, and memory is not ordered by it.
bool has_exchange(const launch::SourceLine& from, const launch::SourceLine& to,
                  const Places& places) {
  return any_between(from, to, places, [&](std::uint32_t i) {
    const auto& in = RacePaths(places.program()).text(i);
    const auto root = in.root();
    return in.has("sync") &&
           (root == "shfl" || root == "vote" || root == "match" || root == "redux");
  });
}

bool has_fence(const launch::SourceLine& from, const launch::SourceLine& to, const Places& places) {
  return any_between(from, to, places, [&](std::uint32_t i) {
    const auto root = RacePaths(places.program()).text(i).root();
    return root == "membar" || root == "fence";
  });
}

/// Both lines are in a condition that holds for some threads only: the barrier has to stand outside of it.
bool in_one_condition(std::uint32_t upper, std::uint32_t lower, Relation relation,
                      const Places& places) {
  const RacePaths paths(places.program());
  return relation == Relation::warps && paths.only_of_some_threads(upper) &&
         paths.only_of_some_threads(lower) && !paths.meet_between(upper, lower);
}

/// A barrier for so many threads as it says: bar.sync 1, 64.
bool counts_threads(const ptx::Instruction& in) {
  return (in.root() == "bar" || in.root() == "barrier") && !in.has("warp") && !in.has("red") &&
         in.operands.size() == 2;
}

}  // namespace

Race in_program_order(Race race, const Places& places, Relation relation) {
  if (relation == Relation::blocks || race.in_flight || race.was_copied || race.lost_update ||
      race.same_value || race.first.instruction == race.second.instruction)
    return race;
  const RacePaths paths(places.program());
  const auto stops = [&](std::uint32_t i) { return is_barrier(i, relation, places); };
  const auto first = race.first.instruction, second = race.second.instruction;
  if (paths.leads_to(first, second, stops) || !paths.leads_to(second, first, stops)) return race;
  std::swap(race.first, race.second);
  std::swap(race.first_update, race.second_update);
  std::swap(race.first_span, race.second_span);
  return race;
}

bool in_loop_without_barrier(const Race& race, const Places& places, Relation relation) {
  if (relation == Relation::blocks || race.was_copied || race.in_flight) return false;
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  const auto read = race.first.role == AccessRole::read    ? first.line
                    : race.second.role == AccessRole::read ? second.line
                                                           : 0;
  if (first.line == 0 || second.line == 0 || race.first.instruction == race.second.instruction ||
      (read != 0 && read > std::min(first.line, second.line)))
    return false;
  const RacePaths paths(places.program());
  const auto stops = [&](std::uint32_t i) { return is_barrier(i, relation, places); };
  return simt::instructions(places.program())[race.first.instruction].function ==
             simt::instructions(places.program())[race.second.instruction].function &&
         paths.leads_to(race.first.instruction, race.second.instruction, stops) &&
         paths.leads_to(race.second.instruction, race.first.instruction, stops);
}

bool is_of_unrolled_iterations(const Race& race, const Places& places) {
  const auto first = race.first.instruction, second = race.second.instruction;
  const auto from = places.line(first), to = places.line(second);
  const RacePaths paths(places.program());
  if (from.line == 0 || to.line == 0 || !paths.leads_to(first, second) ||
      paths.leads_to(second, first))
    return false;
  // the same access of another turn stands between the two; not where one loop comes after the other
  if (from.line > to.line || (from.line == to.line && race.first.role != AccessRole::read))
    return paths.stands_before(second, first);
  return paths.takes_turns_until(first, second);
}

TwoLines two_lines(const Race& race, const Places& places, Relation relation) {
  const bool in_order =
      places.line(race.first.instruction).line < places.line(race.second.instruction).line;
  const bool is_unrolled = is_of_unrolled_iterations(race, places);
  const bool first_above = in_order && !is_unrolled;
  TwoLines two{
      first_above ? race.first : race.second, first_above ? race.second : race.first, {}, {}};
  const auto upper = two.above.instruction, lower = two.below.instruction;
  two.from = places.line(upper);
  two.to = places.line(lower);
  const RacePaths paths(places.program());
  const auto stops = [&](std::uint32_t i) { return is_barrier(i, relation, places); };
  // one on the line of an access stands before or behind it
  const auto between = [&](std::uint32_t i) {
    const auto at = places.line(i);
    return stops(i) && at.file == two.from.file && at.line >= two.from.line &&
           at.line <= two.to.line && (at.line != two.from.line || i > upper) &&
           (at.line != two.to.line || i < lower);
  };
  two.has_barrier = any_between(two.from, two.to, places, between);
  if (is_unrolled) {
    two.is_next_iteration = true;
    return two;
  }
  if (!two.has_barrier) return two;
  // of the two threads, the one below may have come another way
  two.goes_around = paths.leads_to(upper, lower, stops) || paths.begins_with(lower, between);
  const bool for_some = any_between(two.from, two.to, places, [&](std::uint32_t i) {
    return between(i) && paths.only_of_some_threads(i);
  });
  two.is_next_iteration = paths.leads_to(lower, upper, stops) && !(two.goes_around && for_some);
  return two;
}

std::optional<words::Message> among_counted_barriers(const Race& race, const Places& places) {
  using enum words::Id;
  const auto instructions = simt::instructions(places.program());
  const RacePaths paths(places.program());
  bool any = false;
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    any = any || counts_threads(paths.text(i));
  if (!any) return std::nullopt;
  for (const bool is_first : {true, false}) {
    const auto &side = is_first ? race.first : race.second,
               &other = is_first ? race.second : race.first;
    // the last barrier before it in the text
    auto above = static_cast<std::int64_t>(side.instruction) - 1;
    while (above >= 0 && !instructions[static_cast<std::size_t>(above)].is_barrier) --above;
    if (above < 0) continue;
    const auto barrier = static_cast<std::uint32_t>(above);
    if (!paths.text(barrier).has("arrive") || !paths.leads_to(barrier, side.instruction) ||
        places.line(barrier).line == 0 || places.line(side.instruction).line == 0)
      continue;
    const auto at = places.line(side.instruction), arrive = places.line(barrier);
    if (side.role == AccessRole::read)
      return words::Message{race_fix_read_before_arrive, {{"line", at}, {"arrive", arrive}}};
    if (at.file == arrive.file && at.line < arrive.line)  // it is one of a later iteration
      return words::Message{race_fix_write_waits,
                            {{"line", at}, {"other_line", places.line(other.instruction)}}};
    return words::Message{race_fix_write_before_arrive, {{"line", at}, {"arrive", arrive}}};
  }
  return words::Message{race_fix_counted_barrier};
}

launch::Cause cause_by_roles(const Race& race, launch::Cause cause) {
  if (any_atomic(race)) return launch::Cause::race_plain_beside_atomic;
  return both_write(race) ? launch::Cause::race_same_element : cause;
}

Remedy barrier_at_end_of_loop(const Race& race, const Places& places, Relation relation,
                              const std::string& barrier, bool again) {
  using enum words::Id;
  using launch::Cause;
  const TwoLines two = two_lines(race, places, relation);
  const bool in_order = two.from.line <= two.to.line;
  const bool for_all = relation == Relation::warps &&
                       RacePaths(places.program()).only_of_some_threads(two.below.instruction);
  Remedy remedy{
      !two.has_barrier
          ? Cause::race_no_barrier_in_loop
          : cause_by_roles(race, relation == Relation::lanes ? Cause::race_missing_syncwarp_in_loop
                                                             : Cause::race_missing_barrier_in_loop),
      {for_all ? race_fix_barrier_for_all_at_end_of_loop : race_fix_barrier_at_end_of_loop,
       {{"barrier", barrier},
        {"below", in_order ? two.to : two.from},
        {"above", in_order ? two.from : two.to}}}};
  if (again) remedy.evidence.push_back({race_also_within_iteration, {{"barrier", barrier}}});
  return remedy;
}

Remedy fix_of_blocks(const Race& race, const Places& places) {
  using enum words::Id;
  constexpr auto kCause = launch::Cause::race_between_blocks;
  const bool reads_first = race.first.role == AccessRole::read;
  const auto read = (reads_first ? race.first : race.second).instruction,
             write = (reads_first ? race.second : race.first).instruction;
  const RacePaths paths(places.program());
  const auto instructions = simt::instructions(places.program());
  const auto is_block_barrier = [&](std::uint32_t i) { return instructions[i].is_barrier; };
  // one thread counts for a block whose other threads may not have stored yet
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].function == instructions[write].function &&
        instructions[i].space != ptx::Space::shared && paths.text(i).root() == "atom" &&
        paths.only_of_some_threads(i) && !paths.only_of_some_threads(write) &&
        paths.leads_to(write, i, is_block_barrier) && paths.leads_to(i, read) &&
        !paths.leads_to(read, i))
      return {kCause,
              {race_fix_barrier_before_count, {{"line", places.line(i)}}},
              {{race_counts_for_block, {{"line", places.line(i)}}}}};
  if (paths.leads_to(read, write) && (!paths.leads_to(write, read) || race.in_one_statement))
    return {kCause, {race_fix_write_elsewhere, {{"line", places.line(write)}}}};
  return {kCause, {race_fix_read_in_own_launch}};
}

bool is_checked_by_swap(const Race& race, const Places& places) {
  const bool reads_first = race.first.role == AccessRole::read;
  const auto &read = reads_first ? race.first : race.second,
             &other = reads_first ? race.second : race.first;
  if (read.role != AccessRole::read || other.role != AccessRole::atomic) return false;
  const RacePaths paths(places.program());
  const auto& swap = paths.text(other.instruction);
  if (!swap.has("cas") || swap.operands.size() < 3) return false;
  const auto instructions = simt::instructions(places.program());
  const auto* function = instructions[read.instruction].function;
  const auto comes_after = [&](std::uint32_t i) {
    return paths.leads_to(read.instruction, i) && !paths.leads_to(i, read.instruction);
  };
  if (instructions[other.instruction].function == function)
    return comes_after(other.instruction) && swap.operands[2].kind == ptx::OperandKind::reg &&
           value_goes_to(places.program(), read.instruction, other.instruction,
                         swap.operands[2].id);
  // a build without inlining calls atomicCAS
  const auto at = places.line(other.instruction);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].function == function && paths.text(i).root() == "call" && at.line != 0 &&
        places.line(i).line == at.line && comes_after(i))
      return true;
  return false;
}

Remedy barrier_place(const Race& race, const Places& places, Relation relation,
                     const std::string& barrier) {
  using enum words::Id;
  using launch::Cause;
  const TwoLines two = two_lines(race, places, relation);
  if (two.is_next_iteration) return barrier_at_end_of_loop(race, places, relation, barrier, false);
  const bool of_lanes = relation == Relation::lanes;
  const words::Parameter above = {"above", two.from}, below = {"below", two.to};
  Remedy remedy;
  remedy.cause = cause_by_roles(race, of_lanes ? Cause::race_missing_syncwarp
                                      : two.has_barrier && two.goes_around
                                          ? Cause::race_barrier_not_on_every_path
                                          : Cause::race_missing_barrier);
  if (!two.has_barrier) {
    const bool meets = of_lanes && has_exchange(two.from, two.to, places),
               fences = !meets && has_fence(two.from, two.to, places);
    if (meets) remedy.evidence.push_back({race_shuffle_orders_nothing});
    if (fences) remedy.evidence.push_back({race_fence_makes_nobody_wait});
    const bool inside =
        !meets && !fences &&
        in_one_condition(two.above.instruction, two.below.instruction, relation, places);
    remedy.fix = {inside ? race_fix_barrier_outside_condition : race_fix_barrier_between,
                  {{"barrier", barrier}, above, below}};
  } else if (two.goes_around) {
    remedy.fix = {race_fix_barrier_out_of_condition, {above, below}};
  } else if (of_lanes) {
    remedy.evidence.push_back({race_group_orders_its_own});
    remedy.fix = {race_fix_one_syncwarp, {above, below}};
  } else {
    remedy.fix = {race_fix_one_barrier, {above, below}};
  }
  return remedy;
}

}  // namespace labkit::observe
