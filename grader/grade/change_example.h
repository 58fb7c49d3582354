// What a change changes in one thread, as numbers: the first thread for which an expression on the changed line has another
// value. A change that no rule knows the reason of (change_reason.h) is explained so, and it is always true: both were computed.
#pragma once
#include <optional>
#include <string>

#include "grade/result.h"
#include "grade/steps.h"

namespace labkit::grade {

/// An expression of a line, and what it becomes: as much around the change as has one value, without side effects.
struct ChangedExpression {
  std::size_t begin = 0;  ///< offset in the line
  std::string before, after;
};
/// nullopt where no single expression changes, or one that must not be computed twice (calls, accesses, assignments).
std::optional<ChangedExpression> changed_expression(const ChangedLine& line);

/// Row change_example of words/english/changes.def; no message where the expression has the same values in all threads of the
/// launch, or where it cannot be told (several lines change, or an expression that has no number).
words::Message example_of(Grading& grading, const Repair& repair, const Attempt& attempt);

/// Row rounding_example: a variable of the kernel is a quotient that is 0 in some thread, and would be 1 rounded up.
words::Message example_of_quotient(Grading& grading, const Attempt& attempt);

/// Row answer_example: the same of the line of the kernel that is most like the `answer`, which is not told.
words::Message example_of_answer(Grading& grading, std::string_view answer, const Attempt& attempt);

}  // namespace labkit::grade
