// What a search for repairs came to, kept in the cache: a source that is graded again (by `explain` or `hint` after `grade`)
// is not searched again.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "grade/grading.h"

namespace labkit::grade {

/// By the test's name; tests without a repair are not in it.
using Repairs = std::map<std::string, Repair>;

/// Where the search of this grading is kept, once all tests have run: named by all that decides it. Empty: nowhere.
std::filesystem::path repairs_file(const Grading& grading);
std::optional<Repairs> read_repairs(const std::filesystem::path& file);
void write_repairs(const std::filesystem::path& file, const Repairs& repairs);

}  // namespace labkit::grade
