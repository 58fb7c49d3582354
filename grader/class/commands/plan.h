// What `class grade` and `class plan` share: submissions into the gradebook, and what is to be graded of them into a plan.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "class/commands/class.h"
#include "class/commands/input.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/plan.h"
#include "cli/command_line.h"

namespace labkit::course {

/// What a class's gradebook is given.
struct Imports {
  KeptFile roster;
  Intake intake;
};
/// A class's gradebook, locked, and what it is to be given. What the inputs mean depends on what the gradebook knows: it is
/// locked before they are read. A class's first inputs are read before its folder is made, so that inputs refused leave
/// nothing behind. Throws UsageError with the line to type where they cannot be graded as they are.
class OpenClass {
 public:
  OpenClass(const ClassGradeOptions& options, const std::vector<grade::Manifest>& all);

 private:
  std::optional<GradingLock> lock_;

 public:
  Imports imports;
  Gradebook book;
};

struct Planned {
  std::optional<PlanFolder> folder;          ///< nullopt: nothing is to do
  std::size_t to_do = 0, graded_before = 0;  ///< submissions
  std::string device;                        ///< "sim", or a GPU's name
  cli::DeviceChoice choice;                  ///< that means it
};
/// Results of the plan before are taken in first. To be called by whoever has the class's GradingLock.
Planned plan_class(const ClassGradeOptions& options, const std::vector<grade::Manifest>& all,
                   Gradebook& book, Imports imports);

/// INPUT, --out and what else says what is imported, and on what it is graded.
void add_import_options(CLI::App& command, ClassGradeOptions& options);

}  // namespace labkit::course
