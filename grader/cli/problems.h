// A result as lines that an editor's problem matcher reads (.vscode/tasks.json).
#pragma once
#include <string>

#include "grade/result.h"

namespace labkit::cli {

inline constexpr const char* kProblemsFormat = "problems";

/// One line per diagnosis, "FILE:LINE:COLUMN: error|warning: TEXT [ID]"; "" where nothing is wrong. `file`: as it is to be
/// opened. Needs the result's details.
std::string problems_text(const grade::LabResult& result, const std::string& file);
/// The lines between which an editor replaces what it showed.
std::string problems_begin(const std::string& lab);
std::string problems_end(const std::string& lab, const std::string& outcome);

}  // namespace labkit::cli
