// Who of a new intake is known already? Private to the gradebook.
//
// Ids are made from what one download says (identity.h). The next one may say more or less: two Anas
// where there was one, a roster where there was none. What an LMS calls a student does not change.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "class/intake/intake.h"

namespace labkit::course {

/// A known student who turns out to be one of the roster's.
struct SameStudent {
  std::string known;        ///< id in the gradebook
  std::string to;           ///< id by the roster
  bool both_known = false;  ///< `to` is in the gradebook too: both are to become that one
};

/// Gives everybody of `intake` who has a key in common with one student of `known`, and only with that
/// one, that student's id. Who has another's id and none of the keys gets an id of their own, and a
/// remark: never is one student's work taken for another's.
///
/// A name led to a line of the roster (kByName), but the LMS's id is another than what is known of that
/// student, or is known to be somebody else's: what came is taken from that line, and told.
///
/// A roster that is named later: a known student whom no roster spoke of, and whose name fits one line of
/// it, and nobody else's does, is the student of that line and keeps the id; if both have an id already,
/// they have to be made one. Both are returned. `known`: who is not present has no name.
std::vector<SameStudent> use_known_ids(Intake& intake, const std::vector<Student>& known);

/// The one student whose id is `named`; else whose name (in any order of its words, with or without
/// accents), e-mail, login or number it is; else whose name has all its words. Throws
/// std::invalid_argument, listing who comes near, for nobody and for several.
const Student& find_student(const std::vector<Student>& students, std::string_view named);

}  // namespace labkit::course
