// One small change that makes a kernel right, found by trying. No rule can know what a beginner meant, but a launch can tell
// whether `i <= n` for `i < n` helps: each of the edits that beginners need most (compile/small_edits.h) is compiled and run on
// the launches of the test that failed, until all of them come out right. What is reported has been seen to work, in the
// optimised build and under all checks. It never changes a verdict or a point.
//
// Forty-eight edits are compiled at once, each in a namespace of its own and unoptimised, which takes 2 ms an edit where a
// compilation of its own takes 100 (NVRTC 13.0, 2 cores).
#pragma once
#include <optional>
#include <vector>

#include "grade/steps.h"

namespace labkit::grade {

/// `attempts`: those of the running test, one of which came out wrong. nullopt where no edit helps, or none is tried: findings
/// whose fix is known (a barrier, a statement without effect), a source that is too long, or one of which the copies do not
/// compile side by side (`extern "C"`).
std::optional<Repair> find_repair(Grading& grading, const std::vector<Attempt>& attempts);

/// The same for a kernel that is right and misses a limit, or comes to no end in its graded launch: a change with which the
/// limit holds. `small`: a small launch of the graded kind; edits with which it moves or costs no less are not tried further.
std::optional<Repair> find_faster(Grading& grading, const Attempt& small, const Attempt& graded);

}  // namespace labkit::grade
