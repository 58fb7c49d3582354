#include "observe/race_words.h"

#include <algorithm>
#include <optional>

#include "observe/race_paths.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

enum class Relation : std::uint8_t { lanes, warps, blocks };

const char* role_name(AccessRole role) {
  return role == AccessRole::read ? "Read" : role == AccessRole::write ? "Write" : "Atomic";
}

/// compute-sanitizer's names for what goes wrong.
const char* hazard(const Race& race) {
  if (race.first.role == AccessRole::read) return "WAR";
  return race.second.role == AccessRole::read ? "RAW" : "WAW";
}

std::string side_text(const RaceSide& side, const Places& places, bool with_block) {
  std::string text =
      std::string(role_name(side.role)) + " Thread " + triple(places.thread(side.thread));
  if (with_block) text += " in block " + triple(places.block(side.block));
  return text + " at " + spelled(places.line(side.instruction)) + " in " + places.kernel();
}

std::string at_line(const launch::SourceLine& line) {
  return line.line == 0 ? "its line" : "line " + std::to_string(line.line);
}

bool same_thread(const Race& race) { return race.first.thread == race.second.thread; }

/// A lock or a flag that would order the two, did a fence stand before it.
std::optional<RacePaths::HandOver> hand_over(const Race& race, const Places& places,
                                             Relation relation) {
  if (race.first.role == AccessRole::atomic || race.second.role == AccessRole::atomic ||
      race.in_flight || race.same_value)
    return std::nullopt;
  return RacePaths(places.program())
      .unfenced(race.first.instruction, race.second.instruction, relation == Relation::blocks);
}

std::string fence_schedule(const RacePaths::HandOver& over, const Places& places) {
  if (over.is_count)
    return "The count of " + at_line(places.line(over.given)) + " is " + kWithoutFence +
           ": the block that it lets go on may read before what the others wrote has arrived.";
  return std::string("The lock or flag is ") + kWithoutFence + ": whoever waited at " +
         at_line(places.line(over.taken)) + " may go on, by " + at_line(places.line(over.given)) +
         ", before what was written is there to be read.";
}

std::string fence_fix(const RacePaths::HandOver& over, const Places& places) {
  const auto given = at_line(places.line(over.given)), taken = at_line(places.line(over.taken));
  if (over.is_for_block)
    return "use __threadfence() in place of __threadfence_block(), which orders nothing for other "
           "blocks";
  if (over.is_count) return "put __threadfence() before the count of " + given;
  return "put __threadfence() before " + given + ", and after the wait of " + taken;
}

/// Threads that all write the same to one place after the other: each does what one of them would have done.
bool repeats_work(const Race& race, const Places& places) {
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  return race.same_value && race.several_places && race.first.role == AccessRole::write &&
         race.second.role == AccessRole::write && first.line == second.line &&
         first.file == second.file && first.line != 0;
}

/// ".y" of the two where they differ in it and the address of the store does not come from it; "" where it comes from all
/// that they differ in.
std::string missing_part(const launch::Dim3& a, const launch::Dim3& b, const char* special,
                         std::uint32_t store, const Places& places) {
  const auto is_missing = [&](bool differs, const char* part) {
    return differs && !address_comes_from(places.program(), store, special + std::string(part));
  };
  if (is_missing(a.x != b.x, ".x")) return ".x";
  if (is_missing(a.y != b.y, ".y")) return ".y";
  return is_missing(a.z != b.z, ".z") ? ".z" : "";
}

/// Plain stores of several threads to one place: what the index is made of says which part of it is missing.
std::string fix_of_stores(const Race& race, const Places& places, Relation relation) {
  const auto store = race.second.instruction;
  const std::string line = at_line(places.line(store));
  const bool of_blocks = relation == Relation::blocks;
  const bool by_thread = address_comes_from(places.program(), store, "%tid"),
             by_block = address_comes_from(places.program(), store, "%ctaid");
  if (places.line(race.first.instruction).line != places.line(store).line)
    return of_blocks ? "give each block elements of its own to write"
                     : "give each thread an element of its own";
  if (!by_thread && (!by_block || !of_blocks))
    return race.same_value
               ? "let one thread write it"
               : "the place is the same for all threads at " + line +
                     ": let one of them store there, or give each an element of its own";
  const std::string missing =
      of_blocks ? missing_part(places.block(race.first.block), places.block(race.second.block),
                               "%ctaid", store, places)
                : missing_part(places.thread(race.first.thread), places.thread(race.second.thread),
                               "%tid", store, places);
  const std::string own = of_blocks ? "give each block elements of its own: "
                                    : "give each thread an element of its own: ";
  if (!missing.empty())
    return own + "the index of " + line + " has no part that comes from " +
           (of_blocks ? "blockIdx" : "threadIdx") + missing;
  return of_blocks ? own + "the block's part of the index of " + line +
                         " (blockIdx) has to be times what one block covers"
                   : own + "at " + line + " several threads come to the same index";
}

/// Threads that share a loop's turns badly, or a store without a loop whose index is the same in several threads.
std::string fix_of_repeated_work(const Race& race, const Places& places, Relation relation) {
  const bool is_shared = race.space == ptx::Space::shared;
  if (RacePaths(places.program()).leads_to(race.second.instruction, race.first.instruction))
    return is_shared
               ? "let the threads of the block share the loop: begin at the thread's own number in "
                 "the block, and step by the number of its threads"
               : "let all threads share the loop: begin at the thread's own number in the whole "
                 "grid (all threads of the blocks before, and its number in its block), and step "
                 "by the number of all threads of the grid (those of a block times "
                 "the blocks)";
  const auto store = race.second.instruction;
  if (relation != Relation::blocks && !address_comes_from(places.program(), store, "%tid"))
    return "give each thread an element of its own (its part of the index, threadIdx, is missing), "
           "or let one thread write it";
  return fix_of_stores(race, places, relation);
}

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

/// Two accesses of different lines that are known, as the source has them: `upper` stands above `lower`. Which of them the
/// simulation came to first says nothing: a warp that runs ahead reads too early what another will write, and writes too
/// early what another will read. A barrier that stands between them says that there is a way around it, or that the way
/// back round the loop has none.
struct TwoLines {
  const RaceSide &above, &below;
  launch::SourceLine from, to;
  bool has_barrier = false;  ///< between them
  /// The barrier is passed on the way down, and none is on the way back: who is ahead is a turn of the loop ahead.
  bool is_next_turn = false;
  bool goes_around = false;  ///< there is a way down that has no barrier
};

TwoLines two_lines(const Race& race, const Places& places, Relation relation) {
  const bool in_order =
      places.line(race.first.instruction).line < places.line(race.second.instruction).line;
  TwoLines two{in_order ? race.first : race.second, in_order ? race.second : race.first, {}, {}};
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
  if (!two.has_barrier) return two;
  // of the two threads, the one below may have come another way
  two.goes_around = paths.leads_to(upper, lower, stops) || paths.begins_with(lower, between);
  const bool for_some = any_between(two.from, two.to, places, [&](std::uint32_t i) {
    return between(i) && paths.only_of_some_threads(i);
  });
  two.is_next_turn = paths.leads_to(lower, upper, stops) && !(two.goes_around && for_some);
  return two;
}

/// A barrier for so many threads as it says: bar.sync 1, 64.
bool counts_threads(const ptx::Instruction& in) {
  return (in.root() == "bar" || in.root() == "barrier") && !in.has("warp") && !in.has("red") &&
         in.operands.size() == 2;
}

/// Where warps part for good and meet at barriers of their own, __syncthreads() is no mend. Empty: they do not.
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

/// Where the barrier is missing.
std::string barrier_place(const Race& race, const Places& places, Relation relation,
                          const std::string& barrier) {
  const TwoLines two = two_lines(race, places, relation);
  const std::string above = at_line(two.from), below = at_line(two.to);
  if (!two.has_barrier)
    return "put " + barrier + " between " + above + " and " + below +
           (relation == Relation::lanes && has_exchange(two.from, two.to, places)
                ? " (a shuffle or a vote makes lanes meet, but orders none of their memory)"
            : has_fence(two.from, two.to, places)
                ? " (a fence makes no thread wait for another)"
                : outside_of_condition(two.above.instruction, two.below.instruction, relation,
                                       places));
  if (two.is_next_turn)
    return "put " + barrier + " after " + below + ", before the loop comes to " + above + " again";
  if (two.goes_around)
    return "let all threads pass the barrier between " + above + " and " + below +
           ": take it out of the condition";
  if (relation == Relation::lanes)
    return "let the lanes of " + above + " come to the __syncwarp() of those of " + below +
           " too (not leave before it), and name them in its mask";
  return "let one and the same barrier stand between " + above + " and " + below +
         ", that all threads come to";
}

std::string schedule(const Race& race, const Places& places, Relation relation) {
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  const std::string a = "thread " + triple(places.thread(race.first.thread)),
                    b = "thread " + triple(places.thread(race.second.thread));
  if (relation == Relation::blocks)
    return "Blocks run in any order and at the same time: now block " +
           triple(places.block(race.first.block)) + " is at " + at_line(first) +
           " first, now block " + triple(places.block(race.second.block)) + " at " +
           at_line(second) + ".";
  if (race.in_flight)
    return "The copy was still under way: " + a + " had not waited for it when " +
           (same_thread(race) ? "it" : b) + " came to " + at_line(second) + ".";
  if (first.line != 0 && second.line != 0 && first.line != second.line) {
    const TwoLines two = two_lines(race, places, relation);
    if (two.is_next_turn)
      return "A schedule that shows it: thread " + triple(places.thread(two.above.thread)) + " " +
             kNextTurn + " and is at " + at_line(two.from) + " again before thread " +
             triple(places.thread(two.below.thread)) + " has done " + at_line(two.to) +
             " of the turn before" +
             (two.above.role == AccessRole::read   ? ", and reads what was there before."
              : two.below.role == AccessRole::read ? ", which then reads what was meant for later."
                                                   : "; whichever writes last wins.");
  }
  std::string text = "A schedule that shows it: " + b + " comes to " + at_line(second) +
                     " before " + a + " has done " + at_line(first);
  if (race.first.role == AccessRole::atomic && race.second.role == AccessRole::write)
    return "A schedule that shows it: " + b + " comes to " + at_line(second) + " after " + a +
           " has done " + at_line(first) + ", and undoes its change.";
  if (race.first.role == AccessRole::write && race.second.role == AccessRole::atomic)
    text += ", which then undoes the change.";
  else if (race.first.role == AccessRole::read)
    text += ", which then reads what was meant for later.";
  else if (race.second.role == AccessRole::read)
    text += ", and reads what was there before.";
  else
    text += "; whichever writes last wins.";
  return text;
}

std::string lines_of_update(std::uint32_t read, std::uint32_t write, const Places& places) {
  const auto from = places.line(read), to = places.line(write);
  if (from.line == 0 || to.line == 0) return "the update";
  if (from.line == to.line) return "line " + std::to_string(to.line);
  return "lines " + std::to_string(std::min(from.line, to.line)) + " and " +
         std::to_string(std::max(from.line, to.line));
}

const char* atomic_function(UpdateOperation operation) {
  switch (operation) {
    case UpdateOperation::add:
      return "atomicAdd";
    case UpdateOperation::subtract:
      return "atomicSub (or atomicAdd of the negative)";
    case UpdateOperation::extreme:
      return "atomicMax or atomicMin, or atomicCAS in a loop,";
    case UpdateOperation::and_:
      return "atomicAnd";
    case UpdateOperation::or_:
      return "atomicOr";
    case UpdateOperation::xor_:
      return "atomicXor";
    case UpdateOperation::other:
      break;
  }
  return "an atomic function (atomicAdd, atomicMax, ... or atomicCAS in a loop)";
}

std::string update_schedule(const Race& race, const Places& places) {
  const auto line = [&](std::uint32_t i) { return at_line(places.line(i)); };
  return std::string(kUpdateIsLost) + ": both read the old value (at " +
         line(race.first_update.read) +
         (line(race.first_update.read) == line(race.second_update.read)
              ? ""
              : " and " + line(race.second_update.read)) +
         ") before the other has stored its new one, and whichever stores last undoes what the "
         "other did" +
         (race.first_update.read == race.second_update.read && race.second_update.by_condition
              ? ", however the two compare."
              : ".");
}

/// In shared memory, and no array.
bool is_variable(const Race& race, const Places& places) {
  const auto extent = places.extent(race.space, race.address);
  return race.space == ptx::Space::shared && extent.bytes != 0 &&
         extent.bytes ==
             simt::instructions(places.program())[race.second.instruction].bytes_per_lane;
}

std::string update_fix(const Race& race, const Places& places) {
  const bool reads_first = race.first.role == AccessRole::read;
  const auto read = race.lost_update ? race.second_update.read
                    : reads_first    ? race.first.instruction
                                     : race.second.instruction;
  const auto write =
      race.lost_update || reads_first ? race.second.instruction : race.first.instruction;
  return std::string("use ") +
         atomic_function(race.guarded ? UpdateOperation::extreme : race.operation) +
         " in place of " + lines_of_update(read, write, places) +
         ", which nothing can interrupt (a barrier does not help), or " +
         (race.guarded ? "let one thread do it"
          : is_variable(race, places)
              ? "give each thread a variable of its own (without __shared__)"
              : "give each thread an element of its own");
}

/// Two lines write to a part of what the other does, and to places of their own: two arrays that overlap, or an index that
/// goes too far. Who sets first and then stores over it does so within the same places, or a step aside.
bool writes_overlap(const Race& race, const Places& places) {
  if (race.first.role != AccessRole::write || race.second.role != AccessRole::write ||
      race.space != ptx::Space::shared || race.first.instruction == race.second.instruction ||
      places.line(race.first.instruction).line == places.line(race.second.instruction).line)
    return false;
  const bool in_order = race.first_span.begin <= race.second_span.begin;
  const auto &low = in_order ? race.first_span : race.second_span,
             &high = in_order ? race.second_span : race.first_span;
  const auto shift = high.begin - low.begin,
             least = std::min(low.end - low.begin, high.end - high.begin);
  return low.end != 0 && high.end > low.end && 4 * shift >= least;
}

std::string fix_of_overlap(const Race& race, const Places& places) {
  const bool in_order = race.first_span.begin <= race.second_span.begin;
  const auto &low = in_order ? race.first_span : race.second_span,
             &high = in_order ? race.second_span : race.first_span;
  const auto below = at_line(places.line((in_order ? race.first : race.second).instruction)),
             above = at_line(places.line((in_order ? race.second : race.first).instruction));
  const auto array = places.extent(race.space, race.address);
  const auto from = [&](std::uint64_t address) { return std::to_string(address - array.begin); };
  return "give each its own part of " + (array.name.empty() ? "the array" : array.name) + ": " +
         below + " fills its bytes " + from(low.begin) + " to " + from(low.end - 1) + ", and " +
         above + " begins at byte " + from(high.begin) +
         ". If two arrays lie in it, the second has to begin behind the end of the first, padding "
         "included (a barrier does not help)";
}

std::string fix(const Race& race, const Places& places, Relation relation) {
  if (const auto over = hand_over(race, places, relation)) return fence_fix(*over, places);
  if (race.lost_update || race.guarded) return update_fix(race, places);
  if (repeats_work(race, places)) return fix_of_repeated_work(race, places, relation);
  if (writes_overlap(race, places)) return fix_of_overlap(race, places);
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  const bool atomic =
      race.first.role == AccessRole::atomic || race.second.role == AccessRole::atomic;
  const bool both_write =
      race.first.role != AccessRole::read && race.second.role != AccessRole::read;
  if (race.in_flight) {
    const std::string wait =
        "wait for the copy (__pipeline_wait_prior, or cp.async.wait_group, with no more groups "
        "than "
        "may still be under way)";
    return same_thread(race) ? wait + " before " + at_line(second)
                             : "let each thread " + wait +
                                   ", and then put __syncthreads() before " + at_line(second);
  }
  if (race.first.role == AccessRole::atomic && race.second.role == AccessRole::atomic)
    return "use atomic functions without _block where several blocks share what they change";
  if (relation == Relation::blocks)
    return atomic ? "make both accesses atomic, or do the plain one in a kernel of its own"
           : both_write
               ? fix_of_stores(race, places, relation)
               : "do what reads in a launch of its own: only the end of a launch makes all "
                 "blocks wait";
  // a plain store beside atomics sets where they begin, unless it changes what was there itself
  if (both_write && atomic && (race.first_update.any() || race.second_update.any()))
    return "make " + at_line(race.first.role == AccessRole::atomic ? second : first) +
           " atomic too: an atomic operation protects only against other atomic ones";
  if (both_write && (race.first.instruction == race.second.instruction ||
                     (first.line == second.line && first.file == second.file && !atomic)))
    return fix_of_stores(race, places, relation);
  const std::string barrier = relation == Relation::lanes ? "__syncwarp()" : "__syncthreads()";
  if (relation == Relation::warps && !race.was_copied)
    if (const auto counted = among_counted_barriers(race, places); !counted.empty()) return counted;
  if (first.line == 0 || second.line == 0) return "put " + barrier + " between the two";
  if (race.was_copied)
    return "put " + barrier + " after the wait for the copy of line " + std::to_string(first.line) +
           ", before line " + std::to_string(second.line);
  if (first.line == second.line && race.in_one_statement)
    return "take line " + std::to_string(first.line) + " apart: read into a variable first, then " +
           barrier + ", then store, and " + barrier + " again before the next reads";
  if (first.line == second.line)
    return "put " + barrier + " between the " +
           (race.first.role == AccessRole::read ? "reads and the writes" : "writes and the reads") +
           " of line " + std::to_string(first.line);
  return barrier_place(race, places, relation, barrier);
}

/// The same value at one place, or at one after the other.
std::string same_value_text(const Race& race, const Places& places, bool blocks) {
  if (!repeats_work(race, places))
    return "Both write the same value, so that no harm is done today.";
  const auto who = [&](const RaceSide& side) {
    return "thread " + triple(places.thread(side.thread)) +
           (blocks ? " of block " + triple(places.block(side.block)) : "");
  };
  return std::string("The threads ") + kRepeatedWork + ": at " +
         at_line(places.line(race.second.instruction)) + " " + who(race.first) + " and " +
         who(race.second) + " write the same values to the same places. That takes many times " +
         "the time it should.";
}

}  // namespace

launch::Finding race_finding(const Race& race, const Places& places) {
  const Relation relation = race.first.block != race.second.block               ? Relation::blocks
                            : race.first.thread / 32 != race.second.thread / 32 ? Relation::warps
                                                                                : Relation::lanes;
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.severity = race.same_value ? launch::Severity::warning : launch::Severity::error;
  finding.space = std::string(ptx::name_of(race.space));
  finding.kernel = places.kernel();
  finding.where = places.line(race.second.instruction);
  finding.other = places.line(race.first.instruction);
  finding.where_inside = places.inside(race.second.instruction);
  finding.other_inside = places.inside(race.first.instruction);
  // of an update that takes two lines both are told
  if (race.lost_update && finding.other.line == finding.where.line)
    if (const auto read = places.line(race.first_update.read); read.line != 0) {
      finding.other = read;
      finding.other_inside = places.inside(race.first_update.read);
    }
  finding.thread = places.thread(race.second.thread);
  finding.other_thread = places.thread(race.first.thread);
  finding.block = places.block(race.second.block);
  finding.other_block = places.block(race.first.block);
  finding.address = race.address;
  finding.access_bytes =
      simt::instructions(places.program())[race.second.instruction].bytes_per_lane;
  finding.array = places.extent(race.space, race.address);
  finding.count = race.count;
  const auto array = places.array(race.space, race.address);
  const bool blocks = relation == Relation::blocks;
  const auto over = hand_over(race, places, relation);
  finding.text = std::string("Potential ") + hazard(race) + " hazard detected at " +
                 sanitizer_space(race.space) + " " + hex(race.address) +
                 (array.empty() ? "" : " (" + array + ")") +
                 (blocks ? " between blocks" : " in block " + triple(finding.block)) + "\n" +
                 side_text(race.first, places, blocks) + "\n" +
                 side_text(race.second, places, blocks) + "\n" +
                 (race.same_value    ? same_value_text(race, places, blocks) + "\n"
                  : over             ? fence_schedule(*over, places) + "\n"
                  : race.lost_update ? update_schedule(race, places) + "\n"
                                     : schedule(race, places, relation) + "\n") +
                 "Fix: " + fix(race, places, relation) + ".";
  return finding;
}

}  // namespace labkit::observe
