#include "course/tally.h"

#include <fmt/format.h>

#include "course/policy.h"

namespace labkit::course {

const char* place_name(Place place) {
  static constexpr std::array<const char*, kPlaces> kNames = {
      "pass",    "not pass", "undecided", "not graded", "unreadable",
      "waiting", "left out", "missing",   "decided",    "excused"};
  return kNames[static_cast<std::size_t>(place)];
}

Place place_of(const Entry& entry) {
  const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
  if (decisions.excused) return Place::excused;
  if (decisions.points) return Place::decided;
  if (!entry.submitted) return Place::missing;
  if (!entry.submission.problem.empty()) return Place::unreadable;
  if (entry.graded) {
    const std::string& verdict = entry.rescored ? entry.rescored->verdict : entry.verdict;
    const double undecided = entry.rescored ? entry.rescored->undecided : entry.undecided;
    if (undecided > 0 || verdict == "inconclusive") return Place::undecided;
    return verdict == "pass" ? Place::pass : Place::not_pass;
  }
  if (!entry.job) return Place::left_out;
  return entry.job->state == JobState::failed ? Place::not_graded : Place::waiting;
}

std::map<std::string, Tally> tally(const std::vector<Entry>& entries) {
  std::map<std::string, Tally> labs;
  for (const Entry& entry : entries) {
    Tally& lab = labs[entry.lab];
    lab.students += 1;
    lab.handed_in += entry.submitted ? 1 : 0;
    lab.places[static_cast<std::size_t>(place_of(entry))] += 1;
  }
  return labs;
}

std::string tally_text(const Tally& tally) {
  std::string text = fmt::format("{} student{}: {} handed in", tally.students,
                                 tally.students == 1 ? "" : "s", tally.handed_in);
  for (std::size_t i = 0; i < kPlaces; ++i)
    if (tally.places[i] > 0)
      text += fmt::format(", {} {}", tally.places[i], place_name(static_cast<Place>(i)));
  return text;
}

std::set<std::string> handed_nothing_in(const std::vector<Student>& students,
                                        const std::vector<Entry>& entries) {
  std::set<std::string> ids;
  for (const Student& student : students) ids.insert(student.id);
  for (const Entry& entry : entries)
    if (entry.submitted) ids.erase(entry.student);
  return ids;
}

}  // namespace labkit::course
