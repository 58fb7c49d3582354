// Who is who? Private to intake.
//
// Three lists speak of people: the downloads (owners), the roster (lines), and the gradebook (students known from
// earlier imports). Each entry is a record with ids and a name, and records are joined into people:
//
//   1. An id that two share makes them one. A student number is typed by people: it joins only whose names or e-mails
//      agree. No id joins two lines or two known students.
//   2. A name joins what has no id beyond its own download (Moodle's numbers), and leads to a line of the roster. It
//      must fit one alone, and no ids that can be compared may differ.
//
// Everybody else stays apart, with a remark: never is one student's work taken for another's. Nothing depends on the
// order of the records.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "class/intake/intake.h"

namespace labkit::course {

/// A download, and what it says of one file.
struct Claimed {
  const Root* root;
  const Claim* claim;
};
struct Identified {
  std::vector<Student> students;  ///< who submitted something, and all on the roster
  std::vector<Remark> remarks;
  std::vector<std::vector<std::size_t>> of_claim;  ///< by claim, places in `students`
  std::vector<SameStudent> same;
};
Identified identify(const std::vector<Claimed>& claims, std::vector<Student> roster,
                    const std::vector<Student>& known);

}  // namespace labkit::course
