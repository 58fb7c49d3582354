#include "lab/submission.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/command_name.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compile.h"
#include "compile/diagnose.h"

namespace labkit::lab {
namespace {

/// A kernel in a source file: nobody writes more, and the compiler's input stays bounded.
constexpr std::uint64_t kMaxSourceBytes = 1 << 20;

void fail(Submission& submission, std::string kind, std::string message) {
  submission.verdict = {.kind = std::move(kind), .gate = {}};
  submission.message = std::move(message);
}

std::string parameter_list(const Kernel& kernel) {
  std::string list;
  for (const Parameter& parameter : kernel.parameters)
    list += (list.empty() ? "" : ", ") + parameter.text;
  return list;
}

std::string declaration(const Kernel& kernel) {
  const bool is_template = kernel.expressions.front().find('<') != std::string::npos;
  return fmt::format("{}__global__ void {}({})", is_template ? "template <typename T> " : "",
                     kernel.name, parameter_list(kernel));
}

/// The line of the source's first error; 0 if it has none. The compiler misses a semicolon where the next line begins: then
/// it is the line before that, of those with anything in them.
std::uint32_t line_of_slip(const std::string& log, const std::string& name,
                           const std::string& source) {
  const std::vector<compile::Diagnostic> errors = compile::errors_in_source_order(log, name);
  if (errors.empty()) return 0;
  const compile::Diagnostic& first = errors.front();
  const bool begins_its_line =
      first.caret != std::string::npos && first.caret == first.shown.find_first_not_of(" \t");
  if (first.kind != compile::DiagnosticKind::expected_symbol || first.name(0) != ";" ||
      !begins_its_line)
    return first.line;
  const auto lines = split_lines(source);
  for (std::size_t before = first.line - 1; before > 0 && before <= lines.size(); --before)
    if (const auto text = trim(lines[before - 1]); !text.empty() && !text.starts_with("//"))
      return static_cast<std::uint32_t>(before);
  return first.line;
}

/// Parses the PTX and holds every kernel's parameters against lab.toml.
void inspect_module(const Manifest& manifest, Submission& submission) {
  ptx::ParseResult parsed = ptx::parse(submission.ptx);
  if (!parsed.module) {
    fail(
        submission, "unsupported",
        fmt::format("The compiled kernel holds something the grader cannot read: {} (PTX line {}). "
                    "Inline asm is the usual cause.",
                    parsed.error.message, parsed.error.ptx_line));
    return;
  }
  submission.module = std::make_shared<const ptx::Module>(std::move(*parsed.module));
  for (const auto& [expression, entry] : submission.entries) {
    const Kernel* kernel = manifest.kernel_of(expression);
    const ptx::Function* function = submission.module->find_function(entry);
    if (!kernel || !function || !function->is_entry)
      throw Error(fmt::format("{}: the compiler named {} as {}, but its PTX has no such entry",
                              submission.file.string(), expression, entry),
                  "report this: it is a fault of the kit");
    const std::string complaint = signature_complaint(*kernel, *function);
    if (complaint.empty()) continue;
    fail(submission, "signature", complaint);
    submission.where.line = submission.kernels[kernel->name].line;
    return;
  }
}

compile::Result compile_request(const compile::Request& request,
                                const std::filesystem::path& cache_directory) {
  return cache_directory.empty() ? compile::compile(request)
                                 : compile::compile_cached(request, cache_directory.string());
}

/// The verdict that a refusal of the compiler is.
void take_refusal(const compile::Result& compiled, const std::string& name,
                  Submission& submission) {
  switch (compiled.status) {
    case compile::Status::ok:
      break;
    case compile::Status::rejected:
      fail(submission, "compile_error", compiled.message);
      submission.where.line = line_of_slip(compiled.log, name, submission.source);
      break;
    case compile::Status::missing_kernel:
      fail(submission, "missing_kernel", compiled.message);
      break;
    case compile::Status::limit:
      fail(submission, "compile_limit", compiled.message);
      break;
  }
}

/// The same source for the GPU's own architecture. What compiles for the simulator may still differ
/// there (__CUDA_ARCH__), so a refusal is a verdict too.
void compile_for_gpu(compile::Request request, const std::string& arch,
                     const std::filesystem::path& cache_directory, Submission& submission) {
  request.arch = arch;
  request.registers = false;  // a GPU knows its own
  request.path = std::filesystem::absolute(submission.file).string();
  const compile::Result compiled = compile_request(request, cache_directory);
  submission.gpu_module = {.name = request.name, .ptx = compiled.ptx, .cubin = compiled.cubin};
  take_refusal(compiled, request.name, submission);
  submission.gpu_entries = compiled.entries;
}

}  // namespace

bool Submission::attempted(const Kernel& kernel) const {
  const auto at = kernels.find(kernel.name);
  if (at == kernels.end() || !at->second.found) return !kernel.optional;
  return !at->second.untouched;
}

std::string signature_complaint(const Kernel& kernel, const ptx::Function& function) {
  const std::string must =
      fmt::format("{} must take ({}), in this order; ", kernel.name, parameter_list(kernel));
  if (function.parameters.size() != kernel.parameters.size())
    return must + fmt::format("yours takes {} parameter{}.", function.parameters.size(),
                              function.parameters.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (function.parameters[i].size_bytes != kernel.parameters[i].size_bytes)
      return must + fmt::format("your parameter {} has {} bytes where `{}` has {}.", i + 1,
                                function.parameters[i].size_bytes, kernel.parameters[i].text,
                                kernel.parameters[i].size_bytes);
  return {};
}

Submission prepare(const Manifest& manifest, const std::filesystem::path& file,
                   const std::filesystem::path& cache_directory, const PrepareOptions& options) {
  Submission submission;
  submission.file = file;
  submission.where.file = file.filename().string();
  submission.verdict.kind = "pass";

  if (!std::filesystem::exists(file)) {
    fail(submission, "missing_kernel",
         fmt::format("{} is not there. `{} reset {}` brings the empty kernel back.", file.string(),
                     command_name(), manifest.id));
    submission.where = {};
    return submission;
  }
  compile::Request request;
  std::error_code unknown;  // what cannot be asked for its size is told by read_file
  if (std::filesystem::is_regular_file(file, unknown) &&
      std::filesystem::file_size(file, unknown) > kMaxSourceBytes && !unknown) {
    fail(submission, "compile_limit",
         fmt::format("{} is larger than {} KiB, more than any kernel needs. Is it the right file?",
                     submission.where.file, kMaxSourceBytes >> 10));
    return submission;
  }
  request.source = read_file(file, kMaxSourceBytes);
  request.name = file.filename().string();
  submission.source = request.source;
  bool any_attempted = false;
  const compile::SourceOutline outline(request.source);
  for (const Kernel& kernel : manifest.kernels) {
    const compile::KernelSource found = outline.kernel(kernel.name);
    submission.kernels[kernel.name] = found;
    any_attempted |= submission.attempted(kernel);
    if (!found.found && kernel.optional) continue;
    for (const std::string& expression : kernel.expressions)
      request.signatures[expression] = declaration(kernel);
    request.kernels.insert(request.kernels.end(), kernel.expressions.begin(),
                           kernel.expressions.end());
  }
  if (!any_attempted && !options.compile_untouched) {
    const compile::KernelSource& first = submission.kernels[manifest.kernels.front().name];
    submission.where.line = first.todo_line ? first.todo_line : first.line;
    fail(
        submission, "untouched",
        fmt::format("{} is still empty.",
                    manifest.kernels.size() == 1 ? manifest.kernels.front().name : "Every kernel"));
    return submission;
  }

  request.registers = true;
  const compile::Result compiled = compile_request(request, cache_directory);
  submission.compile_log = compiled.log;
  submission.compiler = compiled.compiler;
  submission.jail = compiled.jail;
  submission.notes = compiled.notes;
  submission.ptx = compiled.ptx;
  submission.assembled = compiled.assembled;
  submission.entries = compiled.entries;
  if (compiled.status == compile::Status::ok) {
    inspect_module(manifest, submission);
    if (submission.verdict.passed() && !options.gpu_arch.empty())
      compile_for_gpu(std::move(request), options.gpu_arch, cache_directory, submission);
    return submission;
  }
  take_refusal(compiled, request.name, submission);
  for (const auto& [expression, signature] : request.signatures)
    if (submission.lost_parameter.empty())
      submission.lost_parameter = compile::lost_parameter(compiled.log, request.name, signature);
  return submission;
}

Unoptimised prepare_unoptimised(const Submission& submission,
                                const std::filesystem::path& cache_directory) {
  compile::Request request;
  request.source = submission.source;
  request.name = submission.file.filename().string();
  for (const auto& [expression, entry] : submission.entries) request.kernels.push_back(expression);
  request.device_debug = true;
  const compile::Result compiled = compile_request(request, cache_directory);
  Unoptimised made;
  if (compiled.status != compile::Status::ok) made.trouble = compiled.message;
  made.module = {.name = request.name, .ptx = compiled.ptx};
  made.entries = compiled.entries;
  return made;
}

}  // namespace labkit::lab
