// The tests of a lab's check.cpp, run by GoogleTest on a grading.
#pragma once
#include <functional>
#include <string>

#include "grade/grading.h"

namespace labkit::grade {

/// Makes the tests of that lab known to GoogleTest; false if this program holds none.
bool register_tests(const std::string& lab);

/// Runs those that GoogleTest's filter takes, `ended` after each, or after all where one waits for a repair: then `judged` is
/// called before one is looked for. False if one failed. Throws labkit::Error if the filter takes none.
bool run_tests(Grading& grading, std::function<void(const TestResult&)> ended,
               const std::function<void()>& judged = {});

/// What the functions of lab_test.h speak to until the next call; null: nothing. For tests of those functions.
void set_grading(Grading* grading);

}  // namespace labkit::grade
