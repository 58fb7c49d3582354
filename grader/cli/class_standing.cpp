#include "cli/class_standing.h"

#include <fmt/format.h>

#include "course/exports.h"
#include "course/policy.h"
#include "course/publish.h"

namespace labkit::cli {
namespace {

/// "" where there is no grade of a hand-in.
std::string text_of(const course::Entry& entry, const course::Policy& policy) {
  if (!entry.submitted || !entry.graded) return {};
  const course::Grade grade = course::grade(entry, policy);
  if (grade.state != course::Grade::State::graded) return {};
  return fmt::format("{}, {} points", entry.verdict,
                     grade.points ? course::points_text(*grade.points, 2) : "no");
}

}  // namespace

Standing::Standing(const course::Gradebook& book) {
  const course::Policy policy = course::kept_policy(book);
  for (const course::Entry& entry : book.entries())
    grades_[{entry.student, entry.lab}] = text_of(entry, policy);
}

std::vector<std::string> Standing::changes(const course::Gradebook& book) const {
  const course::Policy policy = course::kept_policy(book);
  std::vector<std::string> lines;
  for (const course::Entry& entry : book.entries()) {
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

}  // namespace labkit::cli
