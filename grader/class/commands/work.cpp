// `labkit class work`: grades one shard of a plan. It asks no gradebook, and may run on any number of machines at once.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/command_text.h"
#include "base/error.h"
#include "class/commands/class.h"
#include "class/grading/job.h"
#include "cli/stop.h"
#include "compile/compile.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// More would only wait for the GPU, which one at a time has.
constexpr unsigned kJobsWithGpu = 8;

/// That this process may use: a scheduler gives it some of the machine's.
unsigned cores() {
  cpu_set_t mine;
  if (::sched_getaffinity(0, sizeof mine, &mine) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&mine)));
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned jobs_for(unsigned wanted, const std::string& device, std::size_t tasks) {
  unsigned jobs = wanted ? wanted : cores();
  if (!wanted && device != "sim") jobs = std::min(jobs, kJobsWithGpu);
  return static_cast<unsigned>(std::min<std::size_t>(jobs, std::max<std::size_t>(1, tasks)));
}

std::vector<grade::Manifest> labs_of(const std::vector<Task>& tasks) {
  std::set<std::string> named;
  for (const Task& task : tasks) named.insert(task.lab);
  return cli::select_labs({named.begin(), named.end()});
}

void require_planned(const Plan& plan, const std::map<std::string, GradingEnvironment>& here,
                     bool is_without_gpu) {
  for (const auto& [lab, means] : here) {
    GradingEnvironment planned = plan.labs.at(lab);
    if (is_without_gpu) planned.device = means.device;
    if (means != planned)
      throw Error(fmt::format("{} is not graded here as it was planned: this is another kit, build "
                              "or device",
                              lab),
                  fmt::format("Use the kit that planned it, or plan again with `{} class plan`.",
                              command_name()));
  }
}

/// What the compiler's jail lacks on this machine is reported once.
void look_at_jail() {
  const process::JailState jail = compile::find_compiler().jail();
  if (!jail.whole())
    say(fmt::format("Note: the jail for the compiler is incomplete here: {} ({}).",
                    process::text_of(jail), jail.problem));
}

RunResult run_with_progress(const PlanFolder& folder, const std::vector<Task>& tasks,
                            const JobGrader& grader, unsigned jobs, const WorkOptions& options,
                            bool is_without_gpu) {
  std::size_t total = 0;
  for (const Task& task : tasks) total += task.submissions;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  double next = 1;  // line, ever more seldom
  std::atomic<std::size_t> done{0}, graded{0};
  RunnerCalls calls;
  calls.grade = [&](const Task& task) {
    return grader.grade(task.lab, folder.plan().seed,
                        task.is_reference() ? std::nullopt : std::optional(folder.source(task)));
  };
  calls.check_machine = [&] { grader.check_machine(); };
  calls.graded = [&](const Task& task, const std::string& result) {
    done += task.submissions;
    if (is_without_gpu && can_be_measured(result))
      return folder.put(task, PlanFolder::kSimulated, "");
    folder.put(task, PlanFolder::kDone, result);
    graded += task.submissions;
  };
  calls.no_verdict = [&](const Task& task, const std::string& message, bool is_last) {
    if (is_last) folder.put(task, PlanFolder::kFailed, message);
    if (is_last) done += task.submissions;
    say(fmt::format("{}: no verdict{}: {}", options.called(task),
                    is_last ? ", not graded" : ", will be tried again", message));
  };
  calls.tick = [&] {
    if (seconds() < next) return;
    next = seconds() + std::clamp(seconds(), 15.0, 300.0);
    say("graded " + progress_text(done, total, seconds()));
  };
  const RunResult result = run_tasks(tasks, jobs, calls, cli::stop_flag());
  if (graded > 0) say(fmt::format("Graded {} in {}.", graded.load(), duration_text(seconds())));
  return result;
}

struct ShardOptions {
  fs::path folder;
  std::string shard = "0/1";
  unsigned jobs = 0;
  cli::DeviceChoice device;
};

int run_class_work(const ShardOptions& options) {
  const Shard shard = shard_from(options.shard);
  const std::optional<PlanFolder> folder = find_plan(options.folder);
  if (!folder) return kExitOk;
  const cli::StopOnSignals signals;
  const std::vector<Task> tasks = folder->plan().tasks_of(shard);
  const RunResult worked =
      work_on(*folder, tasks, {.jobs = options.jobs, .device = options.device});
  if (worked.stopped && !cli::stop_flag()) {
    say("Nothing more to do: this plan was merged, or there is a newer one.");
    return kExitOk;
  }
  const PlanFolder::State state = folder->state();
  std::size_t done = 0, waiting = 0;
  for (const Task& task : tasks) {
    done += !state.is_open(task);
    waiting += state.waits_for_gpu(task);
  }
  say(fmt::format(
      "Shard {}: {} of {} done{}.", options.shard, done, counted(tasks.size(), "grading"),
      waiting ? fmt::format(", {} to be measured on {}", waiting, folder->plan().device()) : ""));
  if (worked.stopped) return kExitStopped;
  return worked.failed > 0 ? kExitOurError : kExitOk;
}

}  // namespace

RunResult work_on(const PlanFolder& folder, const std::vector<Task>& all,
                  const WorkOptions& options) {
  const Plan& plan = folder.plan();
  const PlanFolder::State state = folder.state();
  cli::DeviceChoice choice = options.device;
  if (plan.device() == "sim") choice.device = "sim";
  const std::string device = device_name(choice);
  const bool is_without_gpu = device == "sim" && plan.device() != "sim";
  std::vector<Task> tasks;
  std::size_t submissions = 0;
  for (const Task& task : all)
    if (state.is_open(task) && !(is_without_gpu && state.waits_for_gpu(task))) {
      tasks.push_back(task);
      submissions += task.submissions;
    }
  if (tasks.empty()) return {};
  const unsigned jobs = jobs_for(options.jobs, device, tasks.size());
  say(fmt::format("Grading {} on {}, {} at a time.", counted(submissions, "submission"),
                  device_words(device), jobs));
  if (is_without_gpu)
    say(fmt::format("What is right here waits for a worker with {}.", plan.device()));
  const WorkFolder scratch;
  const JobGrader grader(labs_of(tasks), choice, device, scratch.path(), &cli::stop_flag());
  require_planned(plan, grader.means(), is_without_gpu);
  look_at_jail();
  return run_with_progress(folder, tasks, grader, jobs, options, is_without_gpu);
}

std::optional<PlanFolder> find_plan(const fs::path& folder) {
  auto plan = PlanFolder::find(folder);
  if (!plan && Gradebook::is_blank(gradebook_file(folder)))
    throw UsageError(fmt::format("{} has no plan", folder.string()),
                     fmt::format("Make one first: {} class plan INPUT --out {}", command_name(),
                                 shell_word(folder.string())));
  if (!plan) say("Nothing to do: all that was planned is merged.");
  return plan;
}

void add_work_options(cli::Command command, unsigned& jobs) {
  command.option("--jobs", jobs, "submissions graded at once; 0: one per core").range(0, 1024);
}

void add_class_work(cli::Command parent) {
  const auto options = std::make_shared<ShardOptions>();
  cli::Command command =
      parent.subcommand("work", "grade one shard of a plan; many may run at once");
  command.run([options] { return run_class_work(*options); });
  add_folder(command, options->folder);
  command.option("--shard", options->shard,
                 "which part: 0/12 is the first of twelve; default: all that is left");
  add_work_options(command, options->jobs);
  cli::add_device_options(command, options->device);
}

}  // namespace labkit::course
