// Which of a student's submissions for a lab counts. Private to the gradebook.
//
// The latest that can be read: by the LMS's time or number where two have one, else by the order in which they
// came (replaces() of intake.h). The same bytes again are the same submission.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

struct Counting {
  Submission submission;             ///< without its source
  std::optional<Submission> unread;  ///< came after it, and cannot be read
};
/// By student and lab.
std::map<std::pair<std::string, std::string>, Counting> counting(SQLite::Database& db, View view);

/// Imports of `view`, for SQL: "import IN (SELECT id FROM import WHERE ...)".
std::string imports_of(View view);

/// "FROM remark ...": those of the last import of each download of one assignment.
std::string remarks_of(View view);

}  // namespace labkit::course
