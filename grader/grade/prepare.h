// A file on its way to being kernels: read, looked at, compiled, its signatures checked. What is its author's fault is a verdict.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "compile/outline.h"
#include "device/device.h"
#include "grade/manifest.h"
#include "grade/result.h"
#include "ptx/module.h"

namespace labkit::grade {

/// Throws labkit::Error.
[[noreturn]] void kit_fault(const std::string& what);

// ---- a launch and a build of its kernel, put together into what a device runs: labs, profiles and the copies go this way

/// One build of a source: for the simulator, for a GPU, or unoptimised for the sanitizers.
struct Build {
  device::Module module;
  std::map<std::string, std::string> entries;  ///< expression -> mangled name
};

/// A launch and the buffers it is launched on, which its arguments count from 0.
struct LaunchSetup {
  launch::Launch launch;  ///< without `entry`, which each build has of its own
  std::vector<launch::Buffer> buffers;
  std::vector<std::uint64_t> row_elements = {};  ///< see device::Plan
  /// The next argument is its address.
  void add_buffer(launch::Buffer buffer, std::uint64_t elements_of_row = 0);
};

using Compiler = std::function<compile::Result(const compile::Request&)>;
/// Device code alone, in the jail. Keeps what it compiles in `cache_directory`; "": nowhere.
Compiler jailed_compiler(const std::filesystem::path& cache_directory);
Build build_of(const compile::Request& request, compile::Result result);
/// Puts a build at the end of the plan; gives its index among the modules.
std::uint32_t add_build(device::Plan& plan, const Build& build);
device::PlannedLaunch& add_launch(device::Plan& plan, std::uint32_t module, const Build& build,
                                  const LaunchSetup& setup);
/// That launch alone.
device::Plan plan_of(const Build& build, const LaunchSetup& setup);

struct Submission {
  std::filesystem::path file;
  std::string source;                   ///< as read
  Verdict verdict = {.kind = "pass"};   ///< pass: ready to run
  std::vector<words::Message> message;  ///< for another verdict
  launch::SourceLine where;             ///< where to begin, if known
  std::string compile_log, compiler;
  std::string lost_parameter;  ///< see LabResult
  std::string jail;            ///< compile::Result::jail; "" if nothing was compiled
  std::vector<words::Message> notes;
  std::map<std::string, compile::KernelSource> kernels;  ///< of a lab, by kernel name
  Build build, gpu_build;  ///< for the simulator, and for a GPU's architecture

  /// True unless the kernel's body is there and still empty, or the kernel is optional and not there.
  bool attempted(const Kernel& kernel) const;
};

struct PrepareOptions {
  bool compile_untouched = false;  ///< compile a stub too, rather than call it untouched
  std::string gpu_arch = {};       ///< compile for this as well ("sm_90"); empty: not for a GPU
};
/// The file as a submission to a lab (what is compiled is kept in `cache_directory`, "": nowhere). Throws labkit::Error if the
/// file cannot be read or there is no compiler.
Submission prepare(const Manifest& manifest, const std::filesystem::path& file,
                   const std::filesystem::path& cache_directory,
                   const PrepareOptions& options = {});

/// The kernels of a submission as NVRTC makes them with -G. For the sanitizers alone: nothing is hidden by
/// the optimiser, but the arithmetic is another (no products and sums in one rounding).
struct Unoptimised {
  Build build;
  /// Why it was not checked, or not to the end: the compiler took too long, an instruction that the simulator does not run, the
  /// budget. Empty: it was.
  std::vector<words::Message> trouble;
};
/// Of a submission that prepare() has found in order.
Unoptimised prepare_unoptimised(const Submission& submission, const Compiler& compiler);

// ---- the steps of prepare(), which `labkit profile` takes for a kernel of no lab. Each gives false once there is a verdict.

bool read_source(Submission& submission, std::uint64_t most_bytes);
/// Compiles `source` as `request` asks otherwise.
bool compile_source(Submission& submission, compile::Request request, const Compiler& compiler);
/// The same for a GPU's own architecture. What compiles for the simulator may still differ there (__CUDA_ARCH__).
bool compile_for_gpu(Submission& submission, compile::Request request, const std::string& arch,
                     const Compiler& compiler);
/// Reads the PTX of `build` (device::Module::parsed).
bool parse_ptx(Submission& submission);

}  // namespace labkit::grade
