// Which of several edits that make a kernel right is sooner what was meant.
#pragma once
#include <cstddef>
#include <string>

namespace labkit::grade::repairs {

/// What an edit changes, in bytes: of two that are right, the smaller one is sooner what was meant. Where something is only
/// put in, or taken out, that alone counts.
std::size_t change_size(const std::string& before, const std::string& after);

/// Variables that are called rows and count what x counts, or are compared with a number of columns, and the other way round.
/// Where the declaration and the use of such a name contradict each other, either can be changed; the declaration is what is
/// wrong.
std::size_t misnamed(const std::string& source);

std::size_t lines_changed(const std::string& before, const std::string& after);
/// Each line that changes goes.
bool only_deletes(const std::string& before, const std::string& after);

/// Signs that an edit passes without being what was meant: a local that nothing uses any more, an element read from global memory
/// that a shared array holds, an extent that only happens to be larger, a quotient of a value and itself, a step more than there are
/// parts, a place that is counted twice.
std::size_t signs_of_a_trick(const std::string& before, const std::string& after);

}  // namespace labkit::grade::repairs
