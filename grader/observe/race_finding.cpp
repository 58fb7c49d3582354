#include <algorithm>
#include <optional>

#include "observe/findings.h"
#include "observe/race_parts.h"
#include "observe/race_paths.h"

namespace labkit::observe {

namespace {

using enum words::Id;
using launch::Cause;
using words::Message;

launch::Access access_of(AccessRole role) {
  return role == AccessRole::read    ? launch::Access::read
         : role == AccessRole::write ? launch::Access::write
                                     : launch::Access::atomic;
}

/// compute-sanitizer's names for what goes wrong.
const char* hazard(const Race& race) {
  if (race.first.role == AccessRole::read) return "WAR";
  return race.second.role == AccessRole::read ? "RAW" : "WAW";
}

bool same_thread(const Race& race) { return race.first.thread == race.second.thread; }

/// A lock or a flag that would order the two, did a fence stand before it.
std::optional<RacePaths::HandOver> hand_over(const Race& race, const Places& places,
                                             Relation relation) {
  if (any_atomic(race) || race.in_flight || race.same_value) return std::nullopt;
  return RacePaths(places.program())
      .unfenced(race.first.instruction, race.second.instruction, relation == Relation::blocks);
}

Message fence_evidence(const RacePaths::HandOver& over, const Places& places) {
  const auto given = places.line(over.given);
  if (over.is_count) return {race_count_without_fence, {{"line", given}}};
  return {race_flag_without_fence, {{"given", given}, {"taken", places.line(over.taken)}}};
}

Message fence_fix(const RacePaths::HandOver& over, const Places& places) {
  const auto given = places.line(over.given);
  if (over.is_for_block) return {race_fix_fence_for_all};
  if (over.is_count) return {race_fix_fence_before_count, {{"line", given}}};
  return {race_fix_fences, {{"given", given}, {"taken", places.line(over.taken)}}};
}

/// An order of the threads that shows it, and what comes of it.
std::vector<Message> schedule(const Race& race, const Places& places, Relation relation) {
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  const auto name = [&](const RaceSide& side) { return triple(places.thread(side.thread)); };
  const std::string a = name(race.first), b = name(race.second);
  const bool first_reads = race.first.role == AccessRole::read,
             second_reads = race.second.role == AccessRole::read;
  if (relation == Relation::blocks)
    return {{race_blocks_in_any_order,
             {{"block", triple(places.block(race.first.block))},
              {"line", first},
              {"other_block", triple(places.block(race.second.block))},
              {"other_line", second}}}};
  if (race.in_flight && same_thread(race))
    return {{race_own_copy_under_way, {{"thread", a}, {"line", second}}}};
  if (race.in_flight)
    return {{race_copy_under_way, {{"owner", a}, {"thread", b}, {"line", second}}}};
  const auto of_two = [](words::Id id, const std::string& thread, const launch::SourceLine& line,
                         const std::string& other_thread, const launch::SourceLine& other_line) {
    return Message{id,
                   {{"thread", thread},
                    {"line", line},
                    {"other_thread", other_thread},
                    {"other_line", other_line}}};
  };
  if (in_loop_without_barrier(race, places, relation)) {
    const Message what = second_reads ? of_two(race_no_order_in_loop, b, second, a, first)
                                      : of_two(race_no_order_in_loop, a, first, b, second);
    if (first_reads || second_reads)
      return {what, {race_reads_early_or_late, {{"thread", second_reads ? b : a}}}};
    return {what, {race_last_write_wins}};
  }
  if (first.line != 0 && second.line != 0 &&
      (first.line != second.line || is_of_unrolled_iterations(race, places))) {
    const TwoLines two = two_lines(race, places, relation);
    if (two.is_next_iteration) {
      const Message what =
          of_two(race_next_iteration, name(two.above), two.from, name(two.below), two.to);
      if (two.above.role == AccessRole::read)
        return {what, {race_reads_too_early, {{"thread", name(two.above)}}}};
      if (two.below.role == AccessRole::read)
        return {what, {race_reads_too_late, {{"thread", name(two.below)}}}};
      return {what, {race_last_write_wins}};
    }
  }
  if (race.first.role == AccessRole::atomic && race.second.role == AccessRole::write)
    return {of_two(race_follows, b, second, a, first), {race_undoes_change, {{"thread", b}}}};
  const Message what = of_two(race_overtakes, b, second, a, first);
  if (race.first.role == AccessRole::write && race.second.role == AccessRole::atomic)
    return {what, {race_undoes_change, {{"thread", a}}}};
  if (first_reads) return {what, {race_reads_too_late, {{"thread", a}}}};
  if (second_reads) return {what, {race_reads_too_early, {{"thread", b}}}};
  return {what, {race_last_write_wins}};
}

/// Of threads of one block, at two places of the code that a barrier would order.
Remedy barrier_fix(const Race& race, const Places& places, Relation relation) {
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  const bool of_lanes = relation == Relation::lanes;
  const std::string barrier = of_lanes ? "__syncwarp()" : "__syncthreads()";
  const words::Parameter with = {"barrier", barrier}, line = {"line", first};
  const Cause cause =
      cause_by_roles(race, of_lanes ? Cause::race_missing_syncwarp : Cause::race_missing_barrier);
  if (relation == Relation::warps && !race.was_copied)
    if (auto counted = among_counted_barriers(race, places)) return {cause, *counted};
  if (first.line == 0 || second.line == 0) return {cause, {race_fix_barrier, {with}}};
  if (race.was_copied)
    return {cause, {race_fix_barrier_after_copy, {with, {"above", first}, {"below", second}}}};
  if (in_loop_without_barrier(race, places, relation))
    return barrier_at_end_of_loop(race, places, relation, barrier, !both_write(race));
  if (first.line != second.line) return barrier_place(race, places, relation, barrier);
  if (is_of_unrolled_iterations(race, places) || (race.exchanges && both_write(race)))
    return barrier_at_end_of_loop(race, places, relation, barrier, false);
  if (race.in_one_statement)
    return {Cause::race_read_and_store_in_one_statement, {race_fix_split_statement, {line, with}}};
  return {cause,
          {race.first.role == AccessRole::read ? race_fix_barrier_after_reads
                                               : race_fix_barrier_after_writes,
           {with, line}}};
}

Remedy remedy_of(const Race& race, const Places& places, Relation relation) {
  if (const auto over = hand_over(race, places, relation))
    return {Cause::race_missing_fence, fence_fix(*over, places)};
  if (race.lost_update || race.guarded) return {Cause::race_lost_update, update_fix(race, places)};
  if (repeats_work(race, places)) return fix_of_repeated_work(race, places, relation);
  if (is_exchanged(race, places)) return fix_of_exchanged(race, places);
  if (!race.exchanges && writes_overlap(race, places)) return fix_of_overlap(race, places);
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  if (race.in_flight)
    return {Cause::race_copy_not_awaited,
            {same_thread(race) ? race_fix_wait_for_copy : race_fix_all_wait_for_copy,
             {{"line", second}}}};
  if (race.first.role == AccessRole::atomic && race.second.role == AccessRole::atomic)
    return {Cause::race_plain_beside_atomic, {race_fix_atomic_for_all}};
  if (relation == Relation::blocks)
    return any_atomic(race)   ? Remedy{Cause::race_plain_beside_atomic, {race_fix_both_atomic}}
           : both_write(race) ? fix_of_stores(race, places, relation)
                              : fix_of_blocks(race, places);
  // a plain store beside atomics sets where they begin, unless it changes what was there itself
  if (both_write(race) && any_atomic(race) && (race.first_update.any() || race.second_update.any()))
    return {
        Cause::race_plain_beside_atomic,
        {race_fix_make_atomic, {{"line", race.first.role == AccessRole::atomic ? second : first}}}};
  if (both_write(race) && (race.first.instruction == race.second.instruction ||
                           (first == second && !any_atomic(race) && !race.exchanges)))
    return fix_of_stores(race, places, relation);
  return barrier_fix(race, places, relation);
}

void describe(launch::Finding& finding, const Race& race, const Places& places, Relation relation) {
  Remedy remedy = remedy_of(race, places, relation);
  finding.cause = remedy.cause;
  finding.fix = std::move(remedy.fix);
  if (race.same_value && repeats_work(race, places)) {
    finding.evidence = {{race_repeated_work, {{"line", finding.where}}}};
  } else if (race.same_value) {
    finding.evidence = {{race_same_value}};
  } else if (is_checked_by_swap(race, places)) {
    finding.cause = Cause::race_plain_beside_atomic;
    finding.evidence = {{race_checked_by_swap}};
    finding.fix = {race_fix_read_atomically};
    return;
  } else if (const auto over = hand_over(race, places, relation)) {
    finding.evidence = {fence_evidence(*over, places)};
  } else if (race.lost_update) {
    add_update_evidence(finding.evidence, race, places);
  } else {
    finding.evidence = schedule(race, places, relation);
  }
  for (Message& message : remedy.evidence) finding.evidence.push_back(std::move(message));
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
  finding.severity = race.same_value || is_checked_by_swap(race, places) ? launch::Severity::warning
                                                                         : launch::Severity::error;
  finding.space = std::string(ptx::name_of(race.space));
  finding.kernel = places.kernel();
  finding.where = places.line(race.second.instruction);
  finding.other = places.line(race.first.instruction);
  finding.where_inside = places.inside(race.second.instruction);
  finding.other_inside = places.inside(race.first.instruction);
  finding.access = access_of(race.second.role);
  finding.other_access = access_of(race.first.role);
  // of an update that takes two lines both are named
  if (race.lost_update && finding.other.line == finding.where.line)
    if (const auto read = places.line(race.first_update.read);
        read.line != 0 && !(read == finding.where)) {
      finding.other = read;
      finding.other_inside = places.inside(race.first_update.read);
      finding.other_access = launch::Access::read;
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
  finding.hazard = hazard(race);
  describe(finding, race, places, relation);
  return finding;
}

namespace {

using enum words::Id;
using launch::Finding;

constexpr const char* kBlockBarrier = "__syncthreads()";

/// Where one barrier has to stand.
struct Gap {
  bool at_end_of_loop = false;
  std::string barrier;
  launch::SourceLine above, below;
};

std::optional<Gap> gap_of(const Finding& finding) {
  const words::Id id = finding.fix.id;
  const bool at_end =
      id == race_fix_barrier_at_end_of_loop || id == race_fix_barrier_for_all_at_end_of_loop;
  if (finding.kind != launch::FindingKind::race || finding.severity != launch::Severity::error ||
      (!at_end && id != race_fix_barrier_between && id != race_fix_barrier_outside_condition))
    return std::nullopt;
  const auto* const barrier = std::get_if<std::string>(finding.fix.find("barrier"));
  const auto* const above = std::get_if<launch::SourceLine>(finding.fix.find("above"));
  const auto* const below = std::get_if<launch::SourceLine>(finding.fix.find("below"));
  if (barrier == nullptr || above == nullptr || below == nullptr || above->file != below->file)
    return std::nullopt;
  return Gap{at_end, *barrier, *above, *below};
}

/// The place for one barrier that serves both.
std::optional<Gap> common(const Gap& one, const Gap& other) {
  if (one.at_end_of_loop != other.at_end_of_loop || one.above.file != other.above.file)
    return std::nullopt;
  Gap both = one;
  if (other.barrier == kBlockBarrier) both.barrier = other.barrier;
  const auto by_line = [](const launch::SourceLine& a, const launch::SourceLine& b) {
    return a.line < b.line;
  };
  if (!one.at_end_of_loop) {
    both.above = std::max(one.above, other.above, by_line);
    both.below = std::min(one.below, other.below, by_line);
    return both.above.line < both.below.line ? std::optional(both) : std::nullopt;
  }
  // where the one loop is within the other, each has an end of its own
  const bool nested = (one.above.line < other.above.line && other.below.line < one.below.line) ||
                      (other.above.line < one.above.line && one.below.line < other.below.line);
  if (nested ||
      std::max(one.above.line, other.above.line) > std::min(one.below.line, other.below.line))
    return std::nullopt;
  both.above = std::min(one.above, other.above, by_line);
  both.below = std::max(one.below, other.below, by_line);
  return both;
}

void set(words::Message& message, const char* name, words::Value value) {
  for (words::Parameter& parameter : message.parameters)
    if (parameter.name == name) parameter.value = std::move(value);
}

void add_to(Finding& kept, const Finding& more, const Gap& gap) {
  if (more.fix.id == race_fix_barrier_outside_condition ||
      more.fix.id == race_fix_barrier_for_all_at_end_of_loop)
    kept.fix.id = more.fix.id;
  set(kept.fix, "barrier", gap.barrier);
  set(kept.fix, "above", gap.above);
  set(kept.fix, "below", gap.below);
  kept.count += more.count;
  for (words::Message& message : kept.evidence)
    if (message.id == race_also_within_iteration) set(message, "barrier", gap.barrier);
  const auto pair = [](const Finding& f) { return std::minmax(f.where.line, f.other.line); };
  std::vector<words::Message> also;
  if (pair(kept) != pair(more))
    also.push_back({race_also_between,
                    {{"line", more.where.line < more.other.line ? more.where : more.other},
                     {"other_line", more.where.line < more.other.line ? more.other : more.where}}});
  for (const words::Message& message : more.evidence)
    if (message.id == race_also_between) also.push_back(message);
  // one more pair of lines is enough to see it
  if (!also.empty() && !launch::has_evidence(kept, race_also_between))
    kept.evidence.push_back(also.front());
}

}  // namespace

void merge_races(std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (std::size_t k = i + 1; k < findings.size();) {
      const auto one = gap_of(findings[i]), other = gap_of(findings[k]);
      const auto both = one && other ? common(*one, *other) : std::nullopt;
      if (!both || findings[i].kernel != findings[k].kernel) {
        ++k;
        continue;
      }
      if (one->barrier != kBlockBarrier && other->barrier == kBlockBarrier)
        std::swap(findings[i], findings[k]);
      add_to(findings[i], findings[k], *both);
      findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

}  // namespace labkit::observe
