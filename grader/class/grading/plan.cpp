#include "class/grading/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "report/json.h"

namespace labkit::course {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GradingEnvironment, kit, check_sha256, device, profile,
                                   measurement, scoring, clock)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Task, lab, source_sha256, submissions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, format, shards, seed, labs, tasks)

namespace {

namespace fs = std::filesystem;

constexpr const char *kPlanFile = "plan.json", *kPrefix = "plan-";

Plan read_plan(const fs::path& file) {
  try {
    Plan plan = nlohmann::json::parse(read_file(file));
    if (plan.format != Plan::kFormat)
      throw Error(file.string() + " is of another version of the kit",
                  "Use the kit that planned it.");
    return plan;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is no plan: {}", file.string(), error.what()),
                fmt::format("Plan again with `{} class plan`.", command_name()));
  }
}

/// The oldest first.
std::vector<fs::path> folders_with(const std::string& prefix, const fs::path& out) {
  std::vector<fs::path> folders;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(out, none))
    if (entry.path().filename().string().starts_with(prefix) && entry.is_directory(none))
      folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// What is made or taken away has a dot before its name, so that no reader finds half of it.
fs::path hidden(const fs::path& folder) {
  return folder.parent_path() / ("." + folder.filename().string());
}

/// What a process that was killed, or a file that a worker has open, left of it goes with the next plan.
void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::rename(folder, hidden(folder), error);
  if (error)
    throw Error(fmt::format("cannot remove the folder {}: {}", folder.string(), error.message()),
                "Remove it by hand: what it holds is in the gradebook.");
  fs::remove_all(hidden(folder), error);
}

/// No two are made in one nanosecond.
std::string folder_name() {
  return fmt::format("{}{}", kPrefix, std::chrono::system_clock::now().time_since_epoch().count());
}

/// Results in one transaction: each costs a wait for the disk.
constexpr std::size_t kBatch = 64;

class Merger {
 public:
  Merger(Gradebook& book, const PlanFolder& folder) : book_(book), folder_(folder) {}

  Merged run() {
    for (const Job& job : book_.to_do()) take(job);
    flush();
    for (const Task& task : folder_.plan().tasks)
      if (task.is_reference()) take_reference(task);
    return std::move(merged_);
  }

 private:
  void take(const Job& job) {
    const auto means = folder_.plan().labs.find(job.lab);
    if (means == folder_.plan().labs.end() || !is_planned(job, means->second)) {
      merged_.missing += 1;
      return;
    }
    if (auto result = result_of({job.lab, job.source_sha256})) {
      Outcome outcome;
      outcome.json = report::lab_json(*result);
      outcome.receipt = make_receipt(job, means->second, outcome.json);
      batch_.emplace_back(job.id, std::move(outcome));
      if (batch_.size() == kBatch) flush();
      merged_.taken += 1;
    } else if (const auto message =
                   folder_.get({job.lab, job.source_sha256}, PlanFolder::kFailed)) {
      book_.fail(job.id, *message);
      merged_.failed += 1;
    } else {
      merged_.missing += 1;
    }
  }

  bool is_planned(const Job& job, const GradingEnvironment& means) const {
    return job.kit == means.kit && job.lab_hash == means.measurement &&
           job.device == means.device && job.seed == folder_.plan().seed;
  }

  std::optional<grade::LabResult> result_of(const Task& task) {
    const auto text = folder_.get(task, PlanFolder::kDone);
    if (!text) return std::nullopt;
    try {
      return report::read_lab_json(*text, task.name());
    } catch (const Error& error) {
      folder_.drop_result(task);
      merged_.warnings.push_back(fmt::format("{}; it will be graded again", error.what()));
      return std::nullopt;
    }
  }

  void flush() {
    if (!batch_.empty()) book_.finish(batch_);
    batch_.clear();
  }

  /// One that does not pass means that no grade can be trusted.
  void take_reference(const Task& task) {
    if (const auto result = result_of(task)) {
      if (!result->verdict.passed())
        merged_.warnings.push_back(
            fmt::format("the kit's own solution of {} does not pass here: {}. See `{} grade {} "
                        "--solutions` before you trust these grades.",
                        task.lab, result->verdict.text(), command_name(), task.lab));
      book_.put_setting(kReferenceSetting + task.lab, report::lab_json(*result));
    } else if (const auto message = folder_.get(task, PlanFolder::kFailed)) {
      merged_.warnings.push_back(fmt::format(
          "the kit's own solution of {} comes to no verdict here: {}", task.lab, *message));
    } else {
      merged_.labs_missing += 1;
    }
  }

  Gradebook& book_;
  const PlanFolder& folder_;
  Merged merged_;
  std::vector<std::pair<std::int64_t, Outcome>> batch_;
};

}  // namespace

std::string Task::name() const {
  return fmt::format("{}-{}", lab, is_reference() ? "reference" : source_sha256);
}

Shard shard_from(const std::string& text) {
  Shard shard;
  int end = 0;
  if (std::sscanf(text.c_str(), "%9u/%9u%n", &shard.index, &shard.of, &end) != 2 ||
      text.c_str()[end] != '\0' || shard.index >= shard.of)
    throw UsageError(fmt::format("--shard: \"{}\" is no shard", text),
                     "Shards are counted from 0: 0/12 is the first of twelve, 11/12 the last.");
  return shard;
}

std::vector<Task> Plan::tasks_of(const Shard& shard) const {
  std::vector<Task> mine;
  for (std::size_t i = shard.index; i < tasks.size(); i += shard.of) mine.push_back(tasks[i]);
  return mine;
}

std::optional<PlanFolder> PlanFolder::find(const fs::path& out) {
  const std::vector<fs::path> folders = folders_with(kPrefix, out);
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    std::error_code none;
    if (fs::exists(*folder / kPlanFile, none))
      return PlanFolder(*folder, read_plan(*folder / kPlanFile));
  }
  return std::nullopt;
}

PlanFolder PlanFolder::create(const fs::path& out, Plan plan,
                              const std::function<std::string(const std::string&)>& source) {
  std::error_code error;
  for (const fs::path& left : folders_with(std::string(".") + kPrefix, out))
    fs::remove_all(left, error);
  const std::vector<fs::path> before = folders_with(kPrefix, out);
  const fs::path folder = out / folder_name(), draft = hidden(folder);
  const auto require = [&] {
    if (error)
      throw Error(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()),
                  "Free some disk space, or name another folder with --out.");
  };
  fs::create_directories(draft / "sources", error);
  if (!error) fs::create_directories(draft / "results", error);
  if (!error) fs::permissions(draft, fs::perms::owner_all, error);
  require();
  for (const Task& task : plan.tasks)
    if (!task.is_reference())
      write_file_atomically(draft / "sources" / (task.source_sha256 + ".cu"),
                            source(task.source_sha256));
  write_file_atomically(draft / kPlanFile, nlohmann::json(plan).dump(1) + "\n");
  fs::rename(draft, folder, error);
  require();
  for (const fs::path& old : before) remove_folder(old);
  return PlanFolder(folder, std::move(plan));
}

fs::path PlanFolder::place(const Task& task, std::string_view kind) const {
  return path_ / "results" / fmt::format("{}{}", task.name(), kind);
}

std::string PlanFolder::source(const Task& task) const {
  std::string text = read_file(path_ / "sources" / (task.source_sha256 + ".cu"));
  if (sha256_hex(text) != task.source_sha256)
    throw Error(fmt::format("{} is not as it was planned", task.source_sha256 + ".cu"),
                fmt::format("Plan again with `{} class plan`.", command_name()));
  return text;
}

void PlanFolder::put(const Task& task, std::string_view kind, const std::string& text) const {
  std::error_code none;
  if (!fs::exists(path_ / kPlanFile, none)) throw Stopped();
  write_file_atomically(place(task, kind), text);
  for (const std::string_view before : {kFailed, kSimulated, kDone}) {
    if (before == kind) break;
    fs::remove(place(task, before), none);
  }
}

std::optional<std::string> PlanFolder::get(const Task& task, std::string_view kind) const {
  std::error_code none;
  if (!fs::exists(place(task, kind), none)) return std::nullopt;
  return read_file(place(task, kind));
}

void PlanFolder::drop_result(const Task& task) const {
  std::error_code none;
  fs::remove(place(task, kDone), none);
}

PlanFolder::State PlanFolder::state() const {
  State state;
  const std::map<fs::path, std::set<std::string>*> by_extension = {
      {kDone, &state.done}, {kFailed, &state.failed}, {kSimulated, &state.simulated}};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(path_ / "results", none)) {
    const auto names = by_extension.find(entry.path().extension());
    if (names != by_extension.end()) names->second->insert(entry.path().stem().string());
  }
  std::erase_if(state.failed, [&](const std::string& name) { return state.done.contains(name); });
  std::erase_if(state.simulated, [&](const std::string& name) {
    return state.done.contains(name) || state.failed.contains(name);
  });
  return state;
}

void PlanFolder::remove() const { remove_folder(path_); }

Merged merge(Gradebook& book, const PlanFolder& folder) { return Merger(book, folder).run(); }

}  // namespace labkit::course
