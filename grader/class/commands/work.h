// What `class grade` and `class work` share: tasks of a plan, done by several threads, each result in its file at once.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "class/grading/plan.h"
#include "class/grading/runner.h"
#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace labkit::course {

struct WorkOptions {
  unsigned jobs = 0;  ///< at once; 0: one a core
  cli::DeviceChoice device = {};
  std::size_t graded_before = 0;  ///< submissions, to be told
  /// Whose a task is, to be told; a worker of a cluster knows none.
  std::function<std::string(const Task&)> called = &Task::name;
};
struct Worked {
  RunResult result;
  std::size_t submissions = 0;  ///< that were graded now
  double seconds = 0;
};
/// Grades `tasks` of the plan, as far as they have no result. Without the GPU that a plan is for it does what needs none: what
/// the simulator finds wrong has its result, the others wait for a worker with the GPU. Throws labkit::Error if this is not the kit and device that
/// it was planned for, if the machine cannot grade, or if results cannot be written.
Worked work_on(const PlanFolder& folder, const std::vector<Task>& tasks,
               const WorkOptions& options);

void add_work_options(CLI::App& command, unsigned& jobs);

}  // namespace labkit::course
