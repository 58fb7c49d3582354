#include "grade/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/at_work.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "device/cuda_protocol.h"
#include "explain/words.h"
#include "launch/array_file.h"
#include "program/run.h"
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
  program::BuildOptions build;
  std::string json, html, film;
  std::vector<std::string> launches, variables, dumps, expectations;
  std::uint32_t lanes = 0;  ///< source line to picture; 0: the worst
  bool no_merge = false, no_sim = false;
};

/// "NAME=REST".
std::pair<std::string, std::string> named(const char* option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw std::invalid_argument(fmt::format("{} '{}': wants NAME=...", option, text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What an array must hold after the last launch.
struct Expectation {
  std::string array, file;
  double tolerance = 0;
};
Expectation expectation(const std::string& text) {
  const auto [array, rest] = named("--expect", text);
  Expectation wanted{.array = array, .file = rest};
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string::npos) return wanted;
  const char* const end = rest.data() + rest.size();
  if (std::from_chars(rest.data() + colon + 1, end, wanted.tolerance).ptr != end) {
    wanted.tolerance = 0;
    return wanted;  // a colon of the file's name
  }
  wanted.file = rest.substr(0, colon);
  if (!std::isfinite(wanted.tolerance) || wanted.tolerance < 0)
    throw std::invalid_argument(
        fmt::format("--expect '{}': the tolerance must be a number, 0 or more", text));
  return wanted;
}

const launch::Buffer& array_named(const grade::Profiled& profiled, const std::string& name) {
  const auto at = profiled.arrays.find(name);
  if (at != profiled.arrays.end()) return at->second;
  std::vector<std::string> names;
  for (const auto& [one, array] : profiled.arrays) names.push_back(one);
  throw std::invalid_argument(
      fmt::format("no argument made an array '{}'; there are: {}", name, joined(names)));
}

/// True if it holds what it must. Says so on `out`.
bool is_as_expected(const launch::Buffer& array, const Expectation& wanted, std::FILE* out) {
  const auto mismatch =
      grade::compare_with(array, launch::read_array(wanted.file, array.element), wanted.tolerance);
  std::vector<std::string> lines = {
      fmt::format("{} is {}as in {}.", wanted.array, mismatch ? "not " : "", wanted.file)};
  if (mismatch) {
    for (const std::string& line : explain::tell_mismatch(*mismatch)) lines.push_back(line);
  }
  std::fputs(("\n" + joined(lines, "\n") + "\n").c_str(), out);
  return !mismatch;
}

/// A kernel that the file does not have, or a launch that no GPU would begin: nothing is said of the kernel.
bool is_wrong_command(const grade::Profile& profile) {
  const auto is_launch = [](const launch::Finding& finding) {
    return finding.kind == launch::FindingKind::launch;
  };
  const auto& findings = profile.outcome.findings;
  return profile.refusal == "missing_kernel" || std::ranges::any_of(findings, is_launch);
}

void write_film(const std::string& file, const grade::Profile& profile, const std::string& source) {
  const std::string page = report::film_html(profile, source);
  if (page.empty())
    std::fprintf(stderr, "%s was not written: a kernel that does not run has no film.\n",
                 file.c_str());
  else
    write_output_file(file, page);
}

int run_profile(const ProfileOptions& options) {
  grade::ProfileRequest request = options.request;
  for (const std::string& text : options.launches)
    request.launches.push_back(launch::parse_launch(text));
  for (const std::string& text : options.variables) {
    const auto [name, value] = named("--variable", text);
    request.variables[name] = launch::parse_argument(value);
  }
  std::set<std::filesystem::path> places;
  for (const std::string& place : {options.json, options.html, options.film})
    if (!place.empty() && !places.insert(std::filesystem::weakly_canonical(place)).second)
      throw std::invalid_argument(
          fmt::format("'{}' is named for two outputs: give each a file of its own", place));
  for (const std::string& place : {options.html, options.film})
    if (place == "-")
      throw std::invalid_argument("a page cannot be written to stdout: name a file");
  std::vector<Expectation> expectations;
  for (const std::string& text : options.expectations)
    request.wanted_arrays.insert(expectations.emplace_back(expectation(text)).array);
  for (const std::string& text : options.dumps) {
    const auto [name, file] = named("--dump", text);
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (!std::filesystem::is_directory(folder))
      throw std::invalid_argument(
          fmt::format("--dump '{}': there is no folder {}", text, folder.string()));
    request.wanted_arrays.insert(name);
  }
  request.whole_programs = [build = options.build, file = request.file](compile::Request wanted) {
    wanted.path = std::filesystem::absolute(file).lexically_normal().string();
    return program::device_code(wanted, build);
  };
  request.only_whole = !options.build.include.empty() || !options.build.define.empty() ||
                       !options.build.options.empty();
  request.simulate = !options.no_sim && !request.debug;
  request.samples = true;
  request.film = !options.html.empty() || !options.film.empty();
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
  if (!options.film.empty() && !request.simulate)
    throw std::invalid_argument("--film is the simulator's: not with --no-sim or --debugger");
  if (request.check && !request.simulate)
    throw std::invalid_argument("--check is the simulator's: not with --no-sim or --debugger");
  if (request.debug) {
    ::setenv(device::cuda::kDebuggerVariable, "1", 1);
    std::fputs("The kernel waits. In another terminal: cuda-gdb -p $(pgrep -n labkit-cuda)\n",
               stderr);
  }
  const grade::Profiled profiled = [&] {
    const AtWork at_work("profiling " + request.launches.front().kernel);
    return grade::profile(devices, request);
  }();
  const grade::Profile& profile = profiled.launches.back();

  // What is no text, or too large, was refused by then and is not shown.
  const std::string source = profile.refusal == "compile_limit" ? "" : read_file(request.file);
  if (!options.html.empty()) {
    report::ExplainOptions explain;
    explain.command = command_name() + " profile --html";
    write_output_file(options.html, report::explain_html(profile, source, explain));
  }
  if (!options.film.empty()) write_film(options.film, profile, source);
  const report::Style style = report::style_for(stdout);
  if (options.json == "-") {
    report::print(report::profile_json(profiled.launches));
  } else {
    if (!options.json.empty())
      write_output_file(options.json, report::profile_json(profiled.launches));
    for (const grade::Profile& one : profiled.launches)
      report::print((&one == &profiled.launches.front() ? "" : "\n") +
                    report::profile_text(one, style, options.lanes));
    if (!options.html.empty()) std::printf("\nPage: %s\n", options.html.c_str());
  }
  if (is_wrong_command(profile)) return kExitUsage;
  if (profile.failed()) return kExitVerdict;
  for (const std::string& text : options.dumps) {
    const auto [name, file] = named("--dump", text);
    const launch::Buffer& array = array_named(profiled, name);
    launch::write_array(file, array.element, launch::initial_contents(array));
  }
  bool is_right = true;
  for (const Expectation& wanted : expectations)
    is_right &= is_as_expected(array_named(profiled, wanted.array), wanted,
                               options.json == "-" ? stderr : stdout);
  return is_right ? kExitOk : kExitVerdict;
}

}  // namespace

void add_profile(Command labkit) {
  const auto options = std::make_shared<ProfileOptions>();
  options->request.thread_instruction_budget = kBudget;
  Command command = labkit.subcommand("profile", "launch any kernel and say what it did to memory");
  command.footer(
      "A launch is written as in CUDA:\n"
      "  'KERNEL<<<GRID, BLOCK, DYNAMIC_SHARED_BYTES>>>(ARGUMENT, ...)'\n"
      "GRID and BLOCK are like 256, 64x64 or 8x8x2. An ARGUMENT is\n"
      "  2048, 0.5             a number, of the parameter's type\n"
      "  TYPE[COUNT]:CONTENTS  an array. TYPE: u8 u16 i32 i64 f16 f32 f64, for\n"
      "                        unsigned integers, too. CONTENTS: random,\n"
      "                        random(LOW,HIGH), iota, zero, poison or a file\n"
      "  TYPE[]:x.npy          an array, as long as the file (./x: its bytes)\n"
      "  NAME                  an array that an earlier argument made; it is\n"
      "                        called as the kernel's parameter, or as in\n"
      "                        NAME=TYPE[COUNT]:CONTENTS\n"
      "  hex:BYTES             a struct by value\n"
      "Examples:\n"
      "  " +
      command_name() +
      " profile kernel.cu \\\n"
      "    'tr<float><<<64x64, 32x32>>>(f32[4194304]:random, o=f32[4194304]:poison,\n"
      "     2048, 2048)'\n"
      "  " +
      command_name() +
      " profile sums.cu --expect total=right.npy:1e-5 \\\n"
      "    'sums<<<64, 256>>>(f32[]:x.npy, part=f32[64]:poison, 16384)' \\\n"
      "    'sums<<<1, 64>>>(part, total=f32[1]:poison, 64)'");
  command.option("FILE", options->request.file, "the .cu").required().existing_file();
  command.option("LAUNCH", options->launches, "launches, one after another; see below").required();
  command
      .option("--variable", options->variables,
              "what a __constant__ or __device__ variable holds: mask=f32[25]:mask.npy")
      .one_at_a_time();
  command
      .option("--dump", options->dumps,
              "NAME=FILE: write an array, as the last launch left it; .npy, or else its bytes")
      .one_at_a_time();
  command
      .option("--expect", options->expectations,
              "NAME=FILE[:TOLERANCE]: what an array must then hold; a number may be off by the "
              "tolerance, or this part of it")
      .one_at_a_time();
  command.option("--include", options->build.include, "a folder of headers").one_at_a_time();
  command.option("--define", options->build.define, "a macro, like N=1024").one_at_a_time();
  command.option("--option", options->build.options, "an option for nvcc or clang").one_at_a_time();
  command
      .option("--lanes", options->lanes,
              "picture the accesses of this source line; default: the most wasteful one")
      .positive();
  command.option("--json", options->json, "write JSON to this file, or with - to stdout")
      .report_place();
  command.option("--html", options->html, "write a page that explains to this file").report_place();
  command
      .option("--film", options->film,
              "write the film of the last launch alone to this file, to show in another page")
      .report_place();
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
  add_language_option(command);
  command.run([options] { return run_profile(*options); });
}

}  // namespace labkit::cli
