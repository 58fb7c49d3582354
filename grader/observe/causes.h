// Which of several findings of one kernel comes first: what causes another comes before it.
#pragma once
#include <vector>

#include "launch/launch.h"

namespace labkit::observe {

/// Errors stay before warnings, and otherwise what was found first stays first, but
///   - a variable that nothing sets comes first of all. What only the compiler says of it (a warning: nobody knows whether
///     the line was executed) is an error where the launch went wrong, or where its result did (`result_is_wrong`);
///   - a value that nobody wrote comes before the access out of bounds, or the loop without end, that it decides;
///   - so it does before the lost updates of that line, whose fix is to begin with a value, and before the races with
///     another iteration of the loop, which did not write it either;
///   - what nobody wrote to shared memory is explained by the threads that had left before the barrier;
///   - an access out of bounds comes before the races of that line: it touches what belongs to another thread;
///   - a launch over its budget whose threads write the same values over and over has that cause.
void order_by_cause(std::vector<launch::Finding>& findings, bool result_is_wrong = false);

}  // namespace labkit::observe
