#include "observe/race_words.h"

#include <optional>

#include "observe/race_parts.h"
#include "observe/race_paths.h"

namespace labkit::observe {
namespace {

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
  if (in_loop_without_barrier(race, places, relation)) {
    const bool second_reads = race.second.role == AccessRole::read;
    const std::string where = at_line(second_reads ? second : first),
                      other = at_line(second_reads ? first : second);
    return "Nothing in the loop makes " +
           std::string(relation == Relation::lanes ? "lanes" : "warps") +
           " wait for one another: " + (second_reads ? b : a) + " may be at " + where +
           " before or after " + (second_reads ? a : b) + " has done " +
           (where == other ? "it" : other) + ", of this turn or of another" +
           (second_reads || race.first.role == AccessRole::read
                ? ", and reads what was there before or what was meant for later."
                : "; whichever writes last wins.");
  }
  if (first.line != 0 && second.line != 0 &&
      (first.line != second.line || is_of_unrolled_turns(race, places))) {
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

/// Before an atomicCAS that compares what was read: a value that is not true any more only costs a turn of its loop.
constexpr const char* kCheckedBySwap =
    "The atomicCAS compares again what this plain read has found, so that no harm is done today.\n";

std::string fix(const Race& race, const Places& places, Relation relation) {
  if (const auto over = hand_over(race, places, relation)) return fence_fix(*over, places);
  if (race.lost_update || race.guarded) return update_fix(race, places);
  if (repeats_work(race, places)) return fix_of_repeated_work(race, places, relation);
  if (is_exchanged(race, places)) return fix_of_exchanged(race, places);
  if (!race.exchanges && writes_overlap(race, places)) return fix_of_overlap(race, places);
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
    return atomic       ? "make both accesses atomic, or do the plain one in a kernel of its own"
           : both_write ? fix_of_stores(race, places, relation)
                        : fix_of_blocks(race, places);
  // a plain store beside atomics sets where they begin, unless it changes what was there itself
  if (both_write && atomic && (race.first_update.any() || race.second_update.any()))
    return "make " + at_line(race.first.role == AccessRole::atomic ? second : first) +
           " atomic too: an atomic operation protects only against other atomic ones";
  if (both_write &&
      (race.first.instruction == race.second.instruction ||
       (first.line == second.line && first.file == second.file && !atomic && !race.exchanges)))
    return fix_of_stores(race, places, relation);
  const std::string barrier = relation == Relation::lanes ? "__syncwarp()" : "__syncthreads()";
  if (relation == Relation::warps && !race.was_copied)
    if (auto counted = among_counted_barriers(race, places); !counted.empty()) return counted;
  if (first.line == 0 || second.line == 0) return "put " + barrier + " between the two";
  if (race.was_copied)
    return "put " + barrier + " after the wait for the copy of line " + std::to_string(first.line) +
           ", before line " + std::to_string(second.line);
  if (in_loop_without_barrier(race, places, relation))
    return barrier_of_turns(race, places, relation, barrier, !both_write);
  if (first.line == second.line && is_of_unrolled_turns(race, places))
    return barrier_of_turns(race, places, relation, barrier, false);
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

launch::Access access_of(AccessRole role) {
  return role == AccessRole::read    ? launch::Access::read
         : role == AccessRole::write ? launch::Access::write
                                     : launch::Access::atomic;
}

launch::Cause cause_of(const launch::Finding& f, Relation relation) {
  using enum launch::Cause;
  const auto says = [&](const char* words) { return f.text.find(words) != std::string::npos; };
  if (says("The copy was still under way")) return race_copy_not_awaited;
  if (says(kWithoutFence)) return race_missing_fence;
  if (says(kEndOfTurn)) return race_no_barrier_in_loop;
  if (says(kUpdateIsLost)) return race_lost_update;
  if (says(kExchanged)) return race_swapped_indices;
  if (says("apart: read into a variable first")) return race_read_and_store_in_one_statement;
  if (f.access == launch::Access::atomic || f.other_access == launch::Access::atomic)
    return race_plain_beside_atomic;
  const bool same_line = f.where.line != 0 && f.where.line == f.other.line;
  if (f.hazard == "WAW") return race_same_element;
  if (same_line && f.space == "global") return race_lost_update;
  if (relation == Relation::blocks) return race_between_blocks;
  const bool in_loop = says("before the loop comes to");
  if (relation == Relation::lanes)
    return in_loop ? race_missing_syncwarp_in_loop : race_missing_syncwarp;
  if (same_line) return race_lost_update;
  if (in_loop) return race_missing_barrier_in_loop;
  return says("take it out of the condition") ? race_barrier_not_on_every_path
                                              : race_missing_barrier;
}

void add_evidence(launch::Finding& finding, const Race& race, const Places& places) {
  const auto line = [&](std::uint32_t i) {
    const auto at = places.line(i);
    return words::SourceLine{at.file, at.line};
  };
  const auto says = [&](const char* words) {
    return finding.text.find(words) != std::string::npos;
  };
  if (says(kUpdateIsLost)) finding.evidence.push_back({words::Id::race_update_lost});
  if (says(kRepeatedWork))
    finding.evidence.push_back(
        {words::Id::race_repeated_work, {{"line", line(race.second.instruction)}}});
  if (says(kNextTurn)) finding.evidence.push_back({words::Id::race_next_iteration});
}

}  // namespace

launch::Finding race_finding(const Race& seen, const Places& all) {
  // of two lines of a function that was brought in at one line, that line would say nothing
  const auto first_call = all.line(seen.first.instruction),
             second_call = all.line(seen.second.instruction),
             first_inside = all.inside(seen.first.instruction),
             second_inside = all.inside(seen.second.instruction);
  const bool of_one_call = first_call.line == second_call.line &&
                           first_call.file == second_call.file && first_inside.line != 0 &&
                           second_inside.line != 0 && first_inside.line != second_inside.line;
  const Places places = of_one_call ? all.of_insides() : all;
  const Relation relation = seen.first.block != seen.second.block               ? Relation::blocks
                            : seen.first.thread / 32 != seen.second.thread / 32 ? Relation::warps
                                                                                : Relation::lanes;
  // a lock or a flag tells the order by itself
  const Race race =
      hand_over(seen, places, relation) ? seen : in_program_order(seen, places, relation);
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  const bool is_checked = is_checked_by_swap(race, places);
  finding.severity =
      race.same_value || is_checked ? launch::Severity::warning : launch::Severity::error;
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
  finding.hazard = hazard(race);
  finding.access = access_of(race.second.role);
  finding.other_access = access_of(race.first.role);
  finding.text =
      "Potential " + finding.hazard + " hazard detected at " + sanitizer_space(race.space) + " " +
      hex(race.address) + (array.empty() ? "" : " (" + array + ")") +
      (blocks ? " between blocks" : " in block " + triple(finding.block)) + "\n" +
      side_text(race.first, places, blocks) + "\n" + side_text(race.second, places, blocks) + "\n" +
      (race.same_value    ? same_value_text(race, places, blocks) + "\n"
       : is_checked       ? kCheckedBySwap
       : over             ? fence_schedule(*over, places) + "\n"
       : race.lost_update ? update_schedule(race, places) + "\n"
                          : schedule(race, places, relation) + "\n") +
      "Fix: " +
      (is_checked ? "read it by an atomic function or through a volatile pointer, to be exact"
                  : fix(race, places, relation)) +
      ".";
  finding.cause = cause_of(finding, relation);
  add_evidence(finding, race, places);
  return finding;
}

}  // namespace labkit::observe
