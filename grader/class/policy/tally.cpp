#include "class/policy/tally.h"

#include <fmt/format.h>

#include "base/enum_names.h"

namespace labkit::course {

const char* place_name(Place place) {
  static constexpr std::string_view kNames[] = {"pass",       "not pass",   "too late", "undecided",
                                                "not graded", "unreadable", "waiting",  "left out",
                                                "missing",    "missing?",   "decided",  "excused"};
  return name_in(kNames, place).data();
}

Place place_of(const Grade& grade) {
  using State = Grade::State;
  if (grade.decided) return Place::decided;
  if (grade.state == State::graded)
    return grade.too_late            ? Place::too_late
           : grade.verdict == "pass" ? Place::pass
                                     : Place::not_pass;
  static const std::map<State, Place> places = {
      {State::excused, Place::excused},       {State::missing, Place::missing},
      {State::waiting, Place::waiting},       {State::maybe_missing, Place::maybe_missing},
      {State::left_out, Place::left_out},     {State::not_graded, Place::not_graded},
      {State::unreadable, Place::unreadable}, {State::inconclusive, Place::undecided}};
  return places.at(grade.state);
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
