#include "grade/profile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "cli/at_work.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "device/cuda_protocol.h"
#include "report/explain_html.h"
#include "report/json.h"
#include "report/text.h"
#include "timing/timing.h"

namespace labkit::cli {
namespace {

launch::Dim3 dim(const char* option, const std::string& text) {
  const auto parsed = launch::parse_dim3(text);
  if (!parsed)
    throw std::invalid_argument(std::string(option) + " '" + text +
                                "': wants numbers like 256, 64x64 or 8x8x2, none of them 0");
  return *parsed;
}

/// A kernel that the file does not have, or a launch that no GPU would begin: nothing is said of the kernel.
bool is_wrong_command(const grade::Profile& profile) {
  const auto is_launch = [](const launch::Finding& finding) {
    return finding.kind == launch::FindingKind::launch;
  };
  const auto& findings = profile.outcome.findings;
  return profile.refusal == "missing_kernel" ||
         std::any_of(findings.begin(), findings.end(), is_launch);
}

}  // namespace

int run_profile(const ProfileOptions& options) {
  grade::ProfileRequest request;
  request.file = options.file;
  request.kernel = options.kernel;
  request.grid = dim("--grid", options.grid);
  request.block = dim("--block", options.block);
  request.dynamic_shared_bytes = options.dynamic_shared_bytes;
  for (const std::string& argument : options.arguments) {
    request.arguments.push_back(launch::parse_argument(argument));
    request.argument_types.push_back(argument.substr(0, argument.find_first_of("[:")));
  }
  request.seed = options.seed;
  request.thread_instruction_budget = options.budget;
  request.wall_seconds = options.time_limit;
  request.simulate = !options.no_sim && !options.debugger;
  request.debug = options.debugger;
  request.check = options.check;
  request.samples = true;
  request.cache_directory = cache_directory();

  const std::string gpu = options.gpu == kEveryGpu ? ProfileOptions().gpu : options.gpu;
  std::vector<std::string> others;
  if (options.gpu == kEveryGpu) others = timing::profile_names();
  std::erase(others, gpu);
  const device::Devices devices =
      device::make_devices(options.device.device, {.gpu_id = options.device.gpu_id,
                                                   .gpu = gpu,
                                                   .other_gpus = others,
                                                   .threads = options.threads,
                                                   .simd = options.simd,
                                                   .merge_shared = !options.no_merge});
  if (!devices.gpu && (options.no_sim || options.debugger))
    throw std::invalid_argument("--no-sim and --debugger need a GPU");
  if (options.check && !request.simulate)
    throw std::invalid_argument("--check is the simulator's: not with --no-sim or --debugger");
  if (options.debugger) {
    ::setenv(device::cuda::kDebuggerVariable, "1", 1);
    std::fputs("The kernel waits. In another terminal: cuda-gdb -p $(pgrep -n labkit-cuda)\n",
               stderr);
  }
  const grade::Profile profile = [&] {
    const AtWork at_work("profiling " + options.kernel);
    return grade::profile(devices, request);
  }();

  if (!options.html.empty()) {
    report::ExplainOptions explain;
    explain.command = command_name() + " profile --html";
    // What is no text, or too large, was refused by then and is not shown.
    const bool shown = profile.refusal != "compile_limit";
    write_output_file(options.html,
                      report::explain_html(profile, shown ? read_file(options.file) : "", explain));
  }
  const report::Style style = report::style_for(stdout);
  if (options.json == "-") {
    report::print(report::profile_json(profile));
  } else {
    if (!options.json.empty()) write_output_file(options.json, report::profile_json(profile));
    report::print(report::profile_text(profile, style, options.lanes));
    if (!options.html.empty()) std::printf("\nPage: %s\n", options.html.c_str());
  }
  if (is_wrong_command(profile)) return kExitUsage;
  return profile.failed() ? kExitVerdict : kExitOk;
}

}  // namespace labkit::cli
