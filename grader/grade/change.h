// What a change of a few lines changes, as data: the smallest piece of a line that differs, widened until it can be read by
// itself (`i < n` for `<`), and what happened to it. It is the cause of a wrong result: the change was seen to make it right.
#pragma once
#include <string_view>
#include <vector>

#include "grade/result.h"
#include "words/message.h"

namespace labkit::grade {

/// Rows change_* of words/english/changes.def, about all of the lines of `source`; none for no lines. Where they do not come to
/// one sentence, the first two lines have one each. The last sentence is the reason, where it is known (change_reason.h); beside
/// it, what the changed lines show is left out. `reason`: of the edit that was made, where it tells.
std::vector<words::Message> describe_change(const std::vector<ChangedLine>& lines,
                                            std::string_view source = {},
                                            words::Message reason = {});

/// They say which lines are wrong, which the lines show as well, and not how.
bool names_only_places(const std::vector<words::Message>& why);

/// A line of code without the comment at its end.
std::string_view without_comment(std::string_view line);

}  // namespace labkit::grade
