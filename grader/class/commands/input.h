// What `class grade` asks of its command line and reports of what it imported, before it grades.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/intake/intake.h"
#include "class/publish/publish.h"
#include "cli/command_line.h"
#include "grade/manifest.h"

namespace labkit::course {

/// `labkit class grade INPUT... --out DIR`: adds submissions to what DIR has, grades what is new or changed, and writes
/// everything that a teacher wants of it. However it ends, the same command continues from there.
struct ClassGradeOptions {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path out, roster;
  std::vector<std::string> assignments;  ///< "Lab 3*=lab3"
  unsigned jobs = 0;                     ///< 0: as many as there are cores
  unsigned shards = 0;                   ///< of `class plan`; 0: as many as take some minutes each
  cli::DeviceChoice device;
  std::optional<std::uint64_t> seed;  ///< without: the class's own, drawn at its first run
  bool regrade = false;               ///< also what has a result
  bool yes = false;                   ///< apply what changes grades that there are
  bool is_planned_only = false;       ///< graded elsewhere
  PublishOptions publish;

  bool is_device_given() const { return device.device != "auto"; }
};

/// Throws std::invalid_argument if an input or the roster is not there, or `out` lies inside an input.
void require_inputs(const ClassGradeOptions& options);
/// Throws labkit::Error if `out` has what was made from a gradebook, but no gradebook or an empty one: a new one in its
/// place would be taken for all there is.
void require_gradebook_of(const std::filesystem::path& out);

/// Who is in the class: the roster that the command line names, else the one that the class's gradebook has, else none.
/// Throws labkit::Error if its file, or the gradebook, cannot be read.
KeptFile roster_for(const ClassGradeOptions& options);
/// Keeps a new one, and prints which one holds.
void keep_roster(Gradebook& book, const KeptFile& roster);
/// If a new roster changed who is who: how to go back.
void say_way_back(const Imported& imported, const std::filesystem::path& gradebook);

/// Throws UsageError with the line to type if nothing says which labs a download is for.
void require_assigned(const Intake& intake, const ClassGradeOptions& options);
/// Students, submissions and labs in a line; then what matched nobody, what is for no lab, what could not be read, a
/// screenful at most.
void say_intake(const Intake& intake, const std::vector<std::filesystem::path>& inputs);
/// Prints what was imported and throws std::invalid_argument if a download holds nothing for its labs: the wrong file was
/// named, or the wrong labs.
void require_something_of_the_labs(const Intake& intake, const ClassGradeOptions& options);
/// Who is who, and what is older than what is there.
void say_imported(const Imported& imported);

}  // namespace labkit::course
