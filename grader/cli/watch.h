#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cli/grading.h"
#include "report/style.h"

namespace labkit::cli {

/// `labkit watch [LAB...]`: grades a lab when its kernel.cu is saved, until Ctrl-C.
struct WatchOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::size_t count = 0;          ///< end after so many verdicts; 0: never
  GradeRequest request;
};
/// kExitOk after Ctrl-C; with a `count` what the last verdict says, as `labkit grade` would. A trouble of ours is told
/// and the watch goes on.
int run_watch(const WatchOptions& options);

/// What the screen shows of a result: a line a test, below it what `labkit grade` shows there, what to do next.
std::string watch_text(const lab::Manifest& lab, const lab::LabResult& result,
                       const std::vector<lab::Manifest>& all, const report::Style& style);

}  // namespace labkit::cli
