// `labkit class submit`: the shards of a plan to a cluster. Slurm is asked directly; for other engines it writes what they
// take. All of them run one script, work.sh, which finds its shard's number where the engine puts it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/commands/words.h"
#include "class/grading/plan.h"
#include "process/process.h"
#include "report/style.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  fs::path folder;
  bool slurm = false;
  std::vector<std::string> site;  ///< for sbatch, as they were typed
};

/// Where to run what, with absolute paths: a node has another working directory.
struct Batch {
  fs::path out, plan, logs;
  unsigned shards = 1;         ///< of which
  std::vector<unsigned> open;  ///< these are not done
  std::string device;

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
  write_file_atomically(batch.script("work.sh"),
                        script_text(fmt::format("work {} --shard \"{}/{}\" --jobs "
                                                "\"${{SLURM_CPUS_PER_TASK:-1}}\"",
                                                out, index, batch.shards)));
  write_file_atomically(batch.script("merge.sh"), script_text(fmt::format("merge {}", out)));
}

std::vector<unsigned> open_shards(const PlanFolder& folder, unsigned shards) {
  const PlanFolder::State state = folder.state();
  const std::vector<Task>& tasks = folder.plan().tasks;
  std::vector<bool> is_open(shards);
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (state.is_open(tasks[i])) is_open[i % shards] = true;
  std::vector<unsigned> open;
  for (unsigned i = 0; i < shards; ++i)
    if (is_open[i]) open.push_back(i);
  return open;
}

// ---- Slurm

fs::path program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
  throw UsageError(fmt::format("there is no {} on this machine", name),
                   "Run it where Slurm's jobs are submitted from, or leave --slurm out for other "
                   "engines.");
}

std::string run_program(std::vector<std::string> words) {
  words.front() = program(words.front()).string();
  process::Command command;
  command.argv = std::move(words);
  command.environment = process::whole_environment();
  const process::Result result = process::run(command);
  if (!result.ok())
    throw Error(fmt::format("{} {}: {}", command.argv.front(),
                            process::describe(result, command.limits), trim(result.err)),
                "See what Slurm says above; options after --slurm go to sbatch as they are.");
  return result.out;
}

/// Slurm takes array indices below it.
unsigned max_array_size() {
  std::istringstream config(run_program({"scontrol", "show", "config"}));
  for (std::string line; std::getline(config, line);) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos && trim(line.substr(0, equals)) == "MaxArraySize")
      return static_cast<unsigned>(
          std::max(1L, std::strtol(line.c_str() + equals + 1, nullptr, 10)));
  }
  return 1001;  // Slurm's default
}

/// The job's number.
std::string sbatch(const Batch& batch, const std::vector<std::string>& site,
                   std::vector<std::string> own, const std::string& script) {
  std::vector<std::string> words = {"sbatch", "--parsable", "--open-mode=append",
                                    // the site's own word, behind these, beats them
                                    "--time=60", "--mem=2G", "--cpus-per-task=1"};
  if (batch.device != "sim") words.emplace_back("--gres=gpu:1");
  words.insert(words.end(), site.begin(), site.end());
  words.insert(words.end(), own.begin(), own.end());
  words.push_back(batch.script(script.c_str()));
  const std::string said = run_program(std::move(words));
  return std::string(trim(said.substr(0, said.find(';'))));  // "123;cluster"
}

/// Shards that run already need not run twice.
void refuse_while_at_work(const fs::path& kept) {
  std::error_code none;
  if (!fs::exists(kept, none)) return;
  const std::string job(trim(read_file(kept)));
  process::Command command;
  command.argv = {program("squeue").string(), "--noheader", "--jobs=" + job};
  command.environment = process::whole_environment();
  const process::Result result = process::run(command);  // fails for a job that it forgot
  if (result.ok() && !trim(result.out).empty())
    throw UsageError(fmt::format("job {} is still at work on this plan", job),
                     fmt::format("Wait for it, or end it first: scancel {}", job));
}

int submit_to_slurm(const Batch& batch, const std::vector<std::string>& site) {
  const fs::path kept = batch.plan / "slurm.job";
  refuse_while_at_work(kept);
  const std::string name = "labkit-" + batch.out.filename().string();
  const std::string work =
      sbatch(batch, site,
             {"--job-name=" + name, "--array=" + ranges_text(batch.open), "--requeue",
              "--signal=B:TERM@60", "--output=" + (batch.logs / "slurm-%A_%a.out").string()},
             "work.sh");
  write_file_atomically(kept, work + "\n");
  const std::string merge =
      sbatch(batch, site,
             {"--job-name=" + name + "-merge", "--dependency=afterany:" + work,
              "--output=" + (batch.logs / "slurm-%j.out").string()},
             "merge.sh");
  const std::string out = shell_word(batch.out.string());
  say(fmt::format("Submitted job {}: {} of {}, and job {}, which merges them at the end.", work,
                  counted(batch.open.size(), "shard"), batch.shards, merge));
  say(fmt::format("To watch it:   {} class status {}", command_name(), out));
  say(fmt::format("               squeue --jobs {},{}", work, merge));
  say(fmt::format("What they say: {}", (batch.logs / ("slurm-" + work + "_*.out")).string()));
  say("If a shard fails, the same command submits again what is missing, and nothing else.");
  return kExitOk;
}

// ---- other engines

/// An Indexed Job, as https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode describes it.
std::string kubernetes_text(const Batch& batch) {
  return fmt::format(
      R"(# Checked against the documentation of Kubernetes, not run. Replace IMAGE (the kit's Docker image, in a registry that the
# cluster reads) and CLAIM (the volume that holds this class). A shard that is done ends at once.
apiVersion: batch/v1
kind: Job
metadata:
  name: labkit-grade
spec:
  completions: {0}
  parallelism: {1}
  completionMode: Indexed
  backoffLimit: {0}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: work
          image: IMAGE
          command: ["sh", {2}]
          resources:
            requests: {{cpu: "1", memory: 2Gi}}
          volumeMounts:
            - {{name: grades, mountPath: {3}}}
      volumes:
        - name: grades
          persistentVolumeClaim: {{claimName: CLAIM}}
)",
      batch.shards, std::min(batch.shards, 20u), nlohmann::json(batch.script("work.sh")).dump(),
      nlohmann::json(batch.out.string()).dump());
}

/// As https://htcondor.readthedocs.io/en/latest/users-manual/submitting-a-job.html describes it.
std::string htcondor_text(const Batch& batch) {
  return fmt::format(
      R"condor(# Checked against the manual of HTCondor, not run: condor_submit {0}
executable = /bin/sh
arguments = "{1} $(shard)"
getenv = true
should_transfer_files = NO
request_cpus = 1
request_memory = 2GB
output = {2}/condor-$(shard).out
error = {2}/condor-$(shard).out
log = {2}/condor.log
max_retries = 2
queue shard in ({3})
)condor",
      batch.script("htcondor.sub"), batch.script("work.sh"), batch.logs.string(),
      fmt::join(batch.open, " "));
}

int say_other_engines(const Batch& batch) {
  write_file_atomically(batch.script("kubernetes.yaml"), kubernetes_text(batch));
  write_file_atomically(batch.script("htcondor.sub"), htcondor_text(batch));
  say("GNU parallel, on this machine (with --sshlogin on others):");
  say(fmt::format("  parallel sh {} ::: {}", shell_word(batch.script("work.sh")),
                  ranges_text(batch.open, "{{{}..{}}}", " ")));
  say("Kubernetes (checked against its documentation, not run; IMAGE and CLAIM are yours):");
  say("  kubectl apply -f " + shell_word(batch.script("kubernetes.yaml")));
  say("HTCondor (checked against its manual, not run):");
  say("  condor_submit " + shell_word(batch.script("htcondor.sub")));
  say(fmt::format("Any other: sh {} SHARD, for each of {}", batch.script("work.sh"),
                  ranges_text(batch.open)));
  const std::string out = shell_word(batch.out.string());
  say(fmt::format("Then:  {} class merge {}", command_name(), out));
  return kExitOk;
}

int run_submit(const SubmitOptions& options) {
  if (!options.slurm && !options.site.empty())
    throw UsageError(fmt::format("class submit: unknown: {}", fmt::join(options.site, " ")),
                     "Options for sbatch need --slurm.");
  const auto folder = find_plan(options.folder);
  if (!folder) return kExitOk;
  Batch batch;
  batch.out = fs::canonical(options.folder);
  batch.plan = fs::canonical(folder->path());
  batch.logs = batch.out / "logs";
  batch.shards = folder->plan().shards;
  batch.device = folder->plan().labs.begin()->second.device;
  if (options.slurm) batch.shards = std::min(batch.shards, max_array_size());
  batch.open = open_shards(*folder, batch.shards);
  if (batch.open.empty()) {
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

void add_class_submit(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "submit", "the shards of a plan to a cluster", run_submit);
  add_folder(command, options.folder);
  command.add_flag("--slurm", options.slurm,
                   "submit to Slurm now; what follows DIR and is not known here goes to sbatch as "
                   "it is: --partition=P --account=A --time=30");
  command.allow_extras();
  command.parse_complete_callback(
      [&app = command, &given = options] { given.site = app.remaining(); });
}

}  // namespace labkit::course
