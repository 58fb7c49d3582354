#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/work_folder.h"
#include "compile/clang/clang.h"
#include "compile/diagnose.h"
#include "compile/outline.h"
#include "process/process.h"
#include "program/compilers.h"

namespace labkit::program {
namespace {

namespace fs = std::filesystem;

/// A compiler's, far more than any file takes.
constexpr double kMostSeconds = 120;

process::Result run(std::vector<std::string> argv) {
  process::Command command;
  command.argv = std::move(argv);
  command.environment = process::whole_environment();
  command.limits.wall_seconds = kMostSeconds;
  return process::run(command);
}

/// nvcc puts the folder in which it was started before the source's name.
std::string with_short_name(std::string ptx, const std::string& name) {
  constexpr std::string_view kFile = "\t.file\t";
  for (std::size_t at = ptx.find(kFile); at != std::string::npos; at = ptx.find(kFile, at + 1)) {
    const std::size_t open = ptx.find('"', at) + 1, close = ptx.find('"', open);
    if (open == 0 || close == std::string::npos) break;
    if (fs::path(ptx.substr(open, close - open)).filename() == name)
      ptx.replace(open, close - open, name);
  }
  return ptx;
}

}  // namespace

compile::Assembled assemble(const std::string& ptx) {
  compile::Assembled assembled;
  const std::string nvcc = find_nvcc();
  const fs::path ptxas = fs::path(nvcc).parent_path() / "ptxas";
  if (nvcc.empty() || !fs::exists(ptxas)) {
    assembled.why_not = "there is no ptxas";
    return assembled;
  }
  const WorkFolder folder;
  const fs::path from = folder.path() / "code.ptx", to = folder.path() / "code.cubin";
  write_file_atomically(from, ptx);
  const process::Result ran =
      run({ptxas.string(), "-arch=sm_90", "-o", to.string(), from.string()});
  if (!ran.ok()) {
    assembled.why_not = "ptxas refused it: " + to_valid_utf8(ran.err);
    return assembled;
  }
  assembled.kernels = compile::kernels_of_cubin(read_file(to));
  assembled.by = "ptxas for sm_90";
  return assembled;
}

compile::Result device_code(const compile::Request& request, const BuildOptions& options) {
  const WorkFolder folder;
  const fs::path file = request.path;
  const fs::path copy = folder.path() / "code.cu", ptx = folder.path() / "code.ptx";
  const std::string nvcc = options.compiler == "clang" ? "" : find_nvcc();
  std::vector<std::string> argv;
  compile::Result result;
  if (!nvcc.empty()) {
    result.compiler = "nvcc";
    argv = {nvcc, "-ptx", "-arch=compute_90", request.device_debug ? "-G" : "-lineinfo"};
    add(argv, {"-diag-suppress", "177"});
    add(argv, nvcc_words(options));
  } else {
    const compile::ClangInfo clang = compile::find_clang();
    result.compiler = fmt::format("clang {}", clang.major);
    argv = {clang.program, "--driver-mode=g++", "-x", "cuda"};
    add(argv, clang_words(options));
    add(argv, clang_device_words());
    add(argv, {request.device_debug ? "-O0" : "-O2",
               request.device_debug ? "-g" : "-gline-directives-only"});
  }
  add(argv, {"-I" + file.parent_path().string(), "-o", ptx.string(), copy.string()});
  write_file_atomically(
      copy, with_names(request.source, request.name) + compile::lines_asking_for(request.kernels));
  const process::Result ran = run(argv);
  result.log = ran.out + ran.err;
  if (!ran.ok()) {
    const std::vector<std::string> present = compile::kernels_of(request.source);
    const bool is_name_wrong = compile::first_error_is_of_a_name(result.log);
    for (const std::string& wanted : request.kernels) {
      const std::string name = compile::base_name(wanted);
      if (!is_name_wrong && std::ranges::count(present, name.substr(name.rfind(':') + 1)) != 0)
        continue;
      result.status = compile::Status::missing_kernel;
      result.message = {compile::explain_missing(
          {.expression = wanted, .signature = {}, .log = result.log, .present = present},
          request.name)};
      if (is_name_wrong) result.log.clear();  // it is about lines that no file has
      return result;
    }
    result.message = {compile::explain_rejection(result.log, request.name, request.kernels,
                                                 request.source, request.signatures)};
    return result;
  }
  result.ptx = with_short_name(read_file(ptx), request.name);
  compile::take_entries(result.ptx, request.kernels, result.entries);
  result.status = compile::Status::ok;
  if (request.registers) result.assembled = assemble(result.ptx);
  return result;
}

}  // namespace labkit::program
