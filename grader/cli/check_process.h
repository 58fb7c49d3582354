// One file graded by one lab's check program, in a child process.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command_line.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::cli {

struct GradeRequest {
  std::filesystem::path file;   ///< empty: the lab's kernel.cu
  bool may_be_missing = false;  ///< then that is a verdict, as of the lab's kernel.cu
  DeviceChoice device;
  std::string gpu = "h200";  ///< whose times the simulator predicts
  std::uint64_t seed = 1;
  unsigned threads = 0;
  /// With TestResult::detail of failed tests, which costs another run of each.
  bool details = false;
  bool values = false;                                ///< with LabResult::values
  std::vector<std::filesystem::path> values_of = {};  ///< LabResult::solution_values are of these
  std::filesystem::path html = {};  ///< write a page that explains here; empty: none
  /// As course::recorded_registers() has them; "": none.
  std::string recorded_registers = {};
  std::string tests;  ///< only these, as GoogleTest's filter wants them; empty: all
  /// For temporary files; empty: where the system has them.
  std::filesystem::path work_directory = {};
  std::filesystem::path cache_directory = {};  ///< empty: cache_directory() of paths.h
  /// Of the check program, which is not a student's: who meets them gets no verdict. 0: as large as
  /// is ever needed.
  double cpu_seconds = 0;
  std::uint64_t address_space_bytes = 0;
  const std::atomic<bool>* stop = nullptr;  ///< see process::Command
  /// Called with the verdict where it is known before a change that makes the file right is found; from another thread, and
  /// never after the grading ended.
  std::function<void(grade::LabResult)> judged = {};
};

/// --device, --gpu-id, --gpu, --seed and --threads; with `file`: --file, with that text.
void add_request(Command command, GradeRequest& request, const char* file = nullptr);

/// "grading lab3"
std::string grading_text(const std::string& lab);

/// "lab3: race, 60 of 100 points; looking for a fix"
std::string looking_text(const grade::LabResult& result);

std::filesystem::path file_of(const grade::Manifest& lab, const GradeRequest& request);

/// Throws labkit::Error with what the program said if it came to no verdict, and labkit::Stopped if
/// it was asked to stop. With request.details the result has its source, as it was when grading began.
grade::LabResult grade_file(const grade::Manifest& lab, const GradeRequest& request);

/// The same with details, and "grading lab3" or whatever `work` says on stderr meanwhile (at_work.h).
grade::LabResult grade_file(const grade::Manifest& lab, GradeRequest request,
                            const std::string& work);

/// Without a result: why there is none, which is never the file's fault.
struct Graded {
  std::optional<grade::LabResult> result;
  std::optional<Error> trouble;
};
Graded try_grading(const grade::Manifest& lab, const GradeRequest& request);

/// Compiles the file and starts the device, no more. Throws as grade_file() does.
void require_ready(const grade::Manifest& lab, const GradeRequest& request);

/// Many files, as many at once as there are cores, each on one; in the order of `files`.
std::vector<Graded> grade_files(const grade::Manifest& lab,
                                const std::vector<std::filesystem::path>& files,
                                const GradeRequest& request);

/// The labs named ("lab3", "3" or a folder's name), all if none are. Throws std::invalid_argument
/// naming those there are.
std::vector<grade::Manifest> select_labs(const std::vector<std::string>& names);

/// solutions/<folder>/<kind>/*.cu in the order of their names; kind is "correct" or "wrong".
std::vector<std::filesystem::path> solution_files(const grade::Manifest& lab,
                                                  const std::string& kind);

}  // namespace labkit::cli
