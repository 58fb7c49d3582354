#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <span>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "compile/compile.h"
#include "device/cuda_device.h"
#include "device/cuda_protocol.h"
#include "process/process.h"
#include "report/style.h"
#include "simt/machine.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

Check good(const std::string& name, const std::string& found) {
  return {State::good, name, found, {}};
}
Check missing(const std::string& name, const Error& error) {
  return {State::missing, name, error.what(), error.remedy()};
}

/// Where the shell would find a program, or empty.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string directory; std::getline(directories, directory, ':');)
    if (const std::string file = directory + "/" + name;
        ::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file))
      return file;
  return {};
}

/// The first line of `PROGRAM --version`.
Check check_installed(const std::string& name, const std::string& package,
                      const std::string& purpose) {
  const std::string program = find_program(name);
  if (program.empty())
    return {State::note, name, "none: " + purpose, "sudo apt-get install " + package};
  const process::Result result =
      process::run({.argv = {program, "--version"},
                    .input = {},
                    .directory = {},
                    .environment = process::inherited({"PATH", "HOME"}),
                    .limits = {.wall_seconds = 10, .output_bytes = 1u << 16}});
  const auto lines = split_lines(result.out);
  return good(name, lines.empty() ? program : fmt::format("{} ({})", lines.front(), program));
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1u << 30));
}

/// A program that is already built grades without these.
std::vector<Check> check_tools() {
  return {check_installed("c++", "g++", "labkit cannot be rebuilt"),
          check_installed("cmake", "cmake", "labkit cannot be rebuilt"),
          check_installed("ninja", "ninja-build", "labkit cannot be rebuilt"),
          check_installed("ctest", "cmake", "`ctest -L lab3` needs it; `labkit grade` does not"),
          check_installed("clang-format", "clang-format", "only for work on the kit itself")};
}

/// In which students' sources are compiled.
Check check_jail(const process::JailState& jail) {
  if (jail.whole()) return good("jail", process::text_of(jail));
  return {State::note, "jail", process::text_of(jail) + " (" + jail.problem + ")",
          "The compiler still sees no file; one layer less would stand between it and the machine "
          "if it were broken.\nLandlock takes Linux 5.13 or newer with it switched on, and in a "
          "container Docker 20.10.24 or newer. LABKIT_JAIL=strict refuses to grade without."};
}

/// A device compiler: NVRTC or clang, whichever is there or LABKIT_COMPILER names.
std::vector<Check> check_compiler() try {
  const compile::CompilerInfo compiler = compile::find_compiler();
  std::vector<Check> checks = {good(compiler.is_clang ? "clang" : "NVRTC",
                                    fmt::format("{} ({})", compiler.version, compiler.file()))};
  if (compiler.is_clang)
    checks.push_back(good("CUDA headers", "the kit's own, for clang"));
  else if (compiler.nvrtc.include_directory.empty())
    checks.push_back(
        {State::note, "CUDA headers",
         "none of NVRTC's version: kernels cannot include cuda_fp16.h or cooperative_groups.h",
         "Install nvidia-cuda-dev (if NVRTC is the distribution's) or the CUDA Toolkit."});
  else
    checks.push_back(good("CUDA headers", compiler.nvrtc.include_directory));
  checks.push_back(check_jail(compiler.jail()));
  return checks;
} catch (const Error& error) {
  return {missing("compiler", error)};
}

/// Each thread stores three times its number, and one.
compile::Request trial_kernel() {
  compile::Request request;
  request.source = "__global__ void probe(int* out) { out[threadIdx.x] = 3 * threadIdx.x + 1; }";
  request.name = "probe.cu";
  request.kernels = {"probe"};
  return request;
}

/// Who counts the registers with which times are predicted.
Check check_registers() try {
  compile::Request request = trial_kernel();
  request.registers = true;
  const compile::Assembled assembled = compile::compile(request).assembled;
  if (!assembled.by.empty()) return good("registers", "counted by " + assembled.by);
  return {State::note, "registers", "estimated: " + assembled.why_not,
          "Predicted times of kernels with many registers may differ from other machines'."};
} catch (const Error& error) {
  return missing("registers", error);
}

/// Compiles a kernel and runs it on a device: the one proof that grading works there. `otherwise`: where there is none.
Check check_trial(const std::string& name, const std::string& choice, State otherwise) try {
  constexpr std::int32_t kCount = 64;
  const device::Devices devices = device::make_devices(choice);
  device::Device& device = devices.gpu ? *devices.gpu : *devices.simulator;
  const std::string where = "on " + (devices.gpu ? device.describe().gpu : "the simulator");
  compile::Request request = trial_kernel();
  request.arch = device.describe().arch;
  const compile::Result compiled = compile::compile(request);
  if (compiled.status != compile::Status::ok)
    return {State::missing, name,
            "the trial kernel does not compile: " + words::render(compiled.message),
            "Reinstall the CUDA Toolkit, or point LABKIT_NVRTC to another libnvrtc.so."};

  device::Plan plan;
  plan.modules = {{.name = request.name, .ptx = compiled.ptx, .cubin = compiled.cubin}};
  plan.buffers = {{.name = "out",
                   .element = launch::Element::i32,
                   .count = kCount,
                   .data = {},
                   .is_output = true}};
  device::PlannedLaunch planned;
  planned.launch = {.kernel = "probe",
                    .entry = compiled.entries.at("probe"),
                    .grid = {},
                    .block = {.x = kCount},
                    .arguments = {launch::BufferRef{}}};
  plan.launches = {planned};
  const auto outcomes = device.run(plan);
  std::array<std::int32_t, kCount> wanted{};
  for (std::int32_t i = 0; i < kCount; ++i) wanted[i] = 3 * i + 1;
  const bool right =
      outcomes.size() == 1 && outcomes[0].completed && outcomes[0].outputs.size() == 1 &&
      std::ranges::equal(outcomes[0].outputs[0].bytes, std::as_bytes(std::span(wanted)));
  if (!right)
    return {State::missing, name, "a trial kernel came out wrong " + where,
            "Run `./kit test` and report what fails."};
  return good(name, "a trial kernel compiled and ran " + where);
} catch (const Error& error) {
  return {otherwise, name, error.what(), error.remedy()};
}

/// The driver, each GPU, and whether a kernel runs there: all that grading can do without.
std::vector<Check> check_gpus() try {
  const device::Gpus& gpus = device::find_gpus();
  const device::GpuFacts& first = *gpus.all.front().facts;
  std::vector<Check> checks = {good(
      "GPU driver",
      fmt::format("{} (CUDA {})", first.driver, device::cuda::version_text(gpus.driver_version)))};
  for (const device::Description& gpu : gpus.all) {
    const device::GpuFacts& facts = *gpu.facts;
    const std::string text = fmt::format(
        "{}, compute capability {}.{}, {} SMs, {} ({} free), L2 {} MiB, peak {:.0f} GB/s, {}",
        gpu.gpu, facts.compute_major, facts.compute_minor, facts.multiprocessors,
        gibibytes(facts.memory_bytes), gibibytes(facts.free_bytes), facts.l2_bytes >> 20,
        facts.peak_bytes_per_second / 1e9, facts.uuid);
    checks.push_back(good(fmt::format("GPU {}", facts.id), text));
  }
  if (!gpus.has_nvml)
    checks.push_back({State::note, "NVML",
                      "none (libnvidia-ml.so.1): throttling and other users would not be noticed",
                      "Install the driver's own NVML (Debian, Ubuntu: libnvidia-ml1 or "
                      "libnvidia-compute-<version>)."});
  return checks;
} catch (const device::NoGpu& error) {
  return {{State::note,
           "GPU driver",
           std::string("none: kernels run on the simulator (") + error.what() + ")",
           {}}};
} catch (const Error& error) {
  return {{State::note, "GPU driver", std::string("not usable: ") + error.what(), error.remedy()}};
}

std::vector<Check> check_machine() {
  std::vector<Check> checks = {good("SIMD", joined(simt::simd_targets())),
                               good("cores", std::to_string(std::thread::hardware_concurrency()))};
  const auto add = [&](const char* name, const std::string& found, bool enough, const char* fix) {
    checks.push_back(enough ? good(name, found) : Check{State::note, name, found, fix});
  };
  struct sysinfo info {};
  if (::sysinfo(&info) == 0) {
    const std::uint64_t bytes = std::uint64_t{info.totalram} * info.mem_unit;
    add("memory", gibibytes(bytes), static_cast<double>(bytes) >= 1.9 * (1u << 30),
        "Grading wants 2 GiB; building wants 2 GiB for each job (KIT_JOBS=1 ./kit test).");
  }
  try {
    std::error_code problem;
    const fs::path root = root_directory();
    if (const fs::space_info space = fs::space(root, problem); !problem)
      add("disk", gibibytes(space.available) + " free at " + root.string(),
          space.available >= 1u << 30, "A build takes about 1 GiB.");
  } catch (const Error& error) {
    checks.push_back(missing("the kit", error));
  }
  return checks;
}

const char* mark_of(State state) {
  return state == State::good ? "ok     " : state == State::note ? "note   " : "MISSING";
}

}  // namespace

std::vector<Check> examine() {
  std::vector<Check> checks;
  const auto add = [&](std::vector<Check> more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  add(check_compiler());
  // Without NVRTC the trial would only repeat what was just said.
  const bool compiles = checks.front().state == State::good;
  if (compiles) add({check_registers(), check_trial("grading", "sim", State::missing)});
  add(check_tools());
  add(check_machine());
  const std::vector<Check> gpus = check_gpus();
  add(gpus);
  if (compiles && gpus.front().state == State::good)
    add({check_trial("GPU grading", "cuda", State::note)});
  return checks;
}

int run_doctor(std::ostream& out) {
  constexpr std::size_t kColumns = 80, kNameWidth = 14;
  const std::vector<Check> checks = examine();
  bool works = true, on_gpu = false;
  for (const Check& check : checks) {
    std::string head = fmt::format("{}  {:<{}} ", mark_of(check.state), check.name, kNameWidth - 1);
    const std::string indent(head.size(), ' ');
    out << head << report::wrapped(check.found, kColumns, indent).substr(indent.size());
    for (const std::string_view line : split_lines(check.fix))
      out << "         -> " << report::wrapped(line, kColumns, std::string(12, ' ')).substr(12);
    works = works && check.state != State::missing;
    on_gpu = on_gpu || (check.name == "GPU grading" && check.state == State::good);
  }
  out << (works ? on_gpu ? "Grading works here, on the simulator and on the GPU.\n"
                         : "Grading on the simulator works here.\n"
                : "Grading does not work here yet: fix what is MISSING.\n");
  return works ? kExitOk : kExitOurError;
}

void add_doctor(Command labkit) {
  labkit.subcommand("doctor", "what this machine has and lacks, with the fix for each").run([] {
    return run_doctor(std::cout);
  });
}

}  // namespace labkit::cli
