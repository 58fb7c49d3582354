// A student's file on its way to being kernels: read, looked at, compiled, its signatures checked.
// Whatever is the student's fault ends as a verdict here.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/outline.h"
#include "device/device.h"
#include "lab/manifest.h"
#include "lab/result.h"
#include "ptx/module.h"

namespace labkit::lab {

struct Submission {
  std::filesystem::path file;
  Verdict verdict;           ///< pass: ready to run
  std::string message;       ///< for another verdict: one sentence or two
  launch::SourceLine where;  ///< where to begin, if known
  std::string compile_log, compiler;
  std::string lost_parameter;  ///< see LabResult
  std::string jail;            ///< compile::Result::jail; "" if nothing was compiled
  std::vector<std::string> notes;
  std::map<std::string, compile::KernelSource> kernels;  ///< by kernel name
  std::string source;                                    ///< as read
  std::string ptx;                                       ///< for the simulator
  compile::Assembled assembled;                          ///< of that PTX
  std::map<std::string, std::string> entries;            ///< expression -> mangled name
  device::Module gpu_module;                             ///< for PrepareOptions::gpu_arch
  std::map<std::string, std::string> gpu_entries;        ///< of that
  std::shared_ptr<const ptx::Module> module;             ///< what it says

  /// True unless the kernel's body is there and still empty, or the kernel is optional and not
  /// there.
  bool attempted(const Kernel& kernel) const;
};

struct PrepareOptions {
  bool compile_untouched = false;  ///< compile a stub too, rather than call it untouched
  std::string gpu_arch = {};       ///< compile for this as well ("sm_90"); empty: not for a GPU
};
/// Reads and compiles `file` (the result kept in `cache_directory`). Throws labkit::Error if the
/// file cannot be read or there is no compiler.
Submission prepare(const Manifest& manifest, const std::filesystem::path& file,
                   const std::filesystem::path& cache_directory,
                   const PrepareOptions& options = {});

/// The kernels of a submission as NVRTC makes them with -G. For the sanitizers alone: nothing is hidden by
/// the optimiser, but the arithmetic is another (no products and sums in one rounding).
struct Unoptimised {
  device::Module module;
  std::map<std::string, std::string> entries;  ///< expression -> mangled name
  std::string trouble;  ///< why there is none (the compiler took too long); else ""
  /// What ended a launch of it that says nothing of the source: an instruction that the simulator does not run, the budget.
  std::optional<launch::Finding> stopped_by;
};
/// Of a submission that prepare() has found in order.
Unoptimised prepare_unoptimised(const Submission& submission,
                                const std::filesystem::path& cache_directory);

/// Empty if `function` takes the parameters of `kernel`, by number and size; else the sentence for
/// the student.
std::string signature_complaint(const Kernel& kernel, const ptx::Function& function);

}  // namespace labkit::lab
