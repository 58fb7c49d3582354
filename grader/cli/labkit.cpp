#include "cli/labkit.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/command_name.h"
#include "base/error.h"
#include "cli/calibrate.h"
#include "cli/doctor.h"
#include "cli/errors.h"
#include "cli/explain.h"
#include "cli/grade.h"
#include "cli/hint.h"
#include "cli/lab_check.h"
#include "cli/lab_figures.h"
#include "cli/list.h"
#include "cli/new_lab.h"
#include "cli/paths.h"
#include "cli/profile.h"
#include "cli/reset.h"
#include "cli/show.h"
#include "cli/stop.h"
#include "cli/watch.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

/// CLI11 takes "-1" for the largest number there is.
void add_seed_option(CLI::App& app, std::uint64_t& seed, const char* about = "of the inputs") {
  app.add_option("--seed", seed, about)->check(CLI::NonNegativeNumber)->capture_default_str();
}

void add_grade(CLI::App& app, GradeOptions& options) {
  app.add_option("LAB", options.labs, "lab1, lab2, ...; all if none is named");
  app.add_flag("--solutions", options.solutions,
               "grade each lab's reference solution instead of its kernel.cu");
  app.add_flag("--all", options.all, "with --solutions: every correct solution");
  app.add_option("--file", options.request.file, "grade this .cu (with one LAB)")
      ->check(CLI::ExistingFile);
  app.add_option("--json", options.json,
                 "write the results to this file, or with - to stdout, as JSON")
      ->check(report_place_error);
  app.add_option("--classroom", options.classroom,
                 "write to this file what GitHub Classroom's reporter takes, as JSON")
      ->check(report_place_error);
  add_device_options(app, options.request.device);
  add_gpu_profile_option(app, options.request.gpu);
  add_seed_option(app, options.request.seed);
  app.add_option("--threads", options.request.threads, "of the simulator; 0: all there are")
      ->capture_default_str();
}

void add_explain(CLI::App& app, ExplainCommand& command) {
  app.add_option("LAB", command.lab, "lab1, lab2, ...")->required();
  app.add_option("--file", command.request.file, "explain this .cu instead of the lab's kernel.cu")
      ->check(CLI::ExistingFile);
  app.add_option("--html", command.html,
                 "write the page here; default: build/default/pages/LAB.html")
      ->check(report_place_error);
  add_device_options(app, command.request.device);
  add_gpu_profile_option(app, command.request.gpu);
  add_seed_option(app, command.request.seed);
  app.add_option("--threads", command.request.threads, "of the simulator; 0: all there are")
      ->capture_default_str();
}

void add_hint(CLI::App& app, HintOptions& options) {
  app.footer(
      "Each call shows one hint more for the defect that the verdict is about, from a question to "
      "nearly the line.\nFix it, and the next defect has hints of its own. No hint shows a "
      "solution.");
  app.add_option("LAB", options.lab, "lab1, lab2, ...")->required();
  CLI::Option* again =
      app.add_flag("--again", options.again, "show those already shown, and no new one");
  app.add_flag("--reset", options.reset, "forget which were shown")->excludes(again);
  app.add_option("--file", options.request.file, "about this .cu, not the lab's kernel.cu")
      ->check(CLI::ExistingFile);
  add_device_options(app, options.request.device);
  add_gpu_profile_option(app, options.request.gpu);
  add_seed_option(app, options.request.seed);
  app.add_option("--threads", options.request.threads, "of the simulator; 0: all there are")
      ->capture_default_str();
}

void add_watch(CLI::App& app, WatchOptions& options) {
  app.add_option("LAB", options.labs, "lab1, lab2, ...; all if none is named");
  app.add_option("--count", options.count,
                 "end after so many verdicts, with the last one's exit code")
      ->check(CLI::PositiveNumber);
  add_device_options(app, options.request.device);
  add_gpu_profile_option(app, options.request.gpu);
  add_seed_option(app, options.request.seed);
  app.add_option("--threads", options.request.threads, "of the simulator; 0: all there are")
      ->capture_default_str();
}

void add_reset(CLI::App& app, ResetOptions& options) {
  app.add_option("LAB", options.lab, "lab1, lab2, ...")->required();
  app.add_flag("--undo", options.undo, "bring back what the last reset took away");
}

void add_profile(CLI::App& app, ProfileOptions& options) {
  app.footer(
      "--arg is one kernel parameter, in order:\n"
      "  TYPE[COUNT]:random|iota|zero|poison   a buffer; TYPE is u8 u16 i32 i64 f16 f32 f64\n"
      "  i32:V i64:V u32:V f32:V f64:V         a scalar\n"
      "  hex:BYTES                             a struct by value\n"
      "Example:\n"
      "  " +
      command_name() +
      " profile kernel.cu --kernel 'tr<float>' --grid 64x64 --block 32x32 \\\n"
      "    --arg 'f32[4194304]:random' --arg 'f32[4194304]:poison' --arg i32:2048 --arg i32:2048");
  app.add_option("FILE", options.file, "the .cu")->required()->check(CLI::ExistingFile);
  app.add_option("--kernel", options.kernel, "name expression, like 'tr_tile<float,32,1>'")
      ->required();
  app.add_option("--grid", options.grid, "blocks, like 64x64")->required();
  app.add_option("--block", options.block, "threads of a block, like 32x8")->required();
  app.add_option("--dynamic-shared", options.dynamic_shared_bytes,
                 "bytes of dynamic shared memory");
  app.add_option("--arg", options.arguments,
                 "a kernel parameter; repeat in the order of the parameters")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--lanes", options.lanes,
                 "picture the accesses of this source line; default: the most wasteful one")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "write JSON to this file, or with - to stdout")
      ->check(report_place_error);
  app.add_option("--html", options.html, "write a page that explains to this file")
      ->check(report_place_error);
  add_device_options(app, options.device);
  app.add_option("--time-limit", options.time_limit,
                 "seconds that a launch on the GPU may take; 0: 10 s")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--check", options.check,
               "look for races, uninitialised reads, misused barriers and bounds");
  app.add_flag("--no-sim", options.no_sim, "only measure: no counters from the simulator");
  app.add_flag("--debugger", options.debugger,
               "on a GPU: compile unoptimised, and wait for cuda-gdb before the launch");
  add_any_gpu_profile_option(app, options.gpu);
  app.add_option("--threads", options.threads, "of the simulator; 0: all there are")
      ->capture_default_str();
  app.add_option("--simd", options.simd, "avx512, avx2 or portable; default: the best there is");
  add_seed_option(app, options.seed, "of random buffers");
  app.add_option(
         "--budget", options.budget,
         "when the launch counts as endless: 32 for each warp instruction, more for those "
         "that cost the simulator more (shuffles, atomics, scattered addresses); 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--no-merge", options.no_merge,
               "count shared accesses as the source has them, not as ptxas merges them");
}

void add_lab_check(CLI::App& app, LabCheckOptions& options) {
  app.add_option("LAB", options.labs, "lab1, lab2, ...; all if none is named");
  add_device_options(app, options.request.device);
  app.add_flag("--skip-without-gpu", options.skip_without_gpu,
               fmt::format("end with exit code {} where there is no GPU", kExitSkipped));
  add_gpu_profile_option(app, options.request.gpu);
  add_seed_option(app, options.request.seed);
  app.add_flag_callback(
      "--stub-may-be-solved",
      [&options] {
        const char* ci = std::getenv("CI");
        options.stub_may_be_solved = !ci || std::string_view(ci) != "true";
      },
      "leave out a kernel.cu that has been worked on (not where CI=true)");
}

/// How many letters have to be changed, put in, left out or swapped with their neighbour.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// A word that is no command where one is asked for, told with the nearest one; "" if there is nothing
/// to tell. `words`: what was typed after `app`'s own name.
std::string unknown_command(const CLI::App& app, const std::vector<std::string_view>& words,
                            std::size_t first = 0) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty() || first == words.size()) return {};
  const std::string_view word = words[first];
  if (word.empty() || word[0] == '-') return {};
  std::string nearest, known;
  std::size_t least = 3;  // two slips of the finger
  for (const CLI::App* command : commands) {
    const std::string& name = command->get_name();
    if (name == word) return unknown_command(*command, words, first + 1);
    known += " " + name;
    // The nearest must also share more than half of the word.
    const std::size_t apart = letters_apart(word.substr(0, 32), name);
    if (apart < least && 2 * apart <= name.size()) {
      least = apart;
      nearest = name;
    }
  }
  std::string before;
  for (std::size_t i = 0; i < first; ++i) before += fmt::format("{} ", words[i]);
  return fmt::format(
      "there is no command '{}{}'; {}", before, report::printable(word),
      nearest.empty() ? "there are" + known : fmt::format("did you mean {}{}?", before, nearest));
}

void add_lab_figures(CLI::App& app, LabFiguresOptions& options) {
  app.add_option("LAB", options.labs, "lab1, lab2, ...; all if none is named");
  options.request.device.device = "sim";
  add_gpu_profile_option(app, options.request.gpu);
  app.add_flag("--write", options.write, "write labs/LAB/figures.toml");
}

void add_calibrate(CLI::App& app, CalibrateOptions& options) {
  app.add_option("LAB", options.labs, "lab1, lab2, ...; all if none is named");
  options.request.device.device = "cuda";
  add_device_options(app, options.request.device);
  app.add_option("--runs", options.runs, "how often each solution is measured")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--write", options.write,
               "write labs/LAB/gpu_gates/GPU.toml and handouts/measured/GPU.md");
  app.add_option("--table", options.table, "write the table here");
  add_seed_option(app, options.request.seed);
}

std::vector<void (*)(CLI::App&, ChosenCommand&)>& registered() {
  static std::vector<void (*)(CLI::App&, ChosenCommand&)> all;
  return all;
}

}  // namespace

void register_commands(void (*add)(CLI::App&, ChosenCommand&)) { registered().push_back(add); }

int labkit_main(int argc, char** argv) {
  CLI::App app("CUDA memory labs, graded on any machine.", command_name());
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("labkit ") + LABKIT_VERSION);

  GradeOptions grade;
  HintOptions hint;
  ProfileOptions profile;
  LabCheckOptions lab_check;
  ExplainCommand explain;
  add_grade(*app.add_subcommand("grade", "grade labs"), grade);
  add_hint(*app.add_subcommand("hint", "the next hint for what is wrong in a lab"), hint);
  WatchOptions watch;
  add_watch(*app.add_subcommand("watch", "grade a lab each time its kernel.cu is saved"), watch);
  app.add_subcommand("list", "the labs: points, how far you are, what is next");
  std::string shown;
  app.add_subcommand("show", "the task of a lab")
      ->add_option("LAB", shown, "lab1, lab2, ...")
      ->required();
  ResetOptions reset;
  add_reset(*app.add_subcommand("reset", "kernel.cu as it was handed out; yours is kept"), reset);
  add_profile(
      *app.add_subcommand("profile", "run one launch of any kernel and say what it did to memory"),
      profile);
  add_explain(
      *app.add_subcommand("explain", "write a page that shows which line, which lanes and why"),
      explain);
  CLI::App& lab = *app.add_subcommand("lab", "for authors of labs");
  lab.require_subcommand(1);
  add_lab_check(*lab.add_subcommand(
                    "check", "stubs fail, correct solutions pass, wrong ones get their verdict"),
                lab_check);
  LabFiguresOptions lab_figures;
  CLI::App& figures = *lab.add_subcommand(
      "figures", "what the answers that figures.toml names get, for comparison");
  add_lab_figures(figures, lab_figures);
  CalibrateOptions calibrate;
  CLI::App& calibrating = *lab.add_subcommand(
      "calibrate", "measure the solutions on this GPU and find the limits that are fair there");
  add_calibrate(calibrating, calibrate);
  ChosenCommand registered_command;
  for (const auto add : registered()) add(app, registered_command);
  std::string new_folder;
  CLI::App& creating = *app.add_subcommand("new", "for authors: something to begin with");
  creating.require_subcommand(1);
  creating.add_subcommand("lab", "a small lab that works, under a name of its own")
      ->add_option("FOLDER", new_folder, "like lab8_histogram")
      ->required();
  app.add_subcommand("doctor", "what this machine has and lacks, with the fix for each");

  if (const std::string complaint = unknown_command(app, {argv + 1, argv + std::max(1, argc)});
      !complaint.empty()) {
    std::fprintf(stderr, "%s: %s\n", command_name().c_str(), complaint.c_str());
    return kExitUsage;
  }
  return guarded(app, argc, argv, [&] {
    if (app.got_subcommand("grade")) return run_grade(grade);
    if (app.got_subcommand("hint")) return run_hint(hint);
    if (app.got_subcommand("profile")) return run_profile(profile);
    if (app.got_subcommand("explain")) return run_explain(explain);
    if (figures.parsed()) return run_lab_figures(lab_figures);
    if (calibrating.parsed()) return run_calibrate(calibrate);
    if (app.got_subcommand("lab")) return run_lab_check(lab_check);
    if (registered_command) {
      const FileLimitIsAnError limit;
      return registered_command();
    }
    if (app.got_subcommand("watch")) return run_watch(watch);
    if (creating.parsed()) return run_new_lab(new_folder);
    if (app.got_subcommand("list")) return run_list();
    if (app.got_subcommand("show")) return run_show(shown);
    if (app.got_subcommand("reset")) return run_reset(reset);
    return run_doctor();
  });
}

}  // namespace labkit::cli
