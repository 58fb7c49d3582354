#include "cli/doctor.h"

#include <dlfcn.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/paths.h"
#include "compile/compile.h"
#include "device/device.h"
#include "process/process.h"
#include "simt/machine.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

/// Where the shell would find a program, or empty.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string directory; std::getline(directories, directory, ':');) {
    directory.append("/").append(name);
    if (::access(directory.c_str(), X_OK) == 0 && fs::is_regular_file(directory)) return directory;
  }
  return {};
}

/// The first line of `PROGRAM --version`.
std::string version_of(const std::string& program) {
  process::Command command;
  command.argv = {program, "--version"};
  command.environment = process::inherited({"PATH", "HOME"});
  command.limits = {.wall_seconds = 10, .output_bytes = 1u << 16};
  const process::Result result = process::run(command);
  const auto lines = split_lines(result.out);
  return lines.empty() ? program : std::string(lines.front()) + " (" + program + ")";
}

Check check_program(const std::string& name, const std::string& package, State otherwise,
                    const std::string& purpose) {
  const std::string program = find_program(name);
  if (!program.empty()) return {State::good, name, version_of(program), {}};
  return {otherwise, name, "none: " + purpose, "sudo apt-get install " + package};
}

std::string gibibytes(double bytes) {
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << bytes / (1u << 30) << " GiB";
  return text.str();
}

/// A program that is already built grades without these.
std::vector<Check> check_tools() {
  return {check_program("c++", "g++", State::note, "labkit cannot be rebuilt"),
          check_program("cmake", "cmake", State::note, "labkit cannot be rebuilt"),
          check_program("ninja", "ninja-build", State::note, "labkit cannot be rebuilt"),
          check_program("ctest", "cmake", State::note,
                        "`ctest -L lab3` needs it; `labkit grade` does not"),
          check_program("clang-format", "clang-format", State::note,
                        "only for work on the kit itself")};
}

std::vector<Check> check_nvrtc() try {
  const compile::NvrtcInfo info = compile::find_nvrtc();
  std::vector<Check> checks = {
      {State::good,
       "NVRTC",
       std::to_string(info.major) + "." + std::to_string(info.minor) + " (" + info.library + ")",
       {}}};
  if (info.include_directory.empty())
    checks.push_back(
        {State::note, "CUDA headers",
         "none of NVRTC's version: kernels cannot include cuda_fp16.h or cooperative_groups.h",
         "Install nvidia-cuda-dev (if NVRTC is the distribution's) or the CUDA Toolkit."});
  else
    checks.push_back({State::good, "CUDA headers", info.include_directory, {}});
  return checks;
} catch (const Error& error) {
  return {{State::missing, "NVRTC", error.what(), error.mend()}};
}

/// Compiles a kernel and runs it on the simulator: the one proof that grading works.
Check check_grading() try {
  constexpr std::int32_t kCount = 64;
  compile::Request request;
  request.source = "__global__ void probe(int* out) { out[threadIdx.x] = 3 * threadIdx.x + 1; }";
  request.name = "probe.cu";
  request.kernels = {"probe"};
  const compile::Result compiled = compile::compile(request);
  if (compiled.status != compile::Status::ok)
    return {State::missing, "grading", "the trial kernel does not compile: " + compiled.message,
            "Reinstall the CUDA Toolkit, or point LABKIT_NVRTC to another libnvrtc.so."};

  device::Plan plan;
  plan.modules = {{.name = request.name, .ptx = compiled.ptx}};
  launch::Buffer buffer;
  buffer.name = "out";
  buffer.element = launch::Element::i32;
  buffer.count = kCount;
  buffer.is_output = true;
  plan.buffers = {buffer};
  device::PlannedLaunch planned;
  planned.launch = {.kernel = "probe",
                    .entry = compiled.entries.at("probe"),
                    .grid = {},
                    .block = {.x = kCount},
                    .arguments = {launch::BufferRef{}}};
  plan.launches = {planned};
  const auto outcomes = device::make_devices("sim").simulator->run(plan);
  bool right = outcomes.size() == 1 && outcomes[0].completed && outcomes[0].outputs.size() == 1 &&
               outcomes[0].outputs[0].bytes.size() == kCount * sizeof(std::int32_t);
  for (std::int32_t i = 0; right && i < kCount; ++i) {
    std::int32_t value = 0;
    std::memcpy(&value,
                outcomes[0].outputs[0].bytes.data() + sizeof value * static_cast<std::size_t>(i),
                sizeof value);
    right = value == 3 * i + 1;
  }
  if (!right)
    return {State::missing, "grading", "the simulator got a trial kernel wrong",
            "Run `./kit test` and report what fails."};
  return {State::good, "grading", "a trial kernel compiled and ran on the simulator", {}};
} catch (const Error& error) {
  return {State::missing, "grading", error.what(), error.mend()};
}

Check check_driver() {
  void* driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr)
    return {State::note, "GPU driver", "none (libcuda.so.1): kernels run on the simulator", {}};
  ::dlclose(driver);
  std::string found = "libcuda.so.1";
  if (std::error_code problem; fs::exists("/proc/driver/nvidia/version", problem)) {
    const std::string text = read_file("/proc/driver/nvidia/version", 1 << 16);
    if (const auto lines = split_lines(text); !lines.empty()) found = lines.front();
  }
  return {State::good, "GPU driver", found, {}};
}

std::vector<Check> check_machine() {
  std::string targets;
  for (const std::string& target : simt::simd_targets())
    targets += (targets.empty() ? "" : ", ") + target;
  std::vector<Check> checks = {
      {State::good, "SIMD", targets, {}},
      {State::good, "cores", std::to_string(std::thread::hardware_concurrency()), {}}};

  struct sysinfo info {};
  if (::sysinfo(&info) == 0) {
    const double bytes = static_cast<double>(info.totalram) * info.mem_unit;
    Check memory{State::good, "memory", gibibytes(bytes), {}};
    if (bytes < 1.9 * (1u << 30)) {  // the compiler alone may take 2 GiB
      memory.state = State::note;
      memory.mend =
          "Grading wants 2 GiB; building wants 2 GiB for each job (KIT_JOBS=1 ./kit test).";
    }
    checks.push_back(memory);
  }
  std::error_code problem;
  const fs::path root = root_directory();
  if (const fs::space_info space = fs::space(root, problem); !problem) {
    const auto free = static_cast<double>(space.available);
    Check disk{State::good, "disk", gibibytes(free) + " free at " + root.string(), {}};
    if (free < 1.0 * (1u << 30)) {
      disk.state = State::note;
      disk.mend = "A build takes about 1 GiB.";
    }
    checks.push_back(disk);
  }
  return checks;
}

const char* mark_of(State state) {
  switch (state) {
    case State::good:
      return "ok     ";
    case State::note:
      return "note   ";
    case State::missing:
      return "MISSING";
  }
  return "";
}

}  // namespace

std::vector<Check> examine() {
  std::vector<Check> checks;
  const auto add = [&](std::vector<Check> more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  add(check_nvrtc());
  // Without NVRTC the trial would only repeat what was just said.
  if (checks.front().state == State::good) add({check_grading()});
  add(check_tools());
  add(check_machine());
  add({check_driver()});
  return checks;
}

void print_checks(const std::vector<Check>& checks, std::ostream& out) {
  constexpr std::size_t kNameWidth = 14;
  bool works = true;
  for (const Check& check : checks) {
    std::string name = check.name;
    name.resize(std::max(kNameWidth, name.size() + 1), ' ');
    out << mark_of(check.state) << "  " << name << check.found << '\n';
    for (const std::string_view line : split_lines(check.mend))
      out << "         -> " << line << '\n';
    works = works && check.state != State::missing;
  }
  out << (works ? "Grading on the simulator works here.\n"
                : "Grading does not work here yet: mend what is MISSING.\n");
}

int run_doctor(std::ostream& out) {
  const std::vector<Check> checks = examine();
  print_checks(checks, out);
  for (const Check& check : checks)
    if (check.state == State::missing) return kExitOurError;
  return kExitOk;
}

}  // namespace labkit::cli
