// Races that a barrier fixes: which, and where it is missing.
#include <algorithm>
#include <utility>

#include "observe/race_parts.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using enum words::Id;

auto barriers_of(const RaceScene& scene) {
  return [&scene](std::uint32_t instruction) {
    const auto& facts = scene.facts(instruction);
    return facts.is_barrier ||
           (scene.of_lanes() && facts.text().root() == "bar" && facts.text().has("warp"));
  };
}

/// Of the first instruction on one of the lines of the two of which `holds` is true.
std::optional<launch::SourceLine> line_between(const TwoLines& two, const RaceScene& scene,
                                               const auto& holds) {
  const auto count = static_cast<std::uint32_t>(simt::instructions(scene.program).size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!holds(i)) continue;
    const auto at = scene.places.line(i);
    if (at.file == two.from.file && at.line >= two.from.line && at.line <= two.to.line) return at;
  }
  return std::nullopt;
}

bool any_between(const TwoLines& two, const RaceScene& scene, const auto& holds) {
  return line_between(two, scene, holds).has_value();
}

/// Lanes meet there and hand values on, and memory is not ordered by it.
bool has_exchange(const TwoLines& two, const RaceScene& scene) {
  return any_between(two, scene, [&](std::uint32_t i) {
    const auto& in = scene.facts(i).text();
    const auto root = in.root();
    return in.has("sync") &&
           (root == "shfl" || root == "vote" || root == "match" || root == "redux");
  });
}

bool has_fence(const TwoLines& two, const RaceScene& scene) {
  return any_between(two, scene, [&](std::uint32_t i) { return is_fence(scene.facts(i).text()); });
}

/// Both lines are in a condition that holds for some threads only: the barrier has to stand outside of it.
bool in_one_condition(const TwoLines& two, const RaceScene& scene) {
  const RacePaths paths(scene.program);
  const auto upper = two.above.instruction, lower = two.below.instruction;
  return scene.relation == Relation::warps && paths.only_of_some_threads(upper) &&
         paths.only_of_some_threads(lower) && !paths.meet_between(upper, lower);
}

/// A barrier between the two is in a loop that threads run a different number of times.
bool is_barrier_in_uneven_loop(const TwoLines& two, const RaceScene& scene) {
  const RacePaths paths(scene.program);
  return any_between(two, scene, [&](std::uint32_t i) {
    return scene.facts(i).is_barrier && paths.leads_to(i, i) && paths.loop_ends_apart(i);
  });
}

/// A barrier for so many threads as it says: bar.sync 1, 64.
bool counts_threads(const simt::InstructionFacts& facts) {
  const auto& in = facts.text();
  return (in.root() == "bar" || in.root() == "barrier") && !in.has("warp") && !in.has("red") &&
         in.operands.size() == 2;
}

}  // namespace

Race in_program_order(const RaceScene& scene) {
  Race race = scene.race;
  const auto first = race.first.instruction, second = race.second.instruction;
  if (scene.of_blocks() || race.in_flight || race.was_copied || race.lost_update ||
      race.same_value || first == second)
    return race;
  const RacePaths paths(scene.program);
  const auto stops = barriers_of(scene);
  if (paths.leads_to(first, second, stops) || !paths.leads_to(second, first, stops)) return race;
  std::swap(race.first, race.second);
  std::swap(race.first_update, race.second_update);
  std::swap(race.first_span, race.second_span);
  return race;
}

bool in_loop_without_barrier(const RaceScene& scene) {
  const Race& race = scene.race;
  if (scene.of_blocks() || race.was_copied || race.in_flight) return false;
  const auto first = race.first.instruction, second = race.second.instruction;
  const auto read = race.first.reads()    ? scene.first.line
                    : race.second.reads() ? scene.second.line
                                          : 0;
  if (scene.first.line == 0 || scene.second.line == 0 || first == second ||
      read > std::min(scene.first.line, scene.second.line))
    return false;
  const RacePaths paths(scene.program);
  const auto stops = barriers_of(scene);
  return scene.facts(first).function == scene.facts(second).function &&
         paths.leads_to(first, second, stops) && paths.leads_to(second, first, stops);
}

bool is_of_unrolled_iterations(const RaceScene& scene) {
  const auto first = scene.race.first.instruction, second = scene.race.second.instruction;
  const auto from = scene.first.line, to = scene.second.line;
  const RacePaths paths(scene.program);
  if (from == 0 || to == 0 || !paths.leads_to(first, second) || paths.leads_to(second, first))
    return false;
  // the same access of another turn stands between the two; not where one loop comes after the other
  return from > to || (from == to && !scene.race.first.reads())
             ? paths.stands_before(second, first)
             : paths.takes_turns_until(first, second);
}

TwoLines two_lines(const RaceScene& scene) {
  const Race& race = scene.race;
  const bool is_unrolled = is_of_unrolled_iterations(scene);
  const bool first_above = scene.first.line < scene.second.line && !is_unrolled;
  TwoLines two{first_above ? race.first : race.second, first_above ? race.second : race.first,
               first_above ? scene.first : scene.second, first_above ? scene.second : scene.first};
  const auto upper = two.above.instruction, lower = two.below.instruction;
  const RacePaths paths(scene.program);
  const auto stops = barriers_of(scene);
  // one on the line of an access stands before or behind it
  const auto between = [&](std::uint32_t i) {
    const auto at = scene.places.line(i);
    return stops(i) && at.file == two.from.file && at.line >= two.from.line &&
           at.line <= two.to.line && (at.line != two.from.line || i > upper) &&
           (at.line != two.to.line || i < lower);
  };
  two.has_barrier = any_between(two, scene, between);
  if (is_unrolled) {
    two.is_next_iteration = true;
    return two;
  }
  if (!two.has_barrier) return two;
  // of the two threads, the one below may have come another way
  two.goes_around = paths.leads_to(upper, lower, stops) || paths.begins_with(lower, between);
  const bool for_some = any_between(
      two, scene, [&](std::uint32_t i) { return between(i) && paths.only_of_some_threads(i); });
  two.is_next_iteration = paths.leads_to(lower, upper, stops) && !(two.goes_around && for_some);
  return two;
}

std::optional<words::Message> among_counted_barriers(const RaceScene& scene) {
  const auto instructions = simt::instructions(scene.program);
  if (!std::ranges::any_of(instructions, counts_threads)) return std::nullopt;
  const RacePaths paths(scene.program);
  for (const bool is_first : {true, false}) {
    const auto& side = is_first ? scene.race.first : scene.race.second;
    const auto &line = is_first ? scene.first : scene.second,
               &other_line = is_first ? scene.second : scene.first;
    // the last barrier before it in the text
    auto above = static_cast<std::int64_t>(side.instruction) - 1;
    while (above >= 0 && !instructions[above].is_barrier) --above;
    if (above < 0) continue;
    const auto barrier = static_cast<std::uint32_t>(above);
    const auto arrive = scene.places.line(barrier);
    if (!scene.facts(barrier).text().has("arrive") || !paths.leads_to(barrier, side.instruction) ||
        arrive.line == 0 || line.line == 0)
      continue;
    if (side.reads())
      return words::Message{race_fix_read_before_arrive, {{"line", line}, {"arrive", arrive}}};
    if (line.file == arrive.file && line.line < arrive.line)  // it is one of a later iteration
      return words::Message{race_fix_write_waits, {{"line", line}, {"other_line", other_line}}};
    return words::Message{race_fix_write_before_arrive, {{"line", line}, {"arrive", arrive}}};
  }
  return words::Message{race_fix_counted_barrier};
}

Cause cause_by_roles(const Race& race, Cause cause) {
  if (race.any_atomic()) return Cause::race_plain_beside_atomic;
  return race.both_write() ? Cause::race_same_element : cause;
}

Remedy barrier_at_end_of_loop(const RaceScene& scene, bool again) {
  const TwoLines two = two_lines(scene);
  const bool in_order = two.from.line <= two.to.line;
  const bool for_all = scene.relation == Relation::warps &&
                       RacePaths(scene.program).only_of_some_threads(two.below.instruction);
  const bool ends_apart =
      for_all && RacePaths(scene.program).loop_ends_apart(two.below.instruction);
  const Cause in_loop =
      scene.of_lanes() ? Cause::race_missing_syncwarp_in_loop : Cause::race_missing_barrier_in_loop;
  Remedy remedy{
      two.has_barrier ? cause_by_roles(scene.race, in_loop) : Cause::race_no_barrier_in_loop,
      {for_all ? race_fix_barrier_for_all_at_end_of_loop : race_fix_barrier_at_end_of_loop,
       {scene.barrier(),
        {"below", in_order ? two.to : two.from},
        {"above", in_order ? two.from : two.to}}}};
  if (ends_apart)
    remedy.fix = {race_fix_loop_of_some, {{"below", in_order ? two.to : two.from}}};
  else if (again)
    remedy.evidence.push_back({race_also_within_iteration, {scene.barrier()}});
  return remedy;
}

Remedy fix_of_blocks(const RaceScene& scene) {
  constexpr auto kCause = Cause::race_between_blocks;
  const auto read = scene.race.reader().instruction, write = scene.race.other().instruction;
  const RacePaths paths(scene.program);
  const auto instructions = simt::instructions(scene.program);
  const auto is_block_barrier = [&](std::uint32_t i) { return instructions[i].is_barrier; };
  // one thread counts for a block whose other threads may not have stored yet
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].function == instructions[write].function &&
        instructions[i].space != ptx::Space::shared && instructions[i].text().root() == "atom" &&
        paths.only_of_some_threads(i) && !paths.only_of_some_threads(write) &&
        paths.leads_to(write, i, is_block_barrier) && paths.leads_to(i, read) &&
        !paths.leads_to(read, i)) {
      const words::Parameter line = {"line", scene.places.line(i)};
      return {kCause, {race_fix_barrier_before_count, {line}}, {{race_counts_for_block, {line}}}};
    }
  if (paths.leads_to(read, write) && (!paths.leads_to(write, read) || scene.race.in_one_statement))
    return {kCause, {race_fix_write_elsewhere, {{"line", scene.line(scene.race.other())}}}};
  return {kCause, {race_fix_read_in_own_launch}};
}

bool is_checked_by_swap(const RaceScene& scene) {
  const RaceSide &read = scene.race.reader(), &other = scene.race.other();
  if (!read.reads() || !other.is_atomic()) return false;
  const auto& swap = scene.facts(other.instruction).text();
  if (!swap.has("cas") || swap.operands.size() < 3) return false;
  const RacePaths paths(scene.program);
  const auto instructions = simt::instructions(scene.program);
  const auto* function = instructions[read.instruction].function;
  const auto comes_after = [&](std::uint32_t i) {
    return paths.leads_to(read.instruction, i) && !paths.leads_to(i, read.instruction);
  };
  if (instructions[other.instruction].function == function)
    return comes_after(other.instruction) && swap.operands[2].kind == ptx::OperandKind::reg &&
           value_goes_to(scene.program, read.instruction, other.instruction, swap.operands[2].id);
  // a build without inlining calls atomicCAS
  const auto line = scene.line(other).line;
  for (std::uint32_t i = 0; line != 0 && i < instructions.size(); ++i)
    if (instructions[i].function == function && instructions[i].text().root() == "call" &&
        scene.places.line(i).line == line && comes_after(i))
      return true;
  return false;
}

Remedy barrier_place(const RaceScene& scene) {
  const TwoLines two = two_lines(scene);
  if (two.is_next_iteration) return barrier_at_end_of_loop(scene, false);
  const words::Parameter above = {"above", two.from}, below = {"below", two.to};
  Remedy remedy;
  remedy.cause = cause_by_roles(scene.race, scene.of_lanes() ? Cause::race_missing_syncwarp
                                            : two.has_barrier && two.goes_around
                                                ? Cause::race_barrier_not_on_every_path
                                                : Cause::race_missing_barrier);
  if (!two.has_barrier) {
    const bool meets = scene.of_lanes() && has_exchange(two, scene),
               fences = !meets && has_fence(two, scene);
    const auto is_of_warp = [&](std::uint32_t i) {
      return scene.facts(i).text().root() == "bar" && scene.facts(i).text().has("warp");
    };
    if (meets) remedy.evidence.push_back({race_shuffle_orders_nothing});
    if (const auto line = line_between(two, scene, is_of_warp); line && !scene.of_lanes())
      remedy.evidence.push_back({race_syncwarp_orders_one_warp, {{"line", *line}}});
    if (fences) remedy.evidence.push_back({race_fence_makes_nobody_wait});
    const bool inside = !meets && !fences && in_one_condition(two, scene);
    remedy.fix = {inside ? race_fix_barrier_outside_condition : race_fix_barrier_between,
                  {scene.barrier(), above, below}};
  } else if (two.goes_around) {
    remedy.fix = {is_barrier_in_uneven_loop(two, scene) ? race_fix_barrier_out_of_loop
                                                        : race_fix_barrier_out_of_condition,
                  {above, below}};
  } else if (scene.of_lanes()) {
    remedy.evidence.push_back({race_group_orders_its_own});
    remedy.fix = {race_fix_one_syncwarp, {above, below}};
  } else {
    remedy.fix = {race_fix_one_barrier, {above, below}};
  }
  return remedy;
}

}  // namespace labkit::observe
