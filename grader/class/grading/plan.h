// What is to be graded, as files that any number of processes and machines work on without asking one another:
//
//   DIR/plan-1795718730123456789/plan.json                never changed: the tasks, and under what they are graded
//                               sources/SHA256.cu
//                               results/TASK.json   of a task that has ended (format of report/json.h)
//                               results/TASK.simulated   right on the simulator, to be measured on the plan's GPU
//                               results/TASK.failed   why it came to no verdict, by our fault
//
// `class plan` makes the folder, `class work` fills in results, `class merge` takes them into the gradebook and removes
// the folder when none is missing. A class has one plan at a time. A task is one source of one lab, however many
// students handed it in, and knows none of them. A result is written under another name and renamed, so whoever
// lists the folder sees whole results only, and whatever ends a process costs at most the tasks that it was at.
//
// The folder holds sources and the class's seed: it is readable by its owner alone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "class/grading/receipt.h"

namespace labkit::course {

struct Task {
  std::string lab;
  std::string source_sha256;    ///< "": the lab's own reference solution, for pages to show beside
  std::size_t submissions = 0;  ///< that it decides; 0 of a reference solution
  bool is_reference() const { return source_sha256.empty(); }
  /// "lab3-SHA256", "lab3-reference"
  std::string name() const;
};

/// Every `of`-th task, beginning with the one of number `index`: engines count shards from 0.
struct Shard {
  unsigned index = 0, of = 1;
};
/// Of "3/12". Throws UsageError.
Shard shard_from(const std::string& text);

struct Plan {
  static constexpr int kFormat = 1;
  int format = kFormat;
  unsigned shards = 1;  ///< that it is meant for; any other number works as well
  std::uint64_t seed = 0;
  std::map<std::string, GradingEnvironment> labs;
  std::vector<Task> tasks;
  std::vector<Task> tasks_of(const Shard& shard) const;
  /// "sim", or the name of a GPU: one for all labs.
  const std::string& device() const { return labs.begin()->second.device; }
};

class PlanFolder {
 public:
  /// That of the class in `out`; nullopt if it has none. Throws labkit::Error if it cannot be read, or is of another
  /// version of the kit.
  static std::optional<PlanFolder> find(const std::filesystem::path& out);
  /// In the place of any other, under a name that none had before: a worker of that one notices. `source` gives the bytes of a hash. Throws labkit::Error if it cannot be written.
  static PlanFolder create(const std::filesystem::path& out, Plan plan,
                           const std::function<std::string(const std::string& sha256)>& source);

  const std::filesystem::path& path() const { return path_; }
  const Plan& plan() const { return plan_; }

  /// Throws labkit::Error if it is not there as it was planned.
  std::string source(const Task& task) const;
  /// How a task ended: with a result, with why it came to none, or to wait for a worker that has the GPU.
  static constexpr std::string_view kDone = ".json", kFailed = ".failed", kSimulated = ".simulated";
  /// Keeps it in one step, in the place of what is less. Throws Stopped if the plan is over (merged, or replaced by another),
  /// and labkit::Error if it cannot be written.
  void put(const Task& task, std::string_view kind, const std::string& text) const;
  /// nullopt if there is none.
  std::optional<std::string> get(const Task& task, std::string_view kind) const;
  /// So that it is graded again.
  void drop_result(const Task& task) const;

  /// From one listing of results/.
  struct State {
    std::set<std::string> done, failed, simulated;  ///< Task::name(), each in one at most
    bool is_open(const Task& task) const { return !done.contains(task.name()); }
    bool waits_for_gpu(const Task& task) const { return simulated.contains(task.name()); }
  };
  State state() const;

  /// The plan is over. Throws labkit::Error if it cannot be taken away.
  void remove() const;

 private:
  PlanFolder(std::filesystem::path path, Plan plan)
      : path_(std::move(path)), plan_(std::move(plan)) {}
  std::filesystem::path place(const Task& task, std::string_view kind) const;

  std::filesystem::path path_;
  Plan plan_;
};

struct Merged {
  std::size_t taken = 0, failed = 0, missing = 0;  ///< submissions
  std::vector<std::string>
      warnings;                  ///< about the kit's own solutions and results that cannot be read
  std::size_t labs_missing = 0;  ///< reference solutions without a result
  bool is_whole() const { return failed + missing + labs_missing == 0; }
};

/// Takes what there is, also while results are missing; what was taken before is not taken again. Holds few results at a
/// time, however many there are. A result that cannot be read is dropped, and missing. Throws labkit::Error.
Merged merge(Gradebook& book, const PlanFolder& folder);

}  // namespace labkit::course
