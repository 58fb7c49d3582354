// The last step of `class grade`, and `class merge`.
#pragma once
#include <cstddef>
#include <filesystem>

#include "class/gradebook/gradebook.h"
#include "class/grading/merge.h"
#include "class/publish/publish.h"

namespace labkit::course {

/// What there is; warnings are printed.
Merged take_results(Gradebook& book, const PlanFolder& folder);

struct FinishOptions {
  PublishOptions publish = {};
  bool yes = false;                           ///< apply what changes grades
  bool ends_plan = false;                     ///< also where something came to no verdict
  std::size_t graded = 0, graded_before = 0;  ///< submissions, to be told
  double seconds = 0;                         ///< that it took
};
/// Takes in the results of the class's plan, applies the import if nothing is missing and nobody minds, and writes all
/// outputs. The exit code: kExitOurError if something was not graded.
int finish_class(Gradebook& book, const std::filesystem::path& out, const FinishOptions& options);

}  // namespace labkit::course
