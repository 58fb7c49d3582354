#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "compile/clang/clang.h"
#include "process/process.h"
#include "program/compilers.h"
#include "program/run.h"

namespace labkit::program {
namespace {

namespace fs = std::filesystem;

/// Runs them one after another, as far as they succeed.
Built run_compilers(const std::vector<std::vector<std::string>>& commands, const fs::path& program,
                    std::string compiler) {
  Built built{.program = program, .log = {}, .compiler = std::move(compiler)};
  for (const std::vector<std::string>& argv : commands) {
    process::Command command;
    command.argv = argv;
    command.environment = process::whole_environment();
    const process::Result result = process::run(command);
    built.log += result.out + result.err;
    if (result.ok()) continue;
    built.program.clear();
    break;
  }
  return built;
}

/// " 13.0"; "" where it does not say.
std::string release_of(const std::string& nvcc) {
  process::Command command;
  command.argv = {nvcc, "--version"};
  command.environment = process::whole_environment();
  const std::string text = process::run(command).out;
  const std::string_view before = "release";
  const auto at = text.find(before);
  if (at == std::string::npos) return "";
  const auto begin = at + before.size();
  return text.substr(begin, text.find_first_not_of(" .0123456789", begin) - begin);
}

/// PTX alone: the simulator reads it, and machine code would take seconds to make. Host code is optimised: CUDA's wrappers are
/// then inlined, so that a call has the program's line.
Built with_nvcc(const std::string& nvcc, const fs::path& source, const fs::path& program,
                const BuildOptions& options) {
  std::vector<std::string> argv = {nvcc, "-cudart", "shared", "-lineinfo", "-g"};
  add(argv,
      {"-Xcompiler", "-O2", "-o", program.string(), "-gencode", "arch=compute_90,code=compute_90"});
  add(argv, nvcc_words(options));
  argv.push_back(source.string());
  add(argv, options.sources);
  return run_compilers({argv}, program, "nvcc" + release_of(nvcc));
}

/// Device code first; its PTX goes into the host's object, where nvcc puts a fat binary.
Built with_clang(const fs::path& source, const fs::path& program, const BuildOptions& options) {
  const compile::ClangInfo clang = compile::find_clang();
  const fs::path runtime = runtime_folder();
  std::vector<std::string> both = {clang.program, "--driver-mode=g++", "-x", "cuda"};
  add(both, clang_words(options));

  std::vector<fs::path> files = {source};
  files.insert(files.end(), options.sources.begin(), options.sources.end());
  const std::string compiler = fmt::format("clang {}", clang.major);
  std::string log;  // of the device code
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> link = {clang.program, "--driver-mode=g++", "-std=c++17", "-g", "-O2",
                                   "-o",          program.string()};
  add(link, asked_for(options));  // files of the host alone are compiled on the way
  for (const fs::path& file : files) {
    if (file.extension() != ".cu") {
      link.push_back(file.string());
      continue;
    }
    const std::string name = fmt::format("{}.{}", program.string(), commands.size());
    const std::string ptx = name + ".ptx", object = name + ".o", named = name + ".cu";
    write_file_atomically(named, with_names(read_file(file), file.string()));
    const fs::path beside = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::vector<std::string> device = both, host = both;
    device.push_back("-I" + beside.string());
    add(device, clang_device_words());
    add(device, {"-O2", "-gline-directives-only", "-o", ptx, named});
    add(host, {"-O2", "-g", "-I" + beside.string(), "--cuda-host-only", "-Xclang",
               "-fcuda-include-gpubinary", "-Xclang", ptx});
    add(host, {"-c", "-o", object, named});
    const Built built = run_compilers({device}, ptx, compiler);
    log += built.log;
    if (built.program.empty()) return {.program = {}, .log = log, .compiler = compiler};
    std::ofstream(ptx, std::ios::binary | std::ios::app).put('\0');  // clang 19 adds no end
    commands.push_back(host);
    link.push_back(object);
  }
  add(link, {"-I" + (runtime / "include").string(), "-L" + runtime.string(), "-l:libcudart.so.12"});
  commands.push_back(link);
  Built built = run_compilers(commands, program, compiler);
  built.log = log + built.log;
  return built;
}

}  // namespace

Built build(const fs::path& source, const fs::path& folder, const BuildOptions& options) {
  const fs::path program = folder / "program";
  const std::string nvcc = options.compiler == "clang" ? "" : find_nvcc();
  if (!nvcc.empty()) return with_nvcc(nvcc, source, program, options);
  if (options.compiler == "nvcc")
    throw Error("there is no nvcc here", "install the CUDA Toolkit, or put nvcc's folder into PATH",
                error_id::kCompilerMissing);
  return with_clang(source, program, options);
}

}  // namespace labkit::program
