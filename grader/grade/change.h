// What a change of a few lines changes, as data: the smallest piece of a line that differs, widened until it can be read by
// itself (`i < n` for `<`), and what happened to it. It is the cause of a wrong result: the change was seen to make it right.
#pragma once
#include <vector>

#include "grade/result.h"
#include "words/message.h"

namespace labkit::grade {

/// Rows change_* of words/english/changes.def, about all of the lines; none for no lines. Where they do not come to one sentence,
/// the first two lines have one each.
std::vector<words::Message> describe_change(const std::vector<ChangedLine>& lines);

}  // namespace labkit::grade
