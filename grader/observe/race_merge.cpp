// One missing barrier lets several pairs of lines race: a tiled product without its second barrier does so with both tiles,
// with the one between warps and with the other between lanes.
#include <algorithm>

#include "observe/race_finding.h"

namespace labkit::observe {
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
