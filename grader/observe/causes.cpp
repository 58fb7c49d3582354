#include <algorithm>
#include <iterator>

#include "observe/barrier_use.h"
#include "observe/findings.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Finding;
using words::Id;
using enum launch::FindingKind;

bool is_error(const Finding& finding) { return finding.severity == launch::Severity::error; }

bool same_line(const launch::SourceLine& a, const launch::SourceLine& b) {
  return a.line != 0 && a.line == b.line && a.file == b.file;
}

/// A variable of the thread's own: its space is local whether it was in a register or not.
bool is_unset_variable(const Finding& finding) {
  return finding.kind == uninitialized && finding.space == "local";
}

bool is_lost_update(const Finding& finding) {
  return finding.kind == race && is_error(finding) &&
         launch::has_evidence(finding, Id::race_update_lost);
}

/// Both read the same place, which nobody had written.
bool adds_to_nothing(const Finding& lost, const Finding& unwritten) {
  return is_lost_update(lost) && unwritten.kind == uninitialized && is_error(unwritten) &&
         unwritten.space == lost.space &&
         (same_line(lost.where, unwritten.where) || same_line(lost.other, unwritten.where));
}

/// What an index or a bound that holds anything leads to.
bool follows_from_garbage(const Finding& finding) {
  return finding.kind == out_of_bounds || finding.kind == misaligned || finding.kind == budget ||
         finding.kind == trap;
}

bool any_of(const std::vector<Finding>& findings, const auto& holds) {
  return std::any_of(findings.begin(), findings.end(), holds);
}

/// 0 is told first.
int rank_of(const Finding& finding, const std::vector<Finding>& all) {
  if (!is_error(finding)) return 4;
  if (is_unset_variable(finding)) return 0;
  const auto decides = [&](const Finding& other) {
    return is_error(other) && follows_from_garbage(other) && same_line(other.where, finding.other);
  };
  const auto adds = [&](const Finding& other) { return adds_to_nothing(other, finding); };
  const auto is_of_next_iteration = [&](const Finding& other) {
    return is_error(other) && other.kind == race && other.space == finding.space &&
           launch::has_evidence(other, Id::race_next_iteration) &&
           (same_line(other.where, finding.where) || same_line(other.other, finding.where));
  };
  if (finding.kind == uninitialized &&
      (any_of(all, decides) || any_of(all, adds) || any_of(all, is_of_next_iteration)))
    return 1;
  const auto races_there = [&](const Finding& other) {
    return is_error(other) && other.kind == race && other.space == finding.space &&
           (same_line(other.where, finding.where) || same_line(other.other, finding.where));
  };
  return finding.kind == out_of_bounds && any_of(all, races_there) ? 2 : 3;
}

/// What the compiler reports and what was seen of the same variable are one finding: the one with the thread, and the name.
void join_unset_variables(std::vector<Finding>& findings) {
  const auto is_reported = [](const Finding& finding) {
    return launch::has_evidence(finding, Id::undefined_variable_named);
  };
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_unset_variable(findings[i]) || !is_reported(findings[i])) continue;
    const auto seen = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return is_unset_variable(other) && !is_reported(other) &&
             (same_line(other.where, findings[i].where) ||
              same_line(other.other, findings[i].where));
    });
    if (seen == findings.end()) continue;
    std::copy_if(findings[i].evidence.begin(), findings[i].evidence.end(),
                 std::back_inserter(seen->evidence), [](const words::Message& message) {
                   return message.id == Id::undefined_variable_named;
                 });
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

/// A race of a line that goes out of bounds is fixed with the index.
void refer_to_bounds(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.kind != race || !is_error(finding)) continue;
    const auto outside = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.kind == out_of_bounds && is_error(other) && other.space == finding.space &&
             (same_line(other.where, finding.where) || same_line(other.where, finding.other));
    });
    if (outside != findings.end())
      finding.fix = {Id::index_fix_line_first, {{"line", outside->where}}};
  }
}

/// An atomic function would add to what nobody has written just as well.
void refer_to_unwritten(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto begins =
        std::find_if(findings.begin(), findings.end(),
                     [&](const Finding& unwritten) { return adds_to_nothing(finding, unwritten); });
    if (begins != findings.end())
      finding.fix = {Id::undefined_fix_value_first, {{"line", begins->where}}};
  }
}

/// Who left before the barrier filled nothing.
void refer_to_early_exit(std::vector<Finding>& findings) {
  const auto left = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.kind == barrier && finding.where.line != 0 &&
           finding.cause == launch::Cause::barrier_after_early_return;
  });
  if (left == findings.end()) return;
  for (Finding& finding : findings)
    if (finding.kind == uninitialized && finding.space == "shared" && is_error(finding))
      finding.fix = {Id::undefined_fix_early_exit, {{"line", left->where}}};
}

/// A launch over its budget whose threads repeat each other's work has that cause.
void refer_to_repeated_work(std::vector<Finding>& findings) {
  const auto repeats = std::find_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.kind == race && launch::has_evidence(f, Id::race_repeated_work);
  });
  if (repeats == findings.end()) return;
  const auto said =
      std::find_if(repeats->evidence.begin(), repeats->evidence.end(),
                   [](const words::Message& m) { return m.id == Id::race_repeated_work; });
  for (Finding& finding : findings) {
    if (finding.kind != budget || finding.cause == Cause::budget_repeated_work) continue;
    finding.cause = Cause::budget_repeated_work;
    finding.evidence.push_back(*said);
    finding.fix = repeats->fix;
  }
}

}  // namespace

void order_by_cause(std::vector<Finding>& findings, bool result_is_wrong) {
  const auto went_wrong = [](const Finding& f) { return is_error(f) && follows_from_garbage(f); };
  if (result_is_wrong || any_of(findings, went_wrong))
    for (Finding& finding : findings)
      if (is_unset_variable(finding)) finding.severity = launch::Severity::error;
  join_unset_variables(findings);
  refer_to_repeated_work(findings);
  refer_to_bounds(findings);
  refer_to_unwritten(findings);
  refer_to_early_exit(findings);
  std::vector<std::pair<int, Finding>> ranked;
  ranked.reserve(findings.size());
  for (const Finding& finding : findings) ranked.emplace_back(rank_of(finding, findings), finding);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i] = std::move(ranked[i].second);
}

}  // namespace labkit::observe
