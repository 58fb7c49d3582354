// What `labkit run` says of a program.
#pragma once
#include <string>

#include "program/report.h"
#include "report/style.h"

namespace labkit::report {

/// A table of its launches, what was wrong with them, what most of the time is spent on, and what the program did wrong itself.
std::string program_text(const program::Report& report, const Style& style);
/// launches, copies, incidents, with ids and figures.
std::string program_json(const program::Report& report);

}  // namespace labkit::report
