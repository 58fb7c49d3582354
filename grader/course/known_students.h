// Who of a new intake is known already? Private to the gradebook.
//
// Ids are made from what one download says (identity.h). The next one may say more or less: two Anas
// where there was one, a roster where there was none. What an LMS calls a student does not change.
#pragma once
#include <vector>

#include "course/intake.h"

namespace labkit::course {

/// Gives everybody of `intake` who has a key in common with one student of `known`, and only with that
/// one, that student's id. Who has another's id and none of the keys gets an id of their own, and a
/// remark: never is one student's work taken for another's.
void use_known_ids(Intake& intake, const std::vector<Student>& known);

}  // namespace labkit::course
