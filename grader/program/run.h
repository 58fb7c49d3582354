// Compiles and runs a CUDA program whose GPU is simulated.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "program/report.h"
#include "program/session.h"

namespace labkit::program {

struct BuildOptions {
  std::string compiler = "auto";  ///< nvcc, clang, auto: nvcc where it is there
  std::vector<std::string> include, define;
  std::vector<std::string> options;  ///< passed on as they are
  std::vector<std::string> sources;  ///< more files of the program, .cu or .cpp
};

/// What came of compiling a .cu.
struct Built {
  std::filesystem::path program;  ///< empty: it does not compile
  std::string log;                ///< the compiler's
  std::string compiler;           ///< "nvcc 13.0"
};
/// Into `folder`. Throws labkit::Error where there is no compiler.
Built build(const std::filesystem::path& source, const std::filesystem::path& folder,
            const BuildOptions& options);

/// The device code alone of a file as its author wrote it: `request` with what stands in its file, and in the headers that this
/// includes from anywhere. By nvcc, else by clang, as the user, in no jail. Throws labkit::Error where there is no compiler.
compile::Result device_code(const compile::Request& request, const BuildOptions& options);

/// What ptxas, where it is there, makes of PTX for an H200.
compile::Assembled assemble(const std::string& ptx);

/// Throws labkit::UsageError naming nvcc's options where it has no shared runtime of CUDA 12 or 13.
void require_shared_runtime(const std::filesystem::path& program);

/// Runs it to its end, with this process's stdin, stdout and stderr. `stop`: Ctrl-C; the report is then of what it did so far. Throws
/// labkit::Error where the simulator cannot go on.
Report run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
           const SessionOptions& options, const std::atomic<bool>& stop);

}  // namespace labkit::program
