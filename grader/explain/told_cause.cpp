// What a test is told by: the first of what is known of it.
#include "explain/told_cause.h"

#include <algorithm>

#include "explain/defect.h"
#include "explain/words.h"
#include "grade/change.h"
#include "grade/slowness.h"

namespace labkit::explain {

using words::Id;

bool knows_change(const grade::TestResult& test) {
  return test.repair && !test.repair->why.empty() && !test.verdict.passed() &&
         test.verdict.kind != "gate" && !test.verdict.inconclusive() &&
         (test.repair->why.front().id != Id::change_line || first_error(test) == nullptr);
}

bool tells_why(const grade::TestResult& test) {
  return test.repair && !test.repair->why.empty() && !grade::names_only_places(test.repair->why);
}

ToldCause found_cause(const grade::TestResult& test) {
  using enum ToldBy;
  if (test.verdict.passed() || test.verdict.neutral() || test.verdict.inconclusive()) return {};
  if (test.verdict.kind == "gate") return {gate};
  if (!test.idle.empty()) return {slip};
  if (const launch::Finding* error = first_error(test)) return {finding, error};
  if (!test.message.empty()) return {verdict};
  if (const launch::Finding* likely = likely_cause(test)) return {warning, likely};
  if (misses_some(test)) return {unreached};
  if (knows_unread(test)) return {unread};
  return {test.mismatches.empty() ? ToldBy::verdict : mismatch};
}

ToldCause told_cause(const grade::TestResult& test) {
  using enum ToldBy;
  const ToldCause found = found_cause(test);
  if (found.by == nothing) return found;
  if (knows_change(test)) return {change};
  if (test.example) return {example};
  // what a change mends, though no sentence says why, is no sign of another cause
  const bool is_sign = found.by == warning || found.by == unreached || found.by == unread;
  return test.repair && is_sign ? ToldCause{test.mismatches.empty() ? verdict : mismatch} : found;
}

std::vector<LineAtFault> lines_at_fault(const grade::TestResult& test) {
  using enum ToldBy;
  std::vector<LineAtFault> lines;
  const auto add = [&](std::uint32_t line, const std::string& array = {}) {
    if (line != 0) lines.push_back({line, array});
  };
  const auto add_changed = [&] {
    for (const grade::ChangedLine& one : test.repair->lines) add(one.line);
  };
  const auto add_gates = [&] {
    if (test.slow && grade::is_specific(*test.slow)) add(test.slow->where.line);
    for (const grade::GateResult& one : test.gates)
      if (!one.passed && lines.empty()) add(one.culprit.where.line);
  };
  const ToldCause told = told_cause(test);
  switch (told.by) {
    case change:
      add_changed();
      break;
    case example:
      if (const words::Value* line = test.example.find("line"))
        add(static_cast<std::uint32_t>(std::get<std::int64_t>(*line)));
      break;
    case slip:
      add(test.idle.front().line);
      break;
    case finding:
    case warning:
      for (const launch::SourceLine& where : {told.finding->where, told.finding->other})
        add(where.line, told.finding->array.name);
      break;
    case gate:
      tells_why(test) ? add_changed() : add_gates();
      break;
    case nothing:
      if (test.verdict.inconclusive()) add_gates();
      break;
    case unreached:
    case unread:
    case mismatch:
    case verdict:
      if (test.mismatches.empty()) break;
      if (test.repair)
        add_changed();
      else if (const launch::SourceLine left = line_left_unread(test); left.line != 0)
        add(left.line);
      else if (const grade::Mismatch& first = test.mismatches.front();
               first.stored && first.stored->stores != 0)
        add(first.stored->where.line, first.array);
  }
  std::ranges::sort(lines, {}, &LineAtFault::line);
  const auto again = std::ranges::unique(lines, {}, &LineAtFault::line);
  lines.erase(again.begin(), again.end());
  return lines;
}

}  // namespace labkit::explain
