#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "process/process.h"
#include "program/run.h"

namespace labkit::program {
namespace {

namespace fs = std::filesystem;

/// In the folders of PATH, and in those that follow; "" if it is nowhere.
std::string find_program(const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH"))
    for (std::istringstream all(path); std::getline(all, folders.emplace_back(), ':');) {
    }
  folders.insert(folders.end(), more.begin(), more.end());
  for (const std::string& folder : folders)
    if (const std::string file = folder + "/" + name;
        !folder.empty() && ::access(file.c_str(), X_OK) == 0)
      return file;
  return "";
}

std::string find_nvcc() {
  std::vector<std::string> more;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) more.push_back(std::string(home) + "/bin");
  more.emplace_back("/usr/local/cuda/bin");
  return find_program("nvcc", more);
}

Built run_compiler(std::vector<std::string> argv, const fs::path& program) {
  process::Command command;
  command.argv = std::move(argv);
  command.environment = process::whole_environment();
  const process::Result result = process::run(command);
  return {.program = result.ok() ? program : fs::path(),
          .log = result.out + result.err,
          .compiler = {}};
}

}  // namespace

Built build(const fs::path& source, const fs::path& folder, const BuildOptions& options) {
  const std::string nvcc = options.compiler == "clang" ? "" : find_nvcc();
  if (nvcc.empty())
    throw Error("there is no nvcc here", "install the CUDA Toolkit, or put nvcc's folder into PATH",
                error_id::kCompilerMissing);
  const fs::path program = folder / "program";
  // PTX alone: the simulator reads it, and machine code would take seconds to make
  std::vector<std::string> argv = {nvcc,       "-x",
                                   "cu",       "-cudart",
                                   "shared",   "-lineinfo",
                                   "-gencode", "arch=compute_90,code=compute_90",
                                   "-o",       program.string()};
  for (const std::string& one : options.include) argv.push_back("-I" + one);
  for (const std::string& one : options.define) argv.push_back("-D" + one);
  argv.insert(argv.end(), options.options.begin(), options.options.end());
  argv.push_back(source.string());
  Built built = run_compiler(std::move(argv), program);
  built.compiler = "nvcc";
  return built;
}

}  // namespace labkit::program
