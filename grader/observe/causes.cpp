// Which of the findings of a launch caused the others.
#include <algorithm>
#include <iterator>

#include "observe/findings.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Finding;
using words::Id;
using enum launch::FindingKind;

bool is_error(const Finding& finding) { return finding.severity == launch::Severity::error; }

/// At one of the two lines of the other.
bool is_at(const launch::SourceLine& line, const Finding& other) {
  return same_line(line, other.where) || same_line(line, other.other);
}

/// A variable of the thread's own: its space is local whether it was in a register or not.
bool is_unset_variable(const Finding& finding) {
  return finding.kind == uninitialized && finding.space == "local";
}

/// Both read the same place, which nobody had written.
bool adds_to_nothing(const Finding& lost, const Finding& unwritten) {
  return lost.kind == race && is_error(lost) && launch::has_evidence(lost, Id::race_update_lost) &&
         unwritten.kind == uninitialized && is_error(unwritten) && unwritten.space == lost.space &&
         is_at(unwritten.where, lost);
}

/// What an index or a bound that holds anything leads to.
bool follows_from_garbage(const Finding& finding) {
  return finding.kind == out_of_bounds || finding.kind == misaligned || finding.kind == budget ||
         finding.kind == trap;
}

/// Null: there is none.
const Finding* find(const std::vector<Finding>& findings, const auto& holds) {
  const auto at = std::ranges::find_if(findings, holds);
  return at == findings.end() ? nullptr : &*at;
}

/// 0 is told first.
int rank_of(const Finding& finding, const std::vector<Finding>& all) {
  if (!is_error(finding)) return 4;
  if (is_unset_variable(finding)) return 0;
  const auto races_there = [&](const Finding& other) {
    return is_error(other) && other.kind == race && other.space == finding.space &&
           is_at(finding.where, other);
  };
  const auto follows = [&](const Finding& other) {
    const bool is_decided =
        is_error(other) && follows_from_garbage(other) && same_line(other.where, finding.other);
    return is_decided || adds_to_nothing(other, finding) ||
           (races_there(other) && launch::has_evidence(other, Id::race_next_iteration));
  };
  if (finding.kind == uninitialized && find(all, follows)) return 1;
  return finding.kind == out_of_bounds && find(all, races_there) ? 2 : 3;
}

/// A variable in local memory, where unoptimised code keeps it; an array's elements are not.
bool is_kept_in_memory(const Finding& finding) {
  return is_unset_variable(finding) && finding.access_bytes != 0 &&
         !launch::has_evidence(finding, Id::undefined_own_array);
}

/// Each read of such a variable is a finding of its own. One variable is one: at the first line that reads it, with the use that
/// makes most go wrong, an address.
void join_reads(std::vector<Finding>& findings) {
  const auto decides_address = [](const words::Message& message) {
    return message.id == Id::undefined_decides_address;
  };
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (std::size_t k = findings.size(); --k > i && is_kept_in_memory(findings[i]);) {
      if (!is_kept_in_memory(findings[k]) || findings[k].address != findings[i].address ||
          findings[k].kernel != findings[i].kernel || findings[k].severity != findings[i].severity)
        continue;
      Finding first = std::move(findings[i]), second = std::move(findings[k]);
      if (second.where.line < first.where.line) std::swap(first, second);
      const auto use = std::ranges::find_if(second.evidence, decides_address);
      if (use != second.evidence.end() && std::ranges::none_of(first.evidence, decides_address)) {
        first.other = second.other;
        first.other_inside = second.other_inside;
        first.evidence = std::move(second.evidence);
      }
      findings[i] = std::move(first);
      findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

/// What the compiler reports and what was seen of the same variable are one finding: the one with the thread, and the name.
void join_unset_variables(std::vector<Finding>& findings) {
  const auto is_named = [](const Finding& finding) {
    return launch::has_evidence(finding, Id::undefined_variable_named);
  };
  for (auto at = findings.begin(); at != findings.end();) {
    const auto seen = std::ranges::find_if(findings, [&](const Finding& other) {
      return is_unset_variable(other) && !is_named(other) && is_at(at->where, other);
    });
    if (!is_unset_variable(*at) || !is_named(*at) || seen == findings.end()) {
      ++at;
      continue;
    }
    std::ranges::copy_if(at->evidence, std::back_inserter(seen->evidence), [](const auto& message) {
      return message.id == Id::undefined_variable_named;
    });
    at = findings.erase(at);
  }
}

/// What is fixed with the cause of it: a race with the index of a line that goes out of bounds; what an atomic function would
/// add to what nobody has written just as well; what nobody wrote to shared memory with the threads that had left before the
/// barrier, and filled nothing.
void refer_to_causes(std::vector<Finding>& findings) {
  const Finding* left = find(findings, [](const Finding& finding) {
    return finding.kind == barrier && finding.where.line != 0 &&
           finding.cause == Cause::barrier_after_early_return;
  });
  for (Finding& finding : findings) {
    const Finding* outside = find(findings, [&](const Finding& other) {
      return other.kind == out_of_bounds && is_error(other) && other.space == finding.space &&
             is_at(other.where, finding);
    });
    if (finding.kind == race && is_error(finding) && outside != nullptr)
      finding.fix = {Id::index_fix_line_first, {{"line", outside->where}}};
    if (const Finding* unwritten =
            find(findings, [&](const Finding& other) { return adds_to_nothing(finding, other); }))
      finding.fix = {Id::undefined_fix_value_first, {{"line", unwritten->where}}};
    if (left != nullptr && finding.kind == uninitialized && finding.space == "shared" &&
        is_error(finding))
      finding.fix = {Id::undefined_fix_early_exit, {{"line", left->where}}};
  }
}

/// A launch over its budget whose threads repeat each other's work has that cause.
void refer_to_repeated_work(std::vector<Finding>& findings) {
  const Finding* repeats = find(findings, [](const Finding& finding) {
    return finding.kind == race && launch::has_evidence(finding, Id::race_repeated_work);
  });
  if (repeats == nullptr) return;
  for (Finding& finding : findings) {
    if (finding.kind != budget || finding.cause == Cause::budget_repeated_work) continue;
    diagnose(finding, Cause::budget_repeated_work, repeats->fix,
             {*std::ranges::find(repeats->evidence, Id::race_repeated_work, &words::Message::id)});
  }
}

}  // namespace

void order_by_cause(std::vector<Finding>& findings, bool result_is_wrong) {
  const auto went_wrong = [](const Finding& f) { return is_error(f) && follows_from_garbage(f); };
  if (result_is_wrong || find(findings, went_wrong))
    for (Finding& finding : findings)
      if (is_unset_variable(finding)) finding.severity = launch::Severity::error;
  join_reads(findings);
  join_unset_variables(findings);
  refer_to_repeated_work(findings);
  refer_to_causes(findings);
  std::vector<std::pair<int, Finding>> ranked;
  ranked.reserve(findings.size());
  for (const Finding& finding : findings) ranked.emplace_back(rank_of(finding, findings), finding);
  std::ranges::stable_sort(ranked, {}, &std::pair<int, Finding>::first);
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i] = std::move(ranked[i].second);
}

}  // namespace labkit::observe
