// From a plan's results into the gradebook.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/grading/plan.h"

namespace labkit::course {

struct Merged {
  std::size_t taken = 0, failed = 0, missing = 0;  ///< submissions
  std::vector<std::string>
      warnings;                  ///< about the kit's own solutions and results that cannot be read
  std::size_t labs_missing = 0;  ///< reference solutions without a result
  bool is_whole() const { return failed + missing + labs_missing == 0; }
};

/// Takes what there is, also while results are missing; what was taken before is not taken again. Holds few results at a
/// time, however many there are. A result that cannot be read is dropped, and missing. Throws labkit::Error.
Merged merge(Gradebook& book, const PlanFolder& folder);

/// A setting of the gradebook, with the lab's id after it: under what kReferenceSetting was graded.
inline constexpr const char* kReferenceConditionsSetting = "reference conditions ";
std::string reference_conditions(const GradingEnvironment& means, std::uint64_t seed);

}  // namespace labkit::course
