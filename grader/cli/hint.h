#pragma once
#include <string>
#include <string_view>

#include "cli/grading.h"

namespace labkit::cli {

/// `labkit hint LAB`: the next hint for the defect that the lab's verdict is about.
struct HintOptions {
  std::string lab;
  bool again = false;  ///< those already shown, and no new one
  bool reset = false;  ///< forget which were shown
  GradeRequest request;
};
/// kExitOk also where the kernel is at fault: a hint is no verdict. An unknown lab throws std::invalid_argument.
int run_hint(const HintOptions& options);

}  // namespace labkit::cli
