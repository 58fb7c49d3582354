#include "grade/profile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
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

/// Half a minute or less on two cores.
constexpr std::uint64_t kBudget = 50'000'000'000;

struct ProfileOptions {
  grade::ProfileRequest request;
  device::Options devices;
  DeviceChoice device;
  std::string grid, block, json, html;
  std::vector<std::string> arguments;
  std::uint32_t lanes = 0;  ///< source line to picture; 0: the worst
  bool no_merge = false, no_sim = false;
};

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
  return profile.refusal == "missing_kernel" || std::ranges::any_of(findings, is_launch);
}

int run_profile(const ProfileOptions& options) {
  grade::ProfileRequest request = options.request;
  request.grid = dim("--grid", options.grid);
  request.block = dim("--block", options.block);
  for (const std::string& argument : options.arguments) {
    request.arguments.push_back(launch::parse_argument(argument));
    request.argument_types.push_back(argument.substr(0, argument.find_first_of("[:")));
  }
  request.simulate = !options.no_sim && !request.debug;
  request.samples = true;
  request.cache_directory = cache_directory();

  device::Options wanted = options.devices;
  wanted.gpu_id = options.device.gpu_id;
  wanted.merge_shared = !options.no_merge;
  if (wanted.gpu == kEveryGpu) {
    wanted.gpu = device::Options().gpu;
    wanted.other_gpus = timing::profile_names();
    std::erase(wanted.other_gpus, wanted.gpu);
  }
  const device::Devices devices = device::make_devices(options.device.device, wanted);
  if (!devices.gpu && (options.no_sim || request.debug))
    throw std::invalid_argument("--no-sim and --debugger need a GPU");
  if (request.check && !request.simulate)
    throw std::invalid_argument("--check is the simulator's: not with --no-sim or --debugger");
  if (request.debug) {
    ::setenv(device::cuda::kDebuggerVariable, "1", 1);
    std::fputs("The kernel waits. In another terminal: cuda-gdb -p $(pgrep -n labkit-cuda)\n",
               stderr);
  }
  const grade::Profile profile = [&] {
    const AtWork at_work("profiling " + request.kernel);
    return grade::profile(devices, request);
  }();

  if (!options.html.empty()) {
    report::ExplainOptions explain;
    explain.command = command_name() + " profile --html";
    // What is no text, or too large, was refused by then and is not shown.
    const bool shown = profile.refusal != "compile_limit";
    write_output_file(options.html,
                      report::explain_html(profile, shown ? read_file(request.file) : "", explain));
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

}  // namespace

void add_profile(Command labkit) {
  const auto options = std::make_shared<ProfileOptions>();
  options->request.thread_instruction_budget = kBudget;
  Command command =
      labkit.subcommand("profile", "run one launch of any kernel and say what it did to memory");
  command.footer(
      "--arg is one kernel parameter, in order:\n"
      "  TYPE[COUNT]:random|iota|zero|poison   a buffer; TYPE is u8 u16 i32 i64 f16 f32 f64\n"
      "  i32:V i64:V u32:V f32:V f64:V         a scalar\n"
      "  hex:BYTES                             a struct by value\n"
      "Example:\n"
      "  " +
      command_name() +
      " profile kernel.cu --kernel 'tr<float>' \\\n"
      "    --grid 64x64 --block 32x32 --arg 'f32[4194304]:random' \\\n"
      "    --arg 'f32[4194304]:poison' --arg i32:2048 --arg i32:2048");
  command.option("FILE", options->request.file, "the .cu").required().existing_file();
  command.option("--kernel", options->request.kernel, "name expression, like 'tr_tile<float,32,1>'")
      .required();
  command.option("--grid", options->grid, "blocks, like 64x64").required();
  command.option("--block", options->block, "threads of a block, like 32x8").required();
  command.option("--dynamic-shared", options->request.dynamic_shared_bytes,
                 "bytes of dynamic shared memory");
  command
      .option("--arg", options->arguments,
              "a kernel parameter; repeat in the order of the parameters")
      .one_at_a_time();
  command
      .option("--lanes", options->lanes,
              "picture the accesses of this source line; default: the most wasteful one")
      .positive();
  command.option("--json", options->json, "write JSON to this file, or with - to stdout")
      .report_place();
  command.option("--html", options->html, "write a page that explains to this file").report_place();
  add_device_options(command, options->device);
  command
      .option("--time-limit", options->request.wall_seconds,
              "seconds that a launch on the GPU may take; 0: 10 s")
      .not_negative()
      .with_default();
  command.flag("--check", options->request.check,
               "look for races, uninitialised reads, misused barriers and bounds");
  command.flag("--no-sim", options->no_sim, "only measure: no counters from the simulator");
  command.flag("--debugger", options->request.debug,
               "on a GPU: compile unoptimised, and wait for cuda-gdb before the launch");
  add_any_gpu_profile_option(command, options->devices.gpu);
  command.option("--threads", options->devices.threads, "of the simulator; 0: all there are")
      .with_default();
  command.option("--simd", options->devices.simd,
                 "avx512, avx2 or portable; default: the best there is");
  add_seed(command, options->request.seed, "of random buffers");
  command
      .option("--budget", options->request.thread_instruction_budget,
              "when the launch counts as endless: 32 for each warp instruction, more for those "
              "that cost the simulator more (shuffles, atomics, scattered addresses); 0: no limit")
      .not_negative()
      .with_default();
  command.flag("--no-merge", options->no_merge,
               "count shared accesses as the source has them, not as ptxas merges them");
  command.run([options] { return run_profile(*options); });
}

}  // namespace labkit::cli
