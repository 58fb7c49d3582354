// One file graded by one lab's check program, in a child process.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/device_options.h"
#include "lab/manifest.h"
#include "lab/result.h"

namespace labkit::cli {

struct GradeRequest {
  std::filesystem::path file;  ///< empty: the lab's kernel.cu
  DeviceChoice device;
  std::string gpu = "h200";  ///< whose times the simulator predicts
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::string tests;  ///< only these, as GoogleTest's filter wants them; empty: all
};

/// Throws labkit::Error with what the program said if it came to no verdict.
lab::LabResult grade_file(const lab::Manifest& lab, const GradeRequest& request);

/// Many files, as many at once as there are cores, each on one; in the order of `files`. Without a
/// result: why there is none.
struct Graded {
  std::optional<lab::LabResult> result;
  std::string trouble;
};
std::vector<Graded> grade_files(const lab::Manifest& lab,
                                const std::vector<std::filesystem::path>& files,
                                const GradeRequest& request);

/// The labs named ("lab3", "3" or a folder's name), all if none are. Throws std::invalid_argument
/// naming those there are.
std::vector<lab::Manifest> select_labs(const std::vector<std::string>& names);

/// solutions/<folder>/<kind>/*.cu in the order of their names; kind is "correct" or "wrong".
std::vector<std::filesystem::path> solution_files(const lab::Manifest& lab,
                                                  const std::string& kind);

}  // namespace labkit::cli
