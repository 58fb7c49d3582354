#include "observe/causes.h"

#include <algorithm>
#include <string>

#include "observe/barrier_use.h"
#include "observe/race_words.h"

namespace labkit::observe {
namespace {

using launch::Finding;
using enum launch::FindingKind;

constexpr const char* kFix = "\nFix: ";

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
         finding.text.find(kUpdateIsLost) != std::string::npos;
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
  const auto is_of_next_turn = [&](const Finding& other) {
    return is_error(other) && other.kind == race && other.space == finding.space &&
           other.text.find(kNextTurn) != std::string::npos &&
           (same_line(other.where, finding.where) || same_line(other.other, finding.where));
  };
  if (finding.kind == uninitialized &&
      (any_of(all, decides) || any_of(all, adds) || any_of(all, is_of_next_turn)))
    return 1;
  const auto races_there = [&](const Finding& other) {
    return is_error(other) && other.kind == race && other.space == finding.space &&
           (same_line(other.where, finding.where) || same_line(other.other, finding.where));
  };
  return finding.kind == out_of_bounds && any_of(all, races_there) ? 2 : 3;
}

/// The compiler's word and what was seen of the same variable are one finding: the one with the thread, and the name.
void join_unset_variables(std::vector<Finding>& findings) {
  constexpr const char* kSays = "\nThe compiler says: ";
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::string& text = findings[i].text;
    const auto said = text.find(kSays);
    if (!is_unset_variable(findings[i]) || said == std::string::npos) continue;
    const std::string words = text.substr(said, text.find('\n', said + 1) - said);
    const auto seen = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return is_unset_variable(other) && other.text.find(kSays) == std::string::npos &&
             (same_line(other.where, findings[i].where) ||
              same_line(other.other, findings[i].where));
    });
    if (seen == findings.end()) continue;
    seen->text.insert(std::min(seen->text.find(kFix), seen->text.size()), words);
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

/// A race of a line that goes out of bounds is mended with the index.
void refer_to_bounds(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.kind != race || !is_error(finding)) continue;
    const auto outside = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.kind == out_of_bounds && is_error(other) && other.space == finding.space &&
             (same_line(other.where, finding.where) || same_line(other.where, finding.other));
    });
    if (outside == findings.end()) continue;
    finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
    finding.text += kFix + ("mend the index of line " + std::to_string(outside->where.line)) +
                    " first, which goes out of bounds: this follows from it, or may.";
  }
}

/// An atomic function would add to what nobody has written just as well.
void refer_to_unwritten(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const auto begins =
        std::find_if(findings.begin(), findings.end(),
                     [&](const Finding& unwritten) { return adds_to_nothing(finding, unwritten); });
    if (begins == findings.end()) continue;
    finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
    finding.text += kFix + ("see first that there is a value to change: line " +
                            std::to_string(begins->where.line) +
                            " reads what nobody has written. Where it should only store (= in "
                            "place of +=), no change can be lost.");
  }
}

/// Who left before the barrier filled nothing.
void refer_to_early_exit(std::vector<Finding>& findings) {
  const auto left = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.kind == barrier && finding.where.line != 0 &&
           finding.cause == launch::Cause::barrier_after_early_return;
  });
  if (left == findings.end()) return;
  for (Finding& finding : findings) {
    if (finding.kind != uninitialized || finding.space != "shared" || !is_error(finding)) continue;
    finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
    finding.text +=
        kFix + ("let every thread come to the barrier of line " + std::to_string(left->where.line) +
                ": some had left the kernel by then (by an early return, or past a "
                "condition), and did not fill their elements. Where there is no "
                "input, fill in zeros.");
  }
}

void tell_repeated_work(std::vector<Finding>& findings) {
  const auto repeats = std::find_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.kind == race && f.text.find(kRepeatedWork) != std::string::npos;
  });
  if (repeats == findings.end()) return;
  const std::string& race_text = repeats->text;
  const auto fix = race_text.find(kFix);
  for (Finding& finding : findings) {
    if (finding.kind != budget || finding.text.find(kRepeatedWork) != std::string::npos) continue;
    finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
    // the line of the race's text that says it
    const auto said = race_text.find(kRepeatedWork);
    const auto begin = race_text.rfind('\n', said) + 1, end = race_text.find('\n', said);
    finding.fix = {};
    finding.text += "\n" + race_text.substr(begin, end - begin);
    if (fix != std::string::npos) finding.text += race_text.substr(fix);
  }
}

}  // namespace

void order_by_cause(std::vector<Finding>& findings, bool result_is_wrong) {
  const auto went_wrong = [](const Finding& f) { return is_error(f) && follows_from_garbage(f); };
  if (result_is_wrong || any_of(findings, went_wrong))
    for (Finding& finding : findings)
      if (is_unset_variable(finding)) finding.severity = launch::Severity::error;
  join_unset_variables(findings);
  tell_repeated_work(findings);
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
