#include "observe/race_words.h"

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
  std::string text = "A schedule that shows it: " + b + " comes to " + at_line(second) +
                     " before " + a + " has done " + at_line(first);
  if (race.first.role == AccessRole::read)
    text += ", which then reads what was meant for later.";
  else if (race.second.role == AccessRole::read)
    text += ", and reads what was there before.";
  else
    text += "; whichever writes last wins.";
  return text;
}

std::string fix(const Race& race, const Places& places, Relation relation) {
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
  if (relation == Relation::blocks)
    return atomic ? "make both accesses atomic, or do the plain one in a kernel of its own"
           : both_write
               ? "give each block elements of its own to write, or add up with atomicAdd"
               : "do what reads in a launch of its own: only the end of a launch makes all "
                 "blocks wait";
  if (race.first.instruction == race.second.instruction && both_write)
    return race.same_value ? "let one thread write it"
                           : "give each thread an element of its own, or use atomicAdd";
  if (both_write && atomic) return "make both accesses atomic, or put a barrier between them";
  const std::string barrier = relation == Relation::lanes ? "__syncwarp()" : "__syncthreads()";
  if (first.line == 0 || second.line == 0) return "put " + barrier + " between the two";
  if (race.was_copied)
    return "put " + barrier + " after the wait for the copy of line " + std::to_string(first.line) +
           ", before line " + std::to_string(second.line);
  if (first.line == second.line)
    return "put " + barrier + " between the " +
           (race.first.role == AccessRole::read ? "reads and the writes" : "writes and the reads") +
           " of line " + std::to_string(first.line);
  if (second.line < first.line)
    return "put " + barrier + " after line " + std::to_string(first.line) +
           ", before the loop comes to line " + std::to_string(second.line) + " again";
  return "put " + barrier + " between line " + std::to_string(first.line) + " and line " +
         std::to_string(second.line);
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
  finding.thread = places.thread(race.second.thread);
  finding.other_thread = places.thread(race.first.thread);
  finding.block = places.block(race.second.block);
  finding.other_block = places.block(race.first.block);
  finding.address = race.address;
  finding.count = race.count;
  const auto array = places.array(race.space, race.address);
  const bool blocks = relation == Relation::blocks;
  finding.text = std::string("Potential ") + hazard(race) + " hazard detected at " +
                 sanitizer_space(race.space) + " " + hex(race.address) +
                 (array.empty() ? "" : " (" + array + ")") +
                 (blocks ? " between blocks" : " in block " + triple(finding.block)) + "\n" +
                 side_text(race.first, places, blocks) + "\n" +
                 side_text(race.second, places, blocks) + "\n" +
                 (race.same_value ? "Both write the same value, so that no harm is done today.\n"
                                  : schedule(race, places, relation) + "\n") +
                 "Fix: " + fix(race, places, relation) + ".";
  return finding;
}

}  // namespace labkit::observe
