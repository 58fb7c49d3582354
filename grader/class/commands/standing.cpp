#include "class/commands/standing.h"

#include <fmt/format.h>

#include "class/policy/policy.h"
#include "class/publish/exports.h"
#include "class/publish/publish.h"

namespace labkit::course {
namespace {

/// "" where there is no grade of a hand-in.
std::string text_of(const Entry& entry, const Policy& policy) {
  if (!entry.submitted || !entry.graded) return {};
  const Grade grade = course::grade(entry, policy);
  if (grade.state != Grade::State::graded) return {};
  return fmt::format("{}, {} points", entry.verdict,
                     grade.points ? points_text(*grade.points, 2) : "no");
}

}  // namespace

Standing::Standing(const Gradebook& book) {
  const Policy policy = kept_policy(book);
  for (const Entry& entry : book.entries())
    grades_[{entry.student, entry.lab}] = text_of(entry, policy);
}

std::vector<std::string> Standing::changes(const Gradebook& book) const {
  const Policy policy = kept_policy(book);
  std::vector<std::string> lines;
  for (const Entry& entry : book.entries()) {
    const std::string now = text_of(entry, policy);
    const auto found = grades_.find({entry.student, entry.lab});
    const std::string before = found == grades_.end() ? std::string() : found->second;
    if (now.empty() || now == before) continue;
    lines.push_back(before.empty() ? fmt::format("{} {}: {}", entry.student, entry.lab, now)
                                   : fmt::format("{} {}: {}, where it was {}", entry.student,
                                                 entry.lab, now, before));
  }
  return lines;
}

}  // namespace labkit::course
