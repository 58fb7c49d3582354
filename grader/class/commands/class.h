// `labkit class ...`: a whole class's submissions. What its commands share, and the steps of `class grade`, each a command of its
// own too: import and plan, work, merge.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/grading/plan.h"
#include "class/grading/runner.h"
#include "class/intake/intake.h"
#include "class/policy/policy.h"
#include "class/publish/publish.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "grade/manifest.h"

namespace labkit::course {

/// Stopped by Ctrl-C or SIGTERM, with everything kept: the exit code that shells use.
inline constexpr int kExitStopped = 130;

void add_class_commands(cli::Command labkit);

// Each adds its subcommands, and is in <command>.cpp.
void add_class_grade(cli::Command parent);
void add_class_plan(cli::Command parent);
void add_class_work(cli::Command parent);
void add_class_merge(cli::Command parent);
void add_class_submit(cli::Command parent);
void add_class_status(cli::Command parent);
void add_class_replay(cli::Command parent);
void add_class_reports(cli::Command parent);  ///< report, undo, rescore, policy
void add_class_set(cli::Command parent);

std::filesystem::path gradebook_file(const std::filesystem::path& folder);
void add_folder(cli::Command command, std::filesystem::path& folder);
/// The plan of the class in `folder`. nullopt, and says so, if there is nothing left of it to do. Throws UsageError if there is
/// no class.
std::optional<PlanFolder> find_plan(const std::filesystem::path& folder);
/// That are not done, of so many. `is_first`: of two steps, the one in which no GPU is needed.
std::vector<unsigned> open_shards(const PlanFolder& folder, unsigned shards, bool is_first);
void add_publish_options(cli::Command command, PublishOptions& options);
/// Prints a line to stdout: names and paths cannot do anything to a terminal, and on one the line wraps at its width.
void say(const std::string& line);
inline constexpr std::size_t kScreenful = 20;
/// `title`, then a line each, indented, `most` at most; nothing if there are none.
void say_list(const std::string& title, const std::vector<std::string>& lines,
              std::size_t most = SIZE_MAX);

/// A line a lab: submitted, then how many stand where; a column that holds nothing is left out.
std::string class_table(const std::vector<Grade>& grades);

/// "agarcia (Ana); bli (Bo) and 3 more", and where to find those: who of the class submitted nothing at all, nor anything that could not be read;
/// "" if nobody.
std::string missing_text(const std::vector<Student>& students, const std::vector<Entry>& entries,
                         std::size_t most = 12);

/// What came to no verdict by our fault, with what happened, by reason: the most frequent first.
std::vector<std::string> trouble_lines(
    const std::map<std::string, std::vector<std::string>>& by_reason);
std::vector<std::string> trouble_lines(const std::vector<Entry>& entries);

/// "the simulator", or the GPU's name; `device` is "sim" or that.
std::string device_words(const std::string& device);

/// Where a teacher looks next, a line each: what is to review and alike, grades.csv, the upload of each LMS, the pages.
std::string outputs_text(const Published& published, const std::filesystem::path& folder);

/// How many of how many, how fast, how long still. `seconds`: since `done` was 0.
std::string progress_text(std::size_t done, std::size_t total, double seconds);
/// Where a class stands: a line a lab, who submitted nothing, what came to no verdict.
void say_class(const Gradebook& book);
/// "4 grades and 36 totals change", with `how` after it (" by this import"), and each grade as "alice lab3: 75 -> 100".
void say_changes(const Changes& changes, const std::string& how);
/// Asked on a terminal; elsewhere nobody can answer.
bool is_agreed(const char* question);
/// publish() into `folder`, and prints what was written and kept, then outputs_text().
void publish_class(Gradebook& book, const PublishOptions& options,
                   const std::filesystem::path& folder);

// Settings in a gradebook; publish() has its own.
inline constexpr const char* kDeviceSetting = "device";  ///< "sim", or a GPU's name
inline constexpr const char* kSeedSetting = "seed";      ///< decimal
inline constexpr const char* kRosterSetting = "roster";  ///< kept_file()
inline constexpr const char* kUnshownSetting =
    "unshown";  ///< "1": nothing was published since the last import

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
  bool yes = false;                   ///< apply what changes grades that there are
  bool is_planned_only = false;       ///< graded elsewhere
  PublishOptions publish;

  bool is_device_given() const { return device.device != "auto"; }
};

/// A class's gradebook, locked, and what it is to be given. What the inputs mean depends on what the gradebook knows: it is
/// locked before they are read. Throws UsageError with the line to type where they cannot be graded as they are.
struct OpenClass {
  explicit OpenClass(const ClassGradeOptions& options);
  const ClassGradeOptions& options;
  std::vector<grade::Manifest> labs;  ///< all of the kit
  Gradebook book;
  GradingLock lock;
  KeptFile roster;
  Intake intake;
};

/// Keeps them as an import that waits if it changes grades, and says what came.
void take_imports(OpenClass& open);
void add_import_options(cli::Command command, ClassGradeOptions& options);

struct Planned {
  std::optional<PlanFolder> folder;  ///< nullopt: nothing is to do
  std::size_t to_do = 0;             ///< submissions
  std::string device;                ///< "sim", or a GPU's name
  cli::DeviceChoice choice;          ///< that means it
};
/// Results of the plan before are taken in first.
Planned plan_class(OpenClass& open);

struct WorkOptions {
  unsigned jobs = 0;  ///< at once; 0: one a core
  cli::DeviceChoice device = {};
  /// Whose a task is, to be told; a worker of a cluster knows none.
  std::function<std::string(const Task&)> called = &Task::name;
};
/// Grades `tasks` of the plan, as far as they have no result, and says so. Without the GPU that a plan is for it does what needs none: what
/// the simulator finds wrong has its result, the others wait for a worker with the GPU. Throws labkit::Error if this is not the kit and device that
/// it was planned for, if the machine cannot grade, or if results cannot be written.
RunResult work_on(const PlanFolder& folder, const std::vector<Task>& tasks,
                  const WorkOptions& options);

void add_work_options(cli::Command command, unsigned& jobs);

/// What there is; warnings are printed.
Merged take_results(Gradebook& book, const PlanFolder& folder);

/// Takes in the results of the class's plan, applies the import if nothing is missing and nobody minds, and writes all
/// outputs. `yes`: also if it changes grades; `ends_plan`: also where something came to no verdict. The exit code:
/// kExitOurError if something was not graded.
int finish_class(Gradebook& book, const std::filesystem::path& out, bool yes, bool ends_plan);

}  // namespace labkit::course
