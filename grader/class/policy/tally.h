// How far a class is, counted once: the terminal, the class's page and review.txt all say these figures.
// What is missing, unreadable or not graded is told apart in grade() of policy.h and nowhere else.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "class/policy/policy.h"

namespace labkit::course {

/// Where one student's lab stands. Each has one place, so that the counts of a lab sum up to the class.
enum class Place : std::uint8_t {
  pass,
  not_pass,
  too_late,    ///< so late that nothing counts
  undecided,   ///< a GPU could not decide
  not_graded,  ///< our fault
  unreadable,
  waiting,
  left_out,  ///< of a lab that nobody asked to be graded
  missing,
  maybe_missing,  ///< something of the student's could not be read
  decided,        ///< a teacher set the points, whatever was measured
  excused,
};
inline constexpr std::size_t kPlaces = 12;
/// "pass", "not pass", ...: the title of a column.
const char* place_name(Place place);
Place place_of(const Grade& grade);

struct Tally {
  std::size_t students = 0;   ///< in all
  std::size_t submitted = 0;  ///< by students, whatever became of it
  std::array<std::size_t, kPlaces> places{};

  std::size_t of(Place place) const { return places[static_cast<std::size_t>(place)]; }
};
/// Lab -> its counts.
std::map<std::string, Tally> tally(const std::vector<Grade>& grades);
/// "12 students: 10 submitted, 6 pass, 3 not pass, 1 decided": what is 0 is left out.
std::string tally_text(const Tally& tally);

/// Ids of those who submitted nothing at all, nor anything that could not be read.
std::set<std::string> submitted_nothing(const std::vector<Student>& students,
                                        const std::vector<Entry>& entries);

}  // namespace labkit::course
