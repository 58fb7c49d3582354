#include "class/commands/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "class/policy/tally.h"
#include "report/style.h"

namespace labkit::course {
namespace {

/// The teacher's word ends what is to be told of it. No policy changes that, nor what is undecided.
Place place_of(const Entry& entry) { return place_of(grade(entry, {})); }
bool is_decided(const Entry& entry) {
  const Place place = place_of(entry);
  return place == Place::decided || place == Place::excused;
}

bool is_of(const Entry& entry, const std::vector<std::string>& labs) {
  return labs.empty() || std::find(labs.begin(), labs.end(), entry.lab) != labs.end();
}

}  // namespace

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

ClassCount count(const std::vector<Entry>& entries, const std::vector<std::string>& labs) {
  ClassCount sum;
  for (const Entry& entry : entries) {
    if (!is_of(entry, labs)) continue;
    const Place place = place_of(entry);
    const Submission& newest = entry.newer ? entry.newer->submission : entry.submission;
    sum.undecided += place == Place::undecided ? 1 : 0;
    if (entry.submitted && (!newest.problem.empty() || !entry.unread_newer.empty()) &&
        !is_decided(entry))
      sum.unreadable += 1;
    const Job* job = entry.wanted();
    if (!job) continue;
    if (job->state == JobState::failed && !is_decided(entry)) sum.not_graded += 1;
    sum.to_grade += 1;
    if ((job->state == JobState::waiting || job->state == JobState::running) && is_decided(entry))
      sum.open_decided += 1;
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
        break;
    }
  }
  return sum;
}

std::string class_table(const std::vector<Grade>& grades) {
  const std::map<std::string, Tally> labs = tally(grades);
  const auto is_shown = [&](Place place) {
    return place == Place::pass || place == Place::not_pass ||
           std::any_of(labs.begin(), labs.end(),
                       [&](const auto& lab) { return lab.second.of(place) > 0; });
  };
  std::vector<std::vector<std::string>> rows(1, {"lab", "handed in"});
  std::vector<bool> right = {false, true};
  for (const auto& [lab, counts] : labs) rows.push_back({lab, std::to_string(counts.handed_in)});
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const auto place = static_cast<Place>(i);
    if (!is_shown(place)) continue;
    rows[0].emplace_back(place_name(place));
    right.push_back(true);
    std::size_t row = 0;
    for (const auto& [lab, counts] : labs) rows[++row].push_back(std::to_string(counts.of(place)));
  }
  return report::table(rows, right);
}

std::string missing_text(const std::vector<Student>& students, const std::vector<Entry>& entries,
                         std::size_t most) {
  const std::set<std::string> nothing = handed_nothing_in(students, entries);
  std::vector<std::string> names;
  for (const Student& student : students)
    if (nothing.count(student.id))
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

std::vector<std::string> trouble_lines(const std::vector<Entry>& entries,
                                       const std::vector<std::string>& labs, std::size_t most) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Entry& entry : entries)
    if (const Job* job = entry.wanted();
        job && job->state == JobState::failed && is_of(entry, labs) && !is_decided(entry))
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

}  // namespace labkit::course
