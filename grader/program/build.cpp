#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/clang/clang.h"
#include "compile/tokens.h"
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

template <typename T>
void add(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> asked_for(const BuildOptions& options) {
  std::vector<std::string> words;
  for (const std::string& one : options.include) words.push_back("-I" + one);
  for (const std::string& one : options.define) words.push_back("-D" + one);
  add(words, options.options);
  return words;
}

/// PTX alone: the simulator reads it, and machine code would take seconds to make.
Built with_nvcc(const std::string& nvcc, const fs::path& source, const fs::path& program,
                const BuildOptions& options) {
  std::vector<std::string> argv = {nvcc,      "-x",     "cu",       "-std=c++17",
                                   "-cudart", "shared", "-lineinfo"};
  add(argv, {"-gencode", "arch=compute_90,code=compute_90", "-o", program.string()});
  add(argv, asked_for(options));
  argv.push_back(source.string());
  add(argv, options.sources);
  return run_compilers({argv}, program, "nvcc");
}

/// clang drops a kernel that nothing outside of its file can name, before it knows that the host launches it. So unnamed namespaces
/// get a name, and `static` goes from kernels. Lines stay as they are.
std::string with_names(const std::string& source, const fs::path& path) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::string text = fmt::format("# 1 \"{}\"\n", replace_all(path.string(), "\"", "\\\""));
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_unnamed = tokens.is(i, "namespace") && tokens.is(i + 1, "{");
    const bool is_static = tokens.is(i, "static") && (tokens.is(i + 1, "__global__") ||
                                                      (i > 0 && tokens.is(i - 1, "__global__")));
    if (!is_unnamed && !is_static) continue;
    text += source.substr(done, tokens[i].begin - done);
    if (is_unnamed) text += "inline namespace labkit_unnamed";
    done = tokens[i].end();
  }
  return text + source.substr(done);
}

/// Device code first; its PTX goes into the host's object, where nvcc puts a fat binary.
Built with_clang(const fs::path& source, const fs::path& program, const BuildOptions& options) {
  const compile::ClangInfo clang = compile::find_clang();
  const fs::path runtime =
      fs::path(process::program_of_the_kit("cudart/libcudart.so.12")).parent_path();
  std::vector<std::string> both = {clang.program, "--driver-mode=g++", "-x",
                                   "cuda",        "-std=c++17",        "-O2"};
  add(both, {"-nocudainc", "-nocudalib", "-I" + (runtime / "include").string(), "-include",
             "labkit_program.h"});
  // of what CUDA's version decides: which functions a launch calls
  add(both, {"-Xclang", "-target-sdk-version=11.2", "-Wno-unknown-cuda-version"});
  add(both, asked_for(options));

  std::vector<fs::path> files = {source};
  files.insert(files.end(), options.sources.begin(), options.sources.end());
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> link = {clang.program, "--driver-mode=g++", "-o", program.string()};
  for (const fs::path& file : files) {
    if (file.extension() != ".cu") {
      link.push_back(file.string());
      continue;
    }
    const std::string name = fmt::format("{}.{}", program.string(), commands.size());
    const std::string ptx = name + ".ptx", object = name + ".o", named = name + ".cu";
    write_file_atomically(named, with_names(read_file(file), file));
    const fs::path beside = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::vector<std::string> device = both, host = both;
    add(device, {"-I" + beside.string(), "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-Xclang",
                 "-target-feature", "-Xclang", "+ptx75"});
    add(device, {"-gline-directives-only", "-S", "-o", ptx, named});
    add(host, {"-I" + beside.string(), "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary",
               "-Xclang", ptx});
    add(host, {"-c", "-o", object, named});
    add(commands, {device, host});
    link.push_back(object);
  }
  add(link, {"-I" + (runtime / "include").string(), "-L" + runtime.string(), "-l:libcudart.so.12"});
  commands.push_back(link);
  return run_compilers(commands, program, fmt::format("clang {}", clang.major));
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
