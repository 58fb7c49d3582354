#include "cli/class_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/style.h"

namespace labkit::cli {
namespace {

using course::Entry;
using course::JobState;

/// What a cell of the table counts.
enum Column : std::size_t {
  kHandedIn,
  kPass,
  kNotPass,
  kUndecided,
  kNotGraded,
  kUnreadable,
  kWaiting,
  kLeftOut,
  kMissing,
  kColumns
};
constexpr const char* kTitles[kColumns] = {"handed in", "pass",       "not pass",
                                           "undecided", "not graded", "unreadable",
                                           "waiting",   "left out",   "missing"};

Column column_of(const Entry& entry) {
  if (!entry.submitted) return kMissing;
  if (!entry.submission.problem.empty()) return kUnreadable;
  if (entry.graded) {
    const std::string& verdict = entry.rescored ? entry.rescored->verdict : entry.verdict;
    return verdict == "pass" ? kPass : verdict == "inconclusive" ? kUndecided : kNotPass;
  }
  if (!entry.job) return kLeftOut;  // of a lab that nobody asked to be graded
  return entry.job->state == JobState::failed ? kNotGraded : kWaiting;
}

}  // namespace

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

ClassCount count(const std::vector<Entry>& entries, const std::vector<std::string>& labs) {
  ClassCount sum;
  for (const Entry& entry : entries) {
    if (!labs.empty() && std::find(labs.begin(), labs.end(), entry.lab) == labs.end()) continue;
    const course::Submission& newest = entry.newer ? entry.newer->submission : entry.submission;
    if (entry.submitted && !newest.problem.empty()) sum.unreadable += 1;
    const course::Job* job = entry.wanted();
    if (!job) continue;
    sum.to_grade += 1;
    switch (job->state) {
      case JobState::waiting:
        sum.waiting += 1;
        break;
      case JobState::running:
        sum.running += 1;
        break;
      case JobState::done:
        sum.graded += 1;
        break;
      case JobState::failed:
        sum.not_graded += 1;
        break;
    }
    sum.undecided += column_of(entry) == kUndecided;
  }
  return sum;
}

std::string class_table(const std::vector<Entry>& entries) {
  std::map<std::string, std::vector<std::size_t>> labs;
  std::vector<std::size_t> sums(kColumns);
  for (const Entry& entry : entries) {
    std::vector<std::size_t>& counts = labs.try_emplace(entry.lab, kColumns).first->second;
    const Column column = column_of(entry);
    for (std::vector<std::size_t>* to : {&counts, &sums}) {
      (*to)[column] += 1;
      if (entry.submitted) (*to)[kHandedIn] += 1;
    }
  }
  std::vector<std::vector<std::string>> rows(1, {"lab"});
  std::vector<bool> right(1, false);
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (sums[i] == 0 && i > kNotPass) continue;
    rows[0].emplace_back(kTitles[i]);
    right.push_back(true);
  }
  for (const auto& [lab, counts] : labs) {
    rows.push_back({lab});
    for (std::size_t i = 0; i < kColumns; ++i)
      if (sums[i] != 0 || i <= kNotPass) rows.back().push_back(std::to_string(counts[i]));
  }
  return report::table(rows, right);
}

std::string missing_text(const std::vector<course::Student>& students,
                         const std::vector<Entry>& entries, std::size_t most) {
  std::set<std::string> present;
  for (const Entry& entry : entries)
    if (entry.submitted) present.insert(entry.student);
  std::vector<std::string> names;
  for (const course::Student& student : students)
    if (!present.count(student.id))
      names.push_back(student.name.empty() || student.name == student.id
                          ? student.id
                          : fmt::format("{} ({})", student.name, student.id));
  if (names.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? "; " : "") + report::printable(names[i]);
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::vector<std::string> trouble_lines(const std::vector<Entry>& entries, std::size_t most) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Entry& entry : entries)
    if (const course::Job* job = entry.wanted(); job && job->state == JobState::failed)
      by_reason[job->message].push_back(fmt::format("{} {}", entry.student, entry.lab));
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(by_reason.begin(),
                                                                       by_reason.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::vector<std::string> lines;
  for (const auto& [reason, jobs] : sorted) {
    if (lines.size() == most) {
      lines.push_back(fmt::format("and {} more reasons", sorted.size() - most));
      break;
    }
    constexpr std::size_t kNamed = 4;
    const std::vector<std::string> named(
        jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, jobs.size())));
    std::string who = fmt::format("{}", fmt::join(named, ", "));
    if (jobs.size() > kNamed) who += fmt::format(" and {} more", jobs.size() - kNamed);
    lines.push_back(report::printable(fmt::format("{}: {}", who, reason)));
  }
  return lines;
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c >= 0x80 ||
           std::string_view("/._-+,:=@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace labkit::cli
