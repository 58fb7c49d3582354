#include <algorithm>
#include <optional>

#include "observe/findings.h"
#include "observe/race_parts.h"

namespace labkit::observe {
namespace {

using enum words::Id;
using launch::Cause;
using launch::Finding;
using launch::SourceLine;
using words::Message;

/// compute-sanitizer's names for what goes wrong.
const char* hazard(const Race& race) {
  if (race.first.reads()) return "WAR";
  return race.second.reads() ? "RAW" : "WAW";
}

/// A lock or a flag that would order the two, did a fence stand before it.
std::optional<RacePaths::HandOver> hand_over(const RaceScene& scene) {
  const Race& race = scene.race;
  if (race.any_atomic() || race.in_flight || race.same_value) return std::nullopt;
  return RacePaths(scene.program)
      .unfenced(race.first.instruction, race.second.instruction, scene.of_blocks());
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
std::vector<Message> schedule(const RaceScene& scene) {
  const auto &first = scene.race.first, &second = scene.race.second;
  if (scene.of_blocks())
    return {{race_blocks_in_any_order,
             {{"block", triple(scene.places.block(first.block))},
              {"line", scene.first},
              {"other_block", triple(scene.places.block(second.block))},
              {"other_line", scene.second}}}};
  const auto of_one = [&](words::Id id, const RaceSide& side) {
    return Message{id, {{"thread", scene.thread(side)}}};
  };
  const auto of_two = [&](words::Id id, const RaceSide& side, const RaceSide& other) {
    return Message{id,
                   {{"thread", scene.thread(side)},
                    {"line", scene.line(side)},
                    {"other_thread", scene.thread(other)},
                    {"other_line", scene.line(other)}}};
  };
  if (scene.race.uncommitted)
    return {{race_copy_not_committed,
             {{"owner", scene.thread(first)},
              {"thread", scene.thread(second)},
              {"line", scene.second}}}};
  if (scene.race.in_flight && first.thread == second.thread)
    return {{race_own_copy_under_way, {{"thread", scene.thread(first)}, {"line", scene.second}}}};
  if (scene.race.in_flight)
    return {{race_copy_under_way,
             {{"owner", scene.thread(first)},
              {"thread", scene.thread(second)},
              {"line", scene.second}}}};
  if (in_loop_without_barrier(scene)) {
    const auto &side = second.reads() ? second : first, &other = second.reads() ? first : second;
    return {of_two(race_no_order_in_loop, side, other),
            side.reads() ? of_one(race_reads_early_or_late, side) : Message{race_last_write_wins}};
  }
  if (scene.first.line != 0 && scene.second.line != 0 &&
      (scene.first.line != scene.second.line || is_of_unrolled_iterations(scene))) {
    const TwoLines two = two_lines(scene);
    if (two.is_next_iteration)
      return {of_two(race_next_iteration, two.above, two.below),
              two.above.reads()   ? of_one(race_reads_too_early, two.above)
              : two.below.reads() ? of_one(race_reads_too_late, two.below)
                                  : Message{race_last_write_wins}};
  }
  if (first.is_atomic() && second.writes())
    return {of_two(race_follows, second, first), of_one(race_undoes_change, second)};
  return {of_two(race_overtakes, second, first),
          first.writes() && second.is_atomic() ? of_one(race_undoes_change, first)
          : first.reads()                      ? of_one(race_reads_too_late, first)
          : second.reads()                     ? of_one(race_reads_too_early, second)
                                               : Message{race_last_write_wins}};
}

/// Of threads of one block, at two places of the code that a barrier would order.
Remedy barrier_fix(const RaceScene& scene) {
  const Race& race = scene.race;
  const words::Parameter barrier = scene.barrier(), line = {"line", scene.first};
  const Cause cause = cause_by_roles(
      race, scene.of_lanes() ? Cause::race_missing_syncwarp : Cause::race_missing_barrier);
  if (scene.relation == Relation::warps && !race.was_copied)
    if (auto counted = among_counted_barriers(scene)) return {cause, *counted};
  if (scene.first.line == 0 || scene.second.line == 0)
    return {cause, {race_fix_barrier, {barrier}}};
  if (race.was_copied && !two_lines(scene).is_next_iteration)
    return {
        cause,
        {race_fix_barrier_after_copy, {barrier, {"above", scene.first}, {"below", scene.second}}}};
  if (in_loop_without_barrier(scene)) return barrier_at_end_of_loop(scene, !race.both_write());
  if (scene.first.line != scene.second.line) return barrier_place(scene);
  if (is_of_unrolled_iterations(scene) || (race.exchanges && race.both_write()))
    return barrier_at_end_of_loop(scene, false);
  if (race.in_one_statement)
    return {Cause::race_read_and_store_in_one_statement,
            {race_fix_split_statement, {line, barrier}}};
  return {cause,
          {race.first.reads() ? race_fix_barrier_after_reads : race_fix_barrier_after_writes,
           {barrier, line}}};
}

Remedy remedy_of(const RaceScene& scene) {
  const Race& race = scene.race;
  if (const auto over = hand_over(scene))
    return {Cause::race_missing_fence, fence_fix(*over, scene.places)};
  if (race.lost_update || race.guarded) return {Cause::race_lost_update, update_fix(scene)};
  if (repeats_work(scene)) return fix_of_repeated_work(scene);
  if (const auto exchanged = fix_of_exchanged(scene)) return *exchanged;
  if (const auto overlap = fix_of_overlap(scene); overlap && !race.exchanges) return *overlap;
  if (race.uncommitted)
    return {Cause::race_copy_not_committed, {race_fix_commit, {{"line", scene.first}}}};
  if (race.in_flight)
    return {Cause::race_copy_not_awaited,
            {race.first.thread == race.second.thread ? race_fix_wait_for_copy
                                                     : race_fix_all_wait_for_copy,
             {{"line", scene.second}}}};
  if (race.first.is_atomic() && race.second.is_atomic())
    return {Cause::race_plain_beside_atomic, {race_fix_atomic_for_all}};
  if (scene.of_blocks())
    return race.any_atomic()   ? Remedy{Cause::race_plain_beside_atomic, {race_fix_both_atomic}}
           : race.both_write() ? fix_of_stores(scene)
                               : fix_of_blocks(scene);
  // a plain store beside atomics sets where they begin, unless it changes what was there itself
  if (race.both_write() && race.any_atomic() &&
      (race.first_update.any() || race.second_update.any()))
    return {
        Cause::race_plain_beside_atomic,
        {race_fix_make_atomic, {{"line", race.first.is_atomic() ? scene.second : scene.first}}}};
  if (race.both_write() && (race.first.instruction == race.second.instruction ||
                            (scene.first == scene.second && !race.any_atomic() && !race.exchanges)))
    return fix_of_stores(scene);
  return barrier_fix(scene);
}

void describe(Finding& finding, const RaceScene& scene) {
  Remedy remedy = remedy_of(scene);
  finding.cause = remedy.cause;
  finding.fix = std::move(remedy.fix);
  if (scene.race.same_value && repeats_work(scene)) {
    finding.evidence = {{race_repeated_work, {{"line", finding.where}}}};
  } else if (scene.race.same_value) {
    finding.evidence = {{race_same_value}};
  } else if (is_checked_by_swap(scene)) {
    finding.cause = Cause::race_plain_beside_atomic;
    finding.evidence = {{race_checked_by_swap}};
    finding.fix = {race_fix_read_atomically};
    return;
  } else if (const auto over = hand_over(scene)) {
    finding.evidence = {fence_evidence(*over, scene.places)};
  } else if (scene.race.lost_update) {
    finding.evidence = update_evidence(scene);
  } else {
    finding.evidence = schedule(scene);
  }
  for (Message& message : remedy.evidence) finding.evidence.push_back(std::move(message));
}

}  // namespace

Finding race_finding(const Race& seen, const Places& all) {
  // of two lines of a function that was brought in at one line, that line would say nothing
  const auto first_inside = all.inside(seen.first.instruction),
             second_inside = all.inside(seen.second.instruction);
  const bool of_one_call = all.line(seen.first.instruction) == all.line(seen.second.instruction) &&
                           first_inside.line != 0 && second_inside.line != 0 &&
                           first_inside.line != second_inside.line;
  const Places places = of_one_call ? all.of_insides() : all;
  const RaceScene as_seen(seen, places);
  // a lock or a flag tells the order by itself
  const Race race = hand_over(as_seen) ? seen : in_program_order(as_seen);
  const RaceScene scene(race, places);
  Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.severity = race.same_value || is_checked_by_swap(scene) ? launch::Severity::warning
                                                                  : launch::Severity::error;
  finding.space = std::string(ptx::name_of(race.space));
  finding.kernel = places.kernel();
  finding.where = scene.second;
  finding.other = scene.first;
  finding.where_inside = places.inside(race.second.instruction);
  finding.other_inside = places.inside(race.first.instruction);
  finding.access = race.second.access;
  finding.other_access = race.first.access;
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
  finding.access_bytes = scene.facts(race.second.instruction).bytes_per_lane;
  finding.array = places.extent(race.space, race.address);
  finding.count = race.count;
  finding.hazard = hazard(race);
  describe(finding, scene);
  return finding;
}

namespace {

constexpr const char* kBlockBarrier = "__syncthreads()";

/// Where one barrier has to stand.
struct Gap {
  bool at_end_of_loop = false;
  std::string barrier;
  SourceLine above, below;
};

std::optional<Gap> gap_of(const Finding& finding) {
  const words::Id id = finding.fix.id;
  const bool at_end =
      id == race_fix_barrier_at_end_of_loop || id == race_fix_barrier_for_all_at_end_of_loop;
  if (finding.severity != launch::Severity::error ||
      (!at_end && id != race_fix_barrier_between && id != race_fix_barrier_outside_condition))
    return std::nullopt;
  const auto& above = std::get<SourceLine>(*finding.fix.find("above"));
  const auto& below = std::get<SourceLine>(*finding.fix.find("below"));
  if (above.file != below.file) return std::nullopt;
  return Gap{at_end, std::get<std::string>(*finding.fix.find("barrier")), above, below};
}

/// The place for one barrier that serves both.
std::optional<Gap> common(const Gap& one, const Gap& other) {
  if (one.at_end_of_loop != other.at_end_of_loop || one.above.file != other.above.file)
    return std::nullopt;
  Gap both = one;
  if (other.barrier == kBlockBarrier) both.barrier = other.barrier;
  const auto above = std::ranges::minmax(one.above, other.above, {}, &SourceLine::line),
             below = std::ranges::minmax(one.below, other.below, {}, &SourceLine::line);
  if (!one.at_end_of_loop) {
    both.above = above.max;
    both.below = below.min;
    return both.above.line < both.below.line ? std::optional(both) : std::nullopt;
  }
  const auto is_around = [](const Gap& outer, const Gap& inner) {
    return outer.above.line < inner.above.line && inner.below.line < outer.below.line;
  };
  // where the one loop is within the other, each has an end of its own
  if (is_around(one, other) || is_around(other, one) || above.max.line > below.min.line)
    return std::nullopt;
  both.above = above.min;
  both.below = below.max;
  return both;
}

void set(Message& message, const char* name, words::Value value) {
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
  for (Message& message : kept.evidence)
    if (message.id == race_also_within_iteration) set(message, "barrier", gap.barrier);
  if (launch::has_evidence(kept, race_also_between)) return;
  // one more pair of lines is enough to see it
  const auto pair = [](const Finding& f) { return std::minmax(f.where.line, f.other.line); };
  const auto [upper, lower] = std::ranges::minmax(more.where, more.other, {}, &SourceLine::line);
  const auto also = std::ranges::find(more.evidence, race_also_between, &Message::id);
  if (pair(kept) != pair(more))
    kept.evidence.push_back({race_also_between, {{"line", upper}, {"other_line", lower}}});
  else if (also != more.evidence.end())
    kept.evidence.push_back(*also);
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
