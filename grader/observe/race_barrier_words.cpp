// Races that a barrier would mend: which, and where it is missing.
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

/// Who writes between two lines that only some threads come to has to leave the condition for the barrier.
std::string outside_of_condition(std::uint32_t upper, std::uint32_t lower, Relation relation,
                                 const Places& places) {
  const RacePaths paths(places.program());
  if (relation != Relation::warps || !paths.only_of_some_threads(upper) ||
      !paths.only_of_some_threads(lower) || paths.meet_between(upper, lower))
    return {};
  return ", where every thread of the block comes by: not inside a condition that holds for some "
         "of "
         "them (end it before, begin it anew after)";
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

bool is_of_unrolled_turns(const Race& race, const Places& places) {
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
  const bool is_unrolled = is_of_unrolled_turns(race, places);
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
    two.is_next_turn = true;
    return two;
  }
  if (!two.has_barrier) return two;
  // of the two threads, the one below may have come another way
  two.goes_around = paths.leads_to(upper, lower, stops) || paths.begins_with(lower, between);
  const bool for_some = any_between(two.from, two.to, places, [&](std::uint32_t i) {
    return between(i) && paths.only_of_some_threads(i);
  });
  two.is_next_turn = paths.leads_to(lower, upper, stops) && !(two.goes_around && for_some);
  return two;
}

std::string among_counted_barriers(const Race& race, const Places& places) {
  const auto instructions = simt::instructions(places.program());
  const RacePaths paths(places.program());
  bool any = false;
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    any = any || counts_threads(paths.text(i));
  if (!any) return {};
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
    const std::string access = at_line(places.line(side.instruction)),
                      arrive = "the bar.arrive of " + at_line(places.line(barrier));
    if (side.role == AccessRole::read)
      return "let the read of " + access + " stand before " + arrive +
             ", or wait there (bar.sync) if it is of what the others leave: who only arrives knows "
             "nothing of them";
    const auto at = places.line(side.instruction), told = places.line(barrier);
    if (at.file == told.file && at.line < told.line)  // it is one of a later turn
      return "let the write of " + access +
             " wait (bar.sync, with a number of its own) until those who come to " +
             at_line(places.line(other.instruction)) +
             " have done it and arrived (bar.arrive): what has not been read yet must not be "
             "overwritten";
    return "let the write of " + access + " stand before " + arrive +
           ": of who only arrives the others know what it did until then, and no more";
  }
  return "let the threads of both come to one barrier between the two, with a number of its own "
         "and as many threads as come (or all, to __syncthreads(), outside of conditions)";
}

std::string barrier_of_turns(const Race& race, const Places& places, Relation relation,
                             const std::string& barrier, bool again) {
  const TwoLines two = two_lines(race, places, relation);
  const bool in_order = two.from.line <= two.to.line, one_line = two.from.line == two.to.line;
  const std::string above = at_line(in_order ? two.from : two.to),
                    below = at_line(in_order ? two.to : two.from);
  std::string text = "put " + barrier +
                     (two.has_barrier ? " " : std::string(" ") + kEndOfTurn + ": ") + "after " +
                     below + ", before the loop comes to " + (one_line ? "it" : above) + " again";
  if (relation == Relation::warps &&
      RacePaths(places.program()).only_of_some_threads(two.below.instruction))
    text +=
        ", where every thread of the block comes by (not inside a condition that holds for "
        "some of them)";
  if (again)
    text += "; where in one turn a thread also reads what another writes in that turn, let all " +
            std::string("read into a variable first, then ") + barrier + ", then write";
  return text;
}

std::string fix_of_blocks(const Race& race, const Places& places) {
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
      return "put __syncthreads() before the count of " + at_line(places.line(i)) +
             ": the thread that counts there does so for its whole block, and the others may not "
             "have stored yet (a fence makes no thread wait for another)";
  const std::string end = "only the end of a launch makes all blocks wait";
  if (paths.leads_to(read, write) && (!paths.leads_to(write, read) || race.in_one_statement))
    return "let " + at_line(places.line(write)) +
           " write to another array than the one that is read: " + end +
           ", and until then other blocks may still read what it writes over";
  return "do what reads in a launch of its own: " + end;
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

std::string barrier_place(const Race& race, const Places& places, Relation relation,
                          const std::string& barrier) {
  const TwoLines two = two_lines(race, places, relation);
  const std::string above = at_line(two.from), below = at_line(two.to);
  if (two.is_next_turn) return barrier_of_turns(race, places, relation, barrier, false);
  if (!two.has_barrier)
    return "put " + barrier + " between " + above + " and " + below +
           (relation == Relation::lanes && has_exchange(two.from, two.to, places)
                ? " (a shuffle or a vote makes lanes meet, but orders none of their memory)"
            : has_fence(two.from, two.to, places)
                ? " (a fence makes no thread wait for another)"
                : outside_of_condition(two.above.instruction, two.below.instruction, relation,
                                       places));
  if (two.goes_around)
    return "let all threads pass the barrier between " + above + " and " + below +
           ": take it out of the condition";
  if (relation == Relation::lanes)
    return "let one __syncwarp() stand between " + above + " and " + below +
           " that all these lanes come to (none leaves before it), and name them in its mask; a "
           "group that is smaller orders its own lanes alone";
  return "let one and the same barrier stand between " + above + " and " + below +
         ", that all threads come to";
}

}  // namespace labkit::observe
