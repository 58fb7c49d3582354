#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "class/publish/publish.h"
#include "cli/device_options.h"

namespace labkit::course {

/// `labkit class grade INPUT... --out DIR`: adds what a class handed in to what DIR has, grades what is
/// new or changed, and writes everything that a teacher wants of it. However it ends, the same command
/// goes on from there.
struct ClassGradeOptions {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path out, roster;
  std::vector<std::string> labs;
  std::string format;  ///< "" to find out
  unsigned jobs = 0;   ///< 0: as many as there are cores
  cli::DeviceChoice device;
  bool device_given = false;           ///< by name, on the command line or in the environment
  std::optional<std::uint64_t> seed;   ///< without: the class's own, drawn at its first run
  bool regrade = false;                ///< also what has a result
  bool drop_gone = false;              ///< what a download does not hold any more leaves the lists
  std::vector<std::string> keep_gone;  ///< as `take`: is gone, stays and is told no more
  std::vector<std::string> take;  ///< "student/lab", "student", "all": count, whatever is newer
  bool begin_anew = false;        ///< a gradebook, although there are results of one that is gone
  PublishOptions publish;
};
int run_class_grade(const ClassGradeOptions& options);

/// The gradebook of a class's folder.
std::filesystem::path gradebook_file(const std::filesystem::path& out);

}  // namespace labkit::course
