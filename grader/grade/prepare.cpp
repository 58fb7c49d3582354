// The step `prepare`: a submission becomes builds that can be run, or a verdict why not.
#include "grade/prepare.h"

#include <fmt/format.h>

#include <ranges>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/diagnose.h"
#include "device/source_findings.h"

namespace labkit::grade {

namespace {

using words::Id;
using words::Message;

/// A kernel in a source file: nobody writes more, and the compiler's input stays bounded.
constexpr std::uint64_t kMaxSourceBytes = 1 << 20;

bool fail(Submission& submission, std::string kind, Message message) {
  submission.verdict = {.kind = std::move(kind)};
  submission.message = {std::move(message)};
  return false;
}

std::string parameter_list(const Kernel& kernel) {
  return joined(kernel.parameters | std::views::transform(&Parameter::text));
}

std::string declaration(const Kernel& kernel) {
  const bool is_template = kernel.expressions.front().find('<') != std::string::npos;
  return fmt::format("{}__global__ void {}({})", is_template ? "template <typename T> " : "",
                     kernel.name, parameter_list(kernel));
}

/// The line of the source's first error; 0 if it has none. Of a name that is not known that of the `for` which declares it and
/// ends too early. The compiler misses a semicolon where the next line begins: then it is the line before that, of those with
/// anything in them.
std::uint32_t line_of_slip(const std::string& log, const std::string& name,
                           const std::string& source) {
  const std::vector<compile::Diagnostic> errors = compile::errors_in_source_order(log, name);
  if (errors.empty()) return 0;
  const compile::Diagnostic& first = errors.front();
  if (const std::uint32_t loop = device::loop_without_body(first, source)) return loop;
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

/// Id::none if `function` takes the parameters of `kernel`, by number and size; else what is wrong.
Message signature_complaint(const Kernel& kernel, const ptx::Function& function) {
  std::vector<words::Parameter> must = {{"kernel", kernel.name},
                                        {"parameters", parameter_list(kernel)}};
  if (function.parameters.size() != kernel.parameters.size()) {
    must.push_back({"count", words::count(function.parameters.size())});
    return {Id::signature_count, std::move(must)};
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::uint64_t bytes = function.parameters[i].size_bytes;
    if (bytes == kernel.parameters[i].size_bytes) continue;
    must.push_back({"position", words::count(i + 1)});
    must.push_back({"bytes", words::count(bytes)});
    must.push_back({"wanted", kernel.parameters[i].text});
    must.push_back({"wanted_bytes", words::count(kernel.parameters[i].size_bytes)});
    return {Id::signature_size, std::move(must)};
  }
  return {};
}

/// Holds every kernel's parameters against lab.toml.
void check_signatures(const Manifest& manifest, Submission& submission) {
  for (const auto& [expression, entry] : submission.build.entries) {
    const Kernel* kernel = manifest.kernel_of(expression);
    const ptx::Function* function = submission.build.module.parsed->find_function(entry);
    if (!kernel || !function || !function->is_entry)
      kit_fault(fmt::format("{}: the compiler named {} as {}, but its PTX has no such entry",
                            submission.file.string(), expression, entry));
    const Message complaint = signature_complaint(*kernel, *function);
    if (!complaint) continue;
    fail(submission, "signature", complaint);
    submission.where.line = submission.kernels[kernel->name].line;
    return;
  }
}

/// The build that a result is. A refusal of the compiler is a verdict.
bool take(const compile::Result& result, const compile::Request& request, Submission& submission,
          Build& build) {
  build = build_of(request, result);
  if (result.status == compile::Status::ok) return true;
  submission.compile_log = result.log;
  const bool is_rejected = result.status == compile::Status::rejected;
  if (is_rejected)
    submission.where.line = line_of_slip(result.log, request.name, submission.source);
  submission.verdict = {.kind = is_rejected ? "compile_error"
                                : result.status == compile::Status::missing_kernel
                                    ? "missing_kernel"
                                    : "compile_limit"};
  submission.message = result.message;
  return false;
}

Message not_filled_in(const std::string& kernel, const std::vector<std::uint32_t>& blanks) {
  Message message{blanks.empty() ? Id::submission_empty : Id::submission_blanks};
  if (blanks.empty()) {
    message.parameters.push_back({"kernel", kernel});
    return message;
  }
  message.parameters.push_back({"lines", fmt::format("{}", fmt::join(blanks, ", "))});
  message.parameters.push_back({"count", static_cast<std::int64_t>(blanks.size())});
  return message;
}

}  // namespace

void kit_fault(const std::string& what) {
  throw Error(what, "report this: it is a fault of the kit");
}

bool Submission::attempted(const Kernel& kernel) const {
  const auto at = kernels.find(kernel.name);
  if (at == kernels.end() || !at->second.found) return !kernel.optional;
  return !at->second.untouched;
}

bool read_source(Submission& submission, std::uint64_t most_bytes) {
  submission.where.file = submission.file.filename().string();
  std::error_code unknown;  // what cannot be asked for its size is told by read_file
  if (std::filesystem::is_regular_file(submission.file, unknown) &&
      std::filesystem::file_size(submission.file, unknown) > most_bytes && !unknown)
    return fail(submission, "compile_limit",
                {Id::submission_too_large,
                 {{"file", submission.where.file}, {"mib", words::count(most_bytes >> 20)}}});
  submission.source = read_file(submission.file, most_bytes);
  return true;
}

Compiler jailed_compiler(const std::filesystem::path& cache_directory) {
  return [cache_directory](const compile::Request& request) {
    return cache_directory.empty() ? compile::compile(request)
                                   : compile::compile_cached(request, cache_directory.string());
  };
}

Build build_of(const compile::Request& request, compile::Result result) {
  return {.module = {.name = request.name,
                     .ptx = std::move(result.ptx),
                     .cubin = std::move(result.cubin),
                     .assembled = std::move(result.assembled)},
          .entries = std::move(result.entries)};
}

bool compile_source(Submission& submission, compile::Request request, const Compiler& compiler) {
  request.source = submission.source;
  request.name = submission.file.filename().string();
  const compile::Result result = compiler(request);
  submission.compile_log = result.log;
  submission.compiler = result.compiler;
  submission.jail = result.jail;
  submission.notes = result.notes;
  for (const auto& [expression, signature] : request.signatures)
    if (submission.lost_parameter.empty() && result.status != compile::Status::ok)
      submission.lost_parameter = compile::lost_parameter(result.log, request.name, signature);
  return take(result, request, submission, submission.build);
}

bool compile_for_gpu(Submission& submission, compile::Request request, const std::string& arch,
                     const Compiler& compiler) {
  request.source = submission.source;
  request.name = submission.file.filename().string();
  request.arch = arch;
  request.registers = false;  // a GPU knows its own
  request.path = std::filesystem::absolute(submission.file).lexically_normal().string();
  return take(compiler(request), request, submission, submission.gpu_build);
}

bool parse_ptx(Submission& submission) {
  ptx::ParseResult parsed = ptx::parse(submission.build.module.ptx);
  if (!parsed.module)
    return fail(
        submission, "unsupported",
        {Id::submission_strange_ptx,
         {{"what", parsed.error.message}, {"ptx_line", words::count(parsed.error.ptx_line)}}});
  submission.build.module.parsed = std::make_shared<const ptx::Module>(std::move(*parsed.module));
  return true;
}

Submission prepare(const Manifest& manifest, const std::filesystem::path& file,
                   const std::filesystem::path& cache_directory, const PrepareOptions& options) {
  Submission submission;
  submission.file = file;
  if (!std::filesystem::exists(file)) {
    fail(submission, "missing_kernel",
         {Id::submission_missing,
          {{"file", file.string()}, {"command", command_name()}, {"lab", manifest.id}}});
    return submission;
  }
  if (!read_source(submission, kMaxSourceBytes)) return submission;
  compile::Request request;
  bool any_attempted = false;
  const compile::SourceOutline outline(submission.source);
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
    submission.where.line = !first.blanks.empty()  ? first.blanks.front()
                            : first.todo_line != 0 ? first.todo_line
                                                   : first.line;
    fail(submission, "untouched",
         manifest.kernels.size() == 1 ? not_filled_in(manifest.kernels.front().name, first.blanks)
                                      : Message{Id::submission_all_empty});
    return submission;
  }
  request.registers = true;
  if (!compile_source(submission, request, jailed_compiler(cache_directory))) return submission;
  if (!parse_ptx(submission)) return submission;
  check_signatures(manifest, submission);
  if (submission.verdict.passed() && !options.gpu_arch.empty())
    compile_for_gpu(submission, std::move(request), options.gpu_arch,
                    jailed_compiler(cache_directory));
  return submission;
}

Unoptimised prepare_unoptimised(const Submission& submission, const Compiler& compiler) {
  compile::Request request;
  request.source = submission.source;
  request.name = submission.file.filename().string();
  for (const auto& [expression, entry] : submission.build.entries)
    request.kernels.push_back(expression);
  request.device_debug = true;
  compile::Result result = compiler(request);
  Unoptimised made;
  if (result.status != compile::Status::ok) {
    made.trouble = {{Id::unoptimised_unchecked}};
    made.trouble.insert(made.trouble.end(), result.message.begin(), result.message.end());
  }
  made.build = build_of(request, std::move(result));
  return made;
}

void LaunchSetup::add_buffer(launch::Buffer buffer, std::uint64_t elements_of_row) {
  launch.arguments.emplace_back(
      launch::BufferRef{.index = static_cast<std::uint32_t>(buffers.size())});
  buffers.push_back(std::move(buffer));
  row_elements.push_back(elements_of_row);
}

std::uint32_t add_build(device::Plan& plan, const Build& build) {
  plan.modules.push_back(build.module);
  return static_cast<std::uint32_t>(plan.modules.size() - 1);
}

device::PlannedLaunch& add_launch(device::Plan& plan, std::uint32_t module, const Build& build,
                                  const LaunchSetup& setup) {
  const auto first = static_cast<std::uint32_t>(plan.buffers.size());
  device::PlannedLaunch planned{.module = module, .launch = setup.launch};
  planned.launch.entry = build.entries.at(setup.launch.kernel);
  for (launch::Argument& argument : planned.launch.arguments)
    if (auto* buffer = std::get_if<launch::BufferRef>(&argument)) buffer->index += first;
  plan.buffers.insert(plan.buffers.end(), setup.buffers.begin(), setup.buffers.end());
  plan.row_elements.insert(plan.row_elements.end(), setup.row_elements.begin(),
                           setup.row_elements.end());
  plan.launches.push_back(std::move(planned));
  return plan.launches.back();
}

device::Plan plan_of(const Build& build, const LaunchSetup& setup) {
  device::Plan plan;
  add_launch(plan, add_build(plan, build), build, setup);
  return plan;
}

}  // namespace labkit::grade
