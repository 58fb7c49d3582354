// One source of a class's into a result.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/work_folder.h"
#include "class/grading/receipt.h"
#include "cli/check_process.h"
#include "grade/manifest.h"

namespace labkit::course {

/// What a student's file is called while it is graded, so that messages and PTX are the same whatever the student called it.
inline constexpr const char* kSourceName = "kernel.cu";

class JobGrader {
 public:
  /// `device` is what the class is graded on ("sim", or a GPU's name) and fits `choice`. `work` is a folder for what lies
  /// between, of this process alone. Throws labkit::Error if a check program is not built.
  JobGrader(std::vector<grade::Manifest> labs, cli::DeviceChoice choice, std::string device,
            std::filesystem::path work, const std::atomic<bool>* stop);

  /// A source to its result (format of report/json.h). Throws labkit::Error if there is no verdict, or the
  /// work folder cannot be written; Stopped. From any thread. `recorded`: recorded_registers(), for a replay. No source:
  /// the lab's own reference solution, with LabResult::solution_values.
  std::string grade(const std::string& lab, std::uint64_t seed,
                    const std::optional<std::string>& source,
                    const std::string& recorded = {}) const;
  /// Throws labkit::Error if this machine can compile or start nothing.
  void check_machine() const;

  const std::map<std::string, GradingEnvironment>& means() const { return means_; }

 private:
  cli::GradeRequest request() const;
  const grade::Manifest& lab(const std::string& id) const;

  std::vector<grade::Manifest> labs_;
  std::map<std::string, GradingEnvironment> means_;
  cli::DeviceChoice choice_;
  std::string device_;
  std::filesystem::path work_;
  const std::atomic<bool>* stop_;
};

/// The lab's own solution; it may not be there.
std::filesystem::path reference_file(const grade::Manifest& lab);

/// What gradings on `device` ("sim", or a GPU's name) depend on, by lab. Throws labkit::Error if the check program is not built.
std::map<std::string, GradingEnvironment> environments(const std::vector<grade::Manifest>& labs,
                                                       const std::string& device);

/// "sim", or the name of the GPU that `choice` means. Throws labkit::Error if it wants a GPU and there is none.
std::string device_name(const cli::DeviceChoice& choice);

}  // namespace labkit::course
