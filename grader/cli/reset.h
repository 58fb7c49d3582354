#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "grade/manifest.h"

namespace labkit::cli {

/// `labkit reset LAB`: kernel.cu as it was handed out, which stands in the lab's folder as `.stub`.
struct ResetOptions {
  std::string lab;
  bool undo = false;  ///< bring back what the last reset took away
};
/// What was in kernel.cu is kept beside it first. Throws labkit::Error where that cannot be written, and
/// kernel.cu is then as it was.
int run_reset(const ResetOptions& options);

/// kernel.cu as it was handed out.
std::filesystem::path stub_of(const lab::Manifest& lab);
/// What resets kept, the oldest first: labs/<lab>/.kernel-<when>.cu. The point hides them from what packs
/// up a student's work.
std::vector<std::filesystem::path> backups_of(const lab::Manifest& lab);

}  // namespace labkit::cli
