#include "class/policy/tally.h"

#include <fmt/format.h>

namespace labkit::course {

const char* place_name(Place place) {
  static constexpr std::array<const char*, kPlaces> kNames = {
      "pass",    "not pass", "too late", "undecided", "not graded", "unreadable",
      "waiting", "left out", "missing",  "missing?",  "decided",    "excused"};
  return kNames[static_cast<std::size_t>(place)];
}

Place place_of(const Grade& grade) {
  using State = Grade::State;
  if (grade.decided) return Place::decided;
  switch (grade.state) {
    case State::graded:
      if (grade.too_late) return Place::too_late;
      return grade.verdict == "pass" ? Place::pass : Place::not_pass;
    case State::excused:
      return Place::excused;
    case State::missing:
      return Place::missing;
    case State::maybe_missing:
      return Place::maybe_missing;
    case State::waiting:
      return Place::waiting;
    case State::left_out:
      return Place::left_out;
    case State::not_graded:
      return Place::not_graded;
    case State::unreadable:
      return Place::unreadable;
    case State::inconclusive:
      break;
  }
  return Place::undecided;
}

std::map<std::string, Tally> tally(const std::vector<Grade>& grades) {
  std::map<std::string, Tally> labs;
  for (const Grade& grade : grades) {
    Tally& lab = labs[grade.lab];
    lab.students += 1;
    lab.submitted += grade.submitted ? 1 : 0;
    lab.places[static_cast<std::size_t>(place_of(grade))] += 1;
  }
  return labs;
}

std::string tally_text(const Tally& tally) {
  std::string text = fmt::format("{} student{}: {} submitted", tally.students,
                                 tally.students == 1 ? "" : "s", tally.submitted);
  for (std::size_t i = 0; i < kPlaces; ++i)
    if (tally.places[i] > 0)
      text += fmt::format(", {} {}", tally.places[i], place_name(static_cast<Place>(i)));
  return text;
}

std::set<std::string> submitted_nothing(const std::vector<Student>& students,
                                        const std::vector<Entry>& entries) {
  std::set<std::string> ids;
  for (const Student& student : students) ids.insert(student.id);
  for (const Entry& entry : entries)
    if (entry.submitted || entry.something_unread) ids.erase(entry.student);
  return ids;
}

}  // namespace labkit::course
