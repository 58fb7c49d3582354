#include "observe/checks.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <tuple>

#include "observe/findings.h"
#include "observe/sanitizers.h"
#include "observe/suspicion.h"
#include "simt/both_observers.h"

namespace labkit::observe {
namespace {

using launch::Finding;

/// The two lines, whichever comes first.
auto pair_of(const launch::SourceLine& one, const launch::SourceLine& other) {
  const auto a = std::tie(one.file, one.line), b = std::tie(other.file, other.line);
  return std::pair(std::min(a, b), std::max(a, b));
}

/// Of one kind about the same two lines, or alike in all that is known of them where no line is.
bool same_matter(const Finding& a, const Finding& b) {
  // where the old value was read is another line if the builds differ in what they inline
  const auto lost = [](const Finding& f) {
    return launch::has_evidence(f, words::Id::race_update_lost);
  };
  // a variable that was not set is one matter, wherever else its value goes
  const auto unset = [](const Finding& f) {
    return f.kind == launch::FindingKind::uninitialized && f.space == "local" &&
           f.access_bytes == 0;
  };
  if (same_line(a.where, b.where) &&
      ((unset(a) && unset(b)) || (lost(a) && lost(b) && a.space == b.space)))
    return true;
  if (a.kind != b.kind || a.space != b.space) return false;
  if (a.where.line != 0) return pair_of(a.where, a.other) == pair_of(b.where, b.other);
  return a.cause == b.cause && a.fix == b.fix && a.evidence == b.evidence &&
         a.address == b.address && a.thread == b.thread && a.block == b.block;
}

/// The same as `more`, but that a line is not known which is known there.
bool knows_less(const Finding& less, const Finding& more) {
  if (less.kind != more.kind || less.space != more.space) return false;
  const auto known = [](const Finding& f) { return (f.where.line != 0) + (f.other.line != 0); };
  const auto is_in = [&](const launch::SourceLine& line) {
    return line.line == 0 || line == more.where || line == more.other;
  };
  return known(less) < known(more) && is_in(less.where) && is_in(less.other) &&
         // an access out of bounds has one line, and a second says nothing of the first
         (less.where.line == 0 || less.kind == launch::FindingKind::race ||
          less.kind == launch::FindingKind::uninitialized);
}

/// The same where functions were called, as told where they were brought in: one build has them so, and the other so.
bool is_inside(const Finding& called, const Finding& brought_in) {
  if (called.kind != brought_in.kind || called.space != brought_in.space ||
      called.where.line == 0 || called.where_inside.line != 0 || called.other_inside.line != 0)
    return false;
  const auto& where = brought_in.where_inside;
  const auto& other = brought_in.other_inside;
  return (where.line != 0 || other.line != 0) &&
         pair_of(called.where, called.other) == pair_of(where.line != 0 ? where : brought_in.where,
                                                        other.line != 0 ? other : brought_in.other);
}

/// Several instructions of one line, or copies that the compiler made of it, are one finding; an error hides warnings
/// about the same lines.
std::vector<Finding> without_repetitions(std::vector<Finding> all) {
  std::ranges::stable_sort(all, {}, &Finding::severity);
  std::vector<Finding> result;
  for (auto& finding : all) {
    const auto same = std::ranges::find_if(
        result, [&](const Finding& earlier) { return same_matter(earlier, finding); });
    if (same == result.end())
      result.push_back(std::move(finding));
    else if (same->severity == finding.severity)
      same->count += finding.count;
  }
  merge_races(result);
  return result;
}

/// Of its budget, for a launch that did not end within it: a close look takes many times as long, and what makes a loop
/// endless shows in its first turns.
constexpr std::uint64_t kPartForACloseLook = 8;

/// A quick look: once or, if reads must be followed that it did not, twice.
struct QuickLook {
  simt::RunResult result;
  std::unique_ptr<Suspicion> suspicion;
  Suspects suspects;
  std::uint64_t cost = 0, dearest = 0;  ///< of all, and of one
  bool stopped_early = false;           ///< before it could follow all reads
};

bool ended_by_budget(const simt::RunResult& result) {
  return std::ranges::count(result.findings, launch::FindingKind::budget, &Finding::kind) != 0;
}

}  // namespace

void finish_findings(std::vector<Finding>& findings, const simt::Program& program,
                     const launch::Launch& launch, const simt::Memory& memory) {
  const std::vector<simt::Memory::Place> arrays = memory.places();
  for (auto& finding : findings) {
    describe_index(finding, launch, arrays, index_facts(finding, program));
    refit_unwritten(finding, program);
    add_fix(finding, program);
    name_rows_of_dynamic(finding, launch);
  }
  order_by_cause(findings);
}

bool CheckedRun::has_errors() const {
  return std::ranges::count(findings, launch::Severity::error, &Finding::severity) != 0;
}

CheckedRun run_checked(const simt::Program& program, const launch::Launch& launch,
                       std::span<const std::byte> parameter_block, simt::Memory& memory,
                       simt::RunOptions options, const std::function<void()>& restore) {
  simt::Memory::Saved before;
  if (!restore) before = memory.save();
  const auto start_again = [&] {
    if (restore)
      restore();
    else
      memory.restore(before);
  };
  options.follow_undefined = false;
  const auto look_quickly = [&] {
    QuickLook look;
    for (const bool all_reads : {false, true}) {
      if (all_reads) start_again();
      look.suspicion = std::make_unique<Suspicion>(program, launch, memory, all_reads);
      look.result = simt::run(program, launch, parameter_block, memory, &*look.suspicion, options);
      look.suspects = look.suspicion->suspects();
      look.dearest = std::max(look.dearest, look.result.cost);
      look.cost += look.result.cost;
      if (!look.suspicion->wants_all_reads()) break;
      if (look.result.completed) continue;
      look.stopped_early = true;
      break;
    }
    return look;
  };
  QuickLook look = look_quickly();
  // A value that another block may have changed meanwhile can stop the launch, or lead it elsewhere: what is told of that
  // must not hang on how many host threads there are. Only the last look counts.
  const bool any_order =
      (look.suspects.reasons & Suspects::global_order) != 0 || look.stopped_early;
  if (any_order && look.result.threads > 1) {
    options.threads = 1;
    start_again();
    look = look_quickly();
  }
  auto& suspects = look.suspects;
  if (look.stopped_early && !ended_by_budget(look.result)) {
    // it will end there again: the sanitizers look at once
    suspects.reasons |= Suspects::global_order;
    suspects.ranges = Suspects::all().ranges;
  }
  CheckedRun quick;
  quick.result = std::move(look.result);
  quick.result.cost = look.cost;
  quick.dearest_look = look.dearest;
  const bool endless = ended_by_budget(quick.result);
  if (!quick.result.completed)
    suspects.standing.reset();  // blocks that did not end are none's like
  if (suspects.reasons == 0) {
    if (quick.result.completed) look.suspicion->mark_unwritten(memory);
    quick.findings = without_repetitions(quick.result.findings);
    finish_findings(quick.findings, program, launch, memory);
    return quick;
  }
  if (endless) options.thread_instruction_budget /= kPartForACloseLook;
  start_again();
  auto close = look_closely(program, launch, parameter_block, memory, options, suspects);
  // what was written must be known also where nothing undefined was looked for
  if (close.result.completed && (suspects.reasons & Suspects::undefined) == 0)
    look.suspicion->mark_unwritten(memory);
  close.dearest_look = std::max(look.dearest, close.result.cost);
  close.result.cost = look.cost + kCloseLookCosts * close.result.cost;
  if (!endless) return close;
  quick.findings = quick.result.findings;
  for (auto& finding : quick.findings) add_fix(finding, program);
  quick.dearest_look = close.dearest_look;
  quick.looked_closely = true;
  for (auto& finding : close.findings)
    if (finding.kind != launch::FindingKind::budget) quick.findings.push_back(std::move(finding));
  order_by_cause(quick.findings);
  return quick;
}

CheckedRun look_closely(const simt::Program& program, const launch::Launch& launch,
                        std::span<const std::byte> parameter_block, simt::Memory& memory,
                        simt::RunOptions options, const Suspects& suspects) {
  CheckedRun run;
  Races races(program, suspects);
  const auto barriers = barrier_sanitizer(program);
  const auto bounds = bounds_sanitizer(program, launch);
  simt::ObserverFactory* checks = nullptr;
  std::deque<simt::BothObservers> pairs;
  const auto install = [&](unsigned reasons, simt::ObserverFactory& check) {
    if ((suspects.reasons & reasons) != 0)
      checks = checks == nullptr ? &check : &pairs.emplace_back(*checks, check);
  };
  install(Suspects::shared_order | Suspects::global_order, races);
  install(Suspects::barriers, *barriers);
  install(Suspects::bounds, *bounds);
  options.follow_undefined = (suspects.reasons & Suspects::undefined) != 0;
  run.result = simt::run(program, launch, parameter_block, memory, checks, options);
  run.looked_closely = true;
  const Places places(program, launch, memory);
  std::optional<std::uint64_t> failed;
  for (const auto& finding : run.result.findings) {
    if (finding.kind == launch::FindingKind::launch) {
      run.findings = run.result.findings;
      return run;
    }
    failed = linear(finding.block, launch.grid);
  }
  std::vector<Finding> found = run.result.findings;
  const auto add = [&](std::vector<Finding> more) {
    std::ranges::move(more, std::back_inserter(found));
  };
  for (const auto& race : races.take(failed)) found.push_back(race_finding(race, places));
  const auto races_end = static_cast<std::ptrdiff_t>(found.size());
  // what is read without having been written is mostly a consequence of these
  if (!failed) {
    add(barriers->findings(places));
    add(bounds->findings(places));
  }
  for (const auto& use : run.result.undefined_uses) {
    auto finding = undefined_finding(use, places);
    const auto same = [&](const launch::SourceLine& line) {
      return same_line(line, finding.where) || same_line(line, finding.where_inside);
    };
    // who reads too early may well read what is not written yet: the race says more
    const auto explains = [&](const Finding& race) {
      // not if both read, changed and stored: before the first of them nobody had written; nor if it is with another
      // turn of the loop: in this one nobody wrote
      return race.kind == launch::FindingKind::race && race.severity == launch::Severity::error &&
             !launch::has_evidence(race, words::Id::race_update_lost) &&
             !launch::has_evidence(race, words::Id::race_next_iteration) &&
             race.space == finding.space && (same(race.where) || same(race.other));
    };
    if (std::none_of(found.begin(), found.begin() + races_end, explains))
      found.push_back(std::move(finding));
  }
  run.findings = without_repetitions(std::move(found));
  finish_findings(run.findings, program, launch, memory);
  return run;
}

void add_findings(std::vector<Finding>& findings, const std::vector<Finding>& more) {
  for (const auto& finding : more) {
    // what a build calls (__shfl_sync) has no lines there; with its lines it is told once, whichever build has them
    const auto has_more = [&](const Finding& have) {
      return knows_less(finding, have) ||
             (is_inside(finding, have) && have.severity <= finding.severity);
    };
    if (std::ranges::any_of(findings, has_more)) continue;
    auto replaced = std::ranges::find_if(findings, [&](const Finding& have) {
      return (knows_less(have, finding) || is_inside(have, finding)) &&
             finding.severity <= have.severity;
    });
    if (replaced == findings.end()) {
      replaced = std::ranges::find_if(
          findings, [&](const Finding& have) { return same_matter(have, finding); });
      if (replaced != findings.end() && finding.severity >= replaced->severity) continue;
    }
    if (replaced == findings.end())
      findings.push_back(finding);
    else
      *replaced = finding;
  }
  merge_races(findings);
  order_by_cause(findings);
}

}  // namespace labkit::observe
