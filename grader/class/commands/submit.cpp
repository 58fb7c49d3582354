// `labkit class submit`: the shards of a plan to a cluster. Slurm is asked directly; for other engines it says what to
// run. All of them run one script, work.sh, which finds its shard's number where the engine puts it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "base/command_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/grading/plan.h"
#include "process/process.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// A GPU partition is small, and one at a time measures on a GPU.
constexpr unsigned kMostGpuShards = 4;

struct SubmitOptions {
  fs::path folder;
  bool slurm = false;
  std::string gpu_partition;
  std::vector<std::string> site;  ///< for sbatch, as they were typed
};

/// Where to run what, with absolute paths: a node has another working directory.
struct Batch {
  fs::path out, plan, logs;
  unsigned shards = 1;         ///< of which
  std::vector<unsigned> open;  ///< these are not done
  std::string device;
  std::string gpu_partition = {};  ///< with it `open` are worked on without a GPU; then
  unsigned gpu_shards = 1;         ///< of which
  std::vector<unsigned> gpu_open = {};

  std::string script(const char* name) const { return (plan / name).string(); }
};

/// The program as it was called here: a node finds it at the same place, and asks for nothing to be built.
std::string script_text(const std::string& words) {
  std::string text = "#!/bin/sh\n# Written by `labkit class submit`.\n";
  for (const std::string& variable : process::whole_environment())
    if (variable.starts_with("LABKIT_"))
      text += fmt::format("export {}={}\n", variable.substr(0, variable.find('=')),
                          shell_word(variable.substr(variable.find('=') + 1)));
  return text + fmt::format("exec {} class {}\n", shell_word(process::own_executable()), words);
}

void write_scripts(const Batch& batch) {
  const std::string out = shell_word(batch.out.string());
  // The number is an argument, or in what Slurm, Kubernetes and PBS call it.
  const std::string index =
      "${1:-${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:-$PBS_ARRAY_INDEX}}}";
  const auto write_worker = [&](const char* name, unsigned shards, const char* device) {
    write_file_atomically(batch.script(name),
                          script_text(fmt::format("work {} --shard \"{}/{}\" --jobs "
                                                  "\"${{SLURM_CPUS_PER_TASK:-1}}\"{}",
                                                  out, index, shards, device)));
  };
  const bool has_gpu_later = !batch.gpu_partition.empty();
  write_worker("work.sh", batch.shards, has_gpu_later ? " --device sim" : "");
  if (has_gpu_later) write_worker("measure.sh", batch.gpu_shards, " --device cuda");
  write_file_atomically(batch.script("merge.sh"), script_text(fmt::format("merge {}", out)));
}

process::Result run_program(std::vector<std::string> words) {
  words.insert(words.begin(), "/usr/bin/env");
  process::Command command;
  command.argv = std::move(words);
  command.environment = process::whole_environment();
  const process::Result result = process::run(command);
  if (result.exit_code == 127)
    throw UsageError(fmt::format("there is no {} on this machine", command.argv[1]),
                     "Run it where Slurm's jobs are submitted from, or leave --slurm out for "
                     "other engines.");
  return result;
}

std::string output_of(const std::vector<std::string>& words) {
  const process::Result result = run_program(words);
  if (!result.ok())
    throw Error(fmt::format("{}: {}", words.front(), trim(result.err)),
                "See what Slurm says above; options after --slurm go to sbatch as they are.");
  return result.out;
}

/// Slurm takes array indices below it.
unsigned max_array_size() {
  static const std::regex form("MaxArraySize *= *([1-9][0-9]*)");
  const std::string config = output_of({"scontrol", "show", "config"});
  std::smatch found;
  constexpr unsigned kSlurms = 1001;
  return std::regex_search(config, found, form) ? static_cast<unsigned>(std::stoul(found[1].str()))
                                                : kSlurms;
}

/// The job's number. What the site says of GPUs is for jobs that need one.
std::string sbatch(const Batch& batch, const std::vector<std::string>& site, bool needs_gpu,
                   const std::vector<std::string>& own, const std::string& script) {
  std::vector<std::string> words = {"sbatch", "--parsable", "--open-mode=append",
                                    // the site's own word, behind these, beats them
                                    "--time=60", "--mem=2G", "--cpus-per-task=1"};
  if (needs_gpu) words.emplace_back("--gres=gpu:1");
  for (const std::string& word : site)
    if (needs_gpu || (!word.starts_with("--gres=") && !word.starts_with("--gpus=")))
      words.push_back(word);
  words.insert(words.end(), own.begin(), own.end());
  words.push_back(batch.script(script.c_str()));
  const std::string said = output_of(words);
  return std::string(trim(said.substr(0, said.find(';'))));  // "123;cluster"
}

/// Shards that run already need not run twice.
void refuse_while_at_work(const fs::path& kept) {
  std::error_code none;
  if (!fs::exists(kept, none)) return;
  std::istringstream jobs(read_file(kept));
  for (std::string job; jobs >> job;) {
    const auto queue = run_program({"squeue", "--noheader", "--jobs=" + job});
    if (queue.ok() && !trim(queue.out).empty())  // it fails for a job that it forgot
      throw UsageError(fmt::format("job {} is still at work on this plan", job),
                       fmt::format("Wait for it, or end it first: scancel {}", job));
  }
}

int submit_to_slurm(const Batch& batch, const std::vector<std::string>& site) {
  const fs::path kept = batch.plan / "slurm.job";
  refuse_while_at_work(kept);
  const std::string name = "labkit-" + batch.out.filename().string();
  std::vector<std::string> jobs;  // each after the one before
  const auto add = [&](const char* script, std::vector<std::string> own, bool needs_gpu) {
    if (!jobs.empty()) own.push_back("--dependency=afterany:" + jobs.back());
    jobs.push_back(sbatch(batch, site, needs_gpu, own, script));
    write_file_atomically(kept, fmt::format("{}\n", fmt::join(jobs, " ")));
  };
  const auto add_shards = [&](const char* script, const char* suffix,
                              const std::vector<unsigned>& shards, bool needs_gpu) {
    std::vector<std::string> own = {"--job-name=" + name + suffix, "--array=" + ranges_text(shards),
                                    "--requeue", "--signal=B:TERM@60",
                                    "--output=" + (batch.logs / "slurm-%A_%a.out").string()};
    if (needs_gpu && !batch.gpu_partition.empty())
      own.push_back("--partition=" + batch.gpu_partition);
    add(script, std::move(own), needs_gpu);
    say(fmt::format("Submitted job {}: {}{}.", jobs.back(), counted(shards.size(), "shard"),
                    needs_gpu ? " on " + batch.device : ""));
  };
  const bool has_gpu_later = !batch.gpu_partition.empty();
  if (!batch.open.empty())
    add_shards("work.sh", "", batch.open, batch.device != "sim" && !has_gpu_later);
  if (has_gpu_later) add_shards("measure.sh", "-gpu", batch.gpu_open, true);
  add("merge.sh",
      {"--job-name=" + name + "-merge", "--output=" + (batch.logs / "slurm-%j.out").string()},
      false);
  say(fmt::format("Submitted job {}, which merges them at the end.", jobs.back()));
  say(fmt::format("To watch them:  {} class status {}", command_name(),
                  shell_word(batch.out.string())));
  say(fmt::format("                squeue --jobs {}", fmt::join(jobs, ",")));
  say(fmt::format("What they say:  {}", (batch.logs / "slurm-*.out").string()));
  say("If a shard fails, the same command submits again what is missing, and nothing else.");
  return kExitOk;
}

int say_other_engines(const Batch& batch) {
  say("GNU parallel, on this machine (with --sshlogin on others):");
  say(fmt::format("  parallel sh {} ::: {}", shell_word(batch.script("work.sh")),
                  ranges_text(batch.open, "{{{}..{}}}", " ")));
  say(fmt::format("Any other: sh {} SHARD, for each of {}", batch.script("work.sh"),
                  ranges_text(batch.open)));
  say("For Kubernetes and HTCondor, the kit's docker/kubernetes.yaml and docker/htcondor.sub do "
      "so.");
  const std::string out = shell_word(batch.out.string());
  say(fmt::format("Then:  {} class merge {}", command_name(), out));
  return kExitOk;
}

int run_submit(const SubmitOptions& options) {
  if (!options.slurm && !options.site.empty())
    throw UsageError(fmt::format("class submit: unknown: {}", fmt::join(options.site, " ")),
                     "Options for sbatch need --slurm.");
  if (!options.slurm && !options.gpu_partition.empty())
    throw UsageError("class submit: --gpu-partition needs --slurm", "Add --slurm.");
  const auto folder = find_plan(options.folder);
  if (!folder) return kExitOk;
  Batch batch;
  batch.out = fs::canonical(options.folder);
  batch.plan = fs::canonical(folder->path());
  batch.logs = batch.out / "logs";
  batch.shards = folder->plan().shards;
  batch.device = folder->plan().device();
  batch.gpu_partition = options.gpu_partition;
  if (batch.device == "sim" && !batch.gpu_partition.empty())
    throw UsageError("this plan is for the simulator: nothing of it needs a GPU",
                     fmt::format("Plan again where the GPU is: srun --partition={} --gres=gpu:1 {} "
                                 "class plan INPUT --out {} --device cuda",
                                 shell_word(batch.gpu_partition), command_name(),
                                 shell_word(options.folder.string())));
  if (options.slurm) batch.shards = std::min(batch.shards, max_array_size());
  batch.open = open_shards(*folder, batch.shards, !batch.gpu_partition.empty());
  batch.gpu_shards = std::min(batch.shards, kMostGpuShards);
  batch.gpu_open = open_shards(*folder, batch.gpu_shards, false);
  if (batch.gpu_open.empty()) {
    say(fmt::format("Nothing is missing. To take the results in: {} class merge {}", command_name(),
                    shell_word(options.folder.string())));
    return kExitOk;
  }
  std::error_code error;
  fs::create_directories(batch.logs, error);
  if (error)
    throw Error(fmt::format("cannot make the folder {}: {}", batch.logs.string(), error.message()));
  write_scripts(batch);
  return options.slurm ? submit_to_slurm(batch, options.site) : say_other_engines(batch);
}

}  // namespace

std::vector<unsigned> open_shards(const PlanFolder& folder, unsigned shards, bool is_first) {
  const PlanFolder::State state = folder.state();
  const std::vector<Task>& tasks = folder.plan().tasks;
  std::set<unsigned> open;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (state.is_open(tasks[i]) && !(is_first && state.waits_for_gpu(tasks[i])))
      open.insert(static_cast<unsigned>(i % shards));
  return {open.begin(), open.end()};
}

void add_class_submit(cli::Command parent) {
  const auto options = std::make_shared<SubmitOptions>();
  cli::Command command = parent.subcommand("submit", "the shards of a plan to a cluster");
  command.run([options] { return run_submit(*options); });
  add_folder(command, options->folder);
  command.flag("--slurm", options->slurm,
               "submit to Slurm now; what follows DIR and is not known here goes to sbatch as "
               "it is: --partition=P --account=A --time=30");
  command.option("--gpu-partition", options->gpu_partition,
                 "of a plan for a GPU: grade on the simulator first, without a GPU, and measure "
                 "what is right there in this partition");
  CLI::App& app = command;
  app.allow_extras();
  app.parse_complete_callback([&app, options] { options->site = app.remaining(); });
}

}  // namespace labkit::course
