#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/device_options.h"
#include "cli/lab_check.h"

namespace labkit::cli {
namespace {

void add_profile(Command labkit) {
  const auto options = std::make_shared<ProfileOptions>();
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
  command.option("FILE", options->file, "the .cu").required().existing_file();
  command.option("--kernel", options->kernel, "name expression, like 'tr_tile<float,32,1>'")
      .required();
  command.option("--grid", options->grid, "blocks, like 64x64").required();
  command.option("--block", options->block, "threads of a block, like 32x8").required();
  command.option("--dynamic-shared", options->dynamic_shared_bytes,
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
      .option("--time-limit", options->time_limit,
              "seconds that a launch on the GPU may take; 0: 10 s")
      .not_negative()
      .with_default();
  command.flag("--check", options->check,
               "look for races, uninitialised reads, misused barriers and bounds");
  command.flag("--no-sim", options->no_sim, "only measure: no counters from the simulator");
  command.flag("--debugger", options->debugger,
               "on a GPU: compile unoptimised, and wait for cuda-gdb before the launch");
  add_any_gpu_profile_option(command, options->gpu);
  command.option("--threads", options->threads, "of the simulator; 0: all there are")
      .with_default();
  command.option("--simd", options->simd, "avx512, avx2 or portable; default: the best there is");
  add_seed(command, options->seed, "of random buffers");
  command
      .option("--budget", options->budget,
              "when the launch counts as endless: 32 for each warp instruction, more for those "
              "that cost the simulator more (shuffles, atomics, scattered addresses); 0: no limit")
      .not_negative()
      .with_default();
  command.flag("--no-merge", options->no_merge,
               "count shared accesses as the source has them, not as ptxas merges them");
  command.run([options] { return run_profile(*options); });
}

void add_lab_check(Command lab) {
  const auto options = std::make_shared<LabCheckOptions>();
  Command command =
      lab.subcommand("check", "stubs fail, correct solutions pass, wrong ones get their verdict");
  add_labs(command, options->labs);
  add_device_options(command, options->request.device);
  command.flag("--skip-without-gpu", options->skip_without_gpu,
               fmt::format("end with exit code {} where there is no GPU", kExitSkipped));
  add_gpu_profile_option(command, options->request.gpu);
  add_seed(command, options->request.seed);
  command.flag("--stub-may-be-solved", options->stub_may_be_solved,
               "leave out a kernel.cu that has been worked on (not where CI=true)");
  command.run([options] {
    const char* ci = std::getenv("CI");
    if (ci && std::string_view(ci) == "true") options->stub_may_be_solved = false;
    return run_lab_check(*options);
  });
}

void add_lab_figures(Command lab) {
  const auto options = std::make_shared<LabFiguresOptions>();
  Command command =
      lab.subcommand("figures", "what the answers that figures.toml names get, for comparison");
  add_labs(command, options->labs);
  options->request.device.device = "sim";
  add_gpu_profile_option(command, options->request.gpu);
  command.flag("--write", options->write, "write labs/LAB/figures.toml");
  command.run([options] { return run_lab_figures(*options); });
}

void add_calibrate(Command lab) {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command = lab.subcommand(
      "calibrate", "measure the solutions on this GPU and find the limits that are fair there");
  add_labs(command, options->labs);
  options->request.device.device = "cuda";
  add_device_options(command, options->request.device);
  command.option("--runs", options->runs, "how often each solution is measured")
      .range(1, 100)
      .with_default();
  command.flag("--write", options->write,
               "write labs/LAB/gpu_gates/GPU.toml and handouts/measured/GPU.md");
  command.option("--table", options->table, "write the table here");
  add_seed(command, options->request.seed);
  command.run([options] { return run_calibrate(*options); });
}

std::vector<void (*)(Command)>& registered() {
  static std::vector<void (*)(Command)> all;
  return all;
}

}  // namespace

void register_commands(void (*add)(Command)) { registered().push_back(add); }

int labkit_main(int argc, char** argv) {
  return run_commands(argc, argv, [](Command labkit) {
    add_grade(labkit);
    add_hint(labkit);
    add_watch(labkit);
    add_list(labkit);
    add_show(labkit);
    add_reset(labkit);
    add_profile(labkit);
    add_explain(labkit);
    Command lab = labkit.subcommand("lab", "for authors of labs");
    lab.require_subcommand();
    add_lab_check(lab);
    add_lab_figures(lab);
    add_calibrate(lab);
    for (const auto add : registered()) add(labkit);
    add_new_lab(labkit);
    add_doctor(labkit);
  });
}

}  // namespace labkit::cli
