// What `class grade` and `class status` say of a class, as lines for a terminal.
#pragma once
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/policy/policy.h"

namespace labkit::course {

/// How far a class is, counted from its gradebook.
struct ClassCount {
  std::size_t to_grade = 0, graded = 0, waiting = 0, running = 0;
  std::size_t open_decided = 0;  ///< waiting or running, although a teacher has decided
  std::size_t not_graded = 0;    ///< our fault, after the last attempt, and nobody decided
  std::size_t undecided = 0;     ///< graded, but a GPU could not decide
  std::size_t unreadable = 0;
};
/// Of `labs` only, unless that is empty.
ClassCount count(const std::vector<Entry>& entries, const std::vector<std::string>& labs = {});

/// A line a lab: handed in, then how many are at each place of course/tally.h; a column that holds
/// nothing is not there.
std::string class_table(const std::vector<Grade>& grades);

/// "Ana (agarcia), Bo (bli) and 3 more": who of the class handed nothing in at all, nor anything
/// that could not be read; "" if nobody.
std::string missing_text(const std::vector<Student>& students, const std::vector<Entry>& entries,
                         std::size_t most = 12);

/// Each job that came to no verdict by our fault, with what happened: those of one reason together, the
/// most frequent first. Of `labs` only, unless that is empty.
std::vector<std::string> trouble_lines(const std::vector<Entry>& entries,
                                       const std::vector<std::string>& labs = {},
                                       std::size_t most = 8);

/// "1 student", "3 students"
std::string counted(std::size_t count, const std::string& noun);

/// A path as the shell takes it again.
std::string shell_word(const std::string& text);

}  // namespace labkit::course
