#pragma once
#include <string>
#include <vector>

#include "cli/grading.h"

namespace labkit::cli {

/// `labkit grade [LAB...]`
struct GradeOptions {
  std::vector<std::string> labs;
  bool solutions = false, all = false;
  std::string json;       ///< a file, or "-": stdout, and nothing else there
  std::string classroom;  ///< a file for GitHub Classroom (report/classroom_json.h); empty: none
  GradeRequest request;
};
int run_grade(const GradeOptions& options);

}  // namespace labkit::cli
