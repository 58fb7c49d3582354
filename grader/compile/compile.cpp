// To a child in the jail, labkit-nvrtc (worker/main.cpp) or clang: a source. Back: PTX, log, registers; or what the cache holds.
#include "compile/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/clang/clang.h"
#include "compile/diagnose.h"
#include "compile/headers.h"
#include "compile/line_directives.h"
#include "compile/nvrtc_library.h"
#include "compile/outline.h"
#include "compile/protocol.h"
#include "compile/source.h"
#include "process/process.h"

namespace labkit::compile {
namespace {

using nlohmann::json;
using words::Id;
using words::Message;

/// Goes with diagnose.cpp and source.cpp: what they say is kept in the cache.
constexpr const char* kMessages = "5";

/// Read before the source: what nvcc reads before it (M_PI, INFINITY, INT_MAX, uint; cuda_runtime.h brings them there).
/// The pragma: off in NVRTC unless it is asked for, an `if` that ends at its semicolon. No option, since one that some
/// version does not know would be an error.
constexpr const char* kBeforeText =
    "#include <climits>\n#include <cmath>\n#include <cstdlib>\n#include <sys/types.h>\n"
    "#pragma nv_diag_warning 1813\n";
/// And what NVRTC has built in.
constexpr const char* kBeforeTextOfClang = "#include <labkit_cuda.h>\n";

/// Everything that decides the result, ready to be sent or hashed.
struct Job {
  Prepared prepared;
  HeaderSet headers;
  WorkerRequest message;
};

/// What the line table has before the name. A source sees its name alone (__FILE__), wherever it lies.
std::string directory_of(const Request& request) {
  if (request.path.empty() || !request.arch.starts_with("sm_")) return "/";
  return std::filesystem::path(request.path).parent_path().string();
}

/// What the environment's `name` says: `one`, `other`, or "" if it is not set.
std::string_view setting(const char* name, std::string_view one, std::string_view other) {
  const char* value = std::getenv(name);
  const std::string_view word = value == nullptr ? "" : value;
  if (!word.empty() && word != one && word != other)
    throw Error(fmt::format("{} is {}, which means nothing", name, word),
                fmt::format("Set it to {} or {}, or unset it.", one, other));
  return word;
}

/// LABKIT_PTXAS=off: as where no ptxas can be asked, to see what the estimate makes of a kernel.
bool ptxas_is_off() { return setting("LABKIT_PTXAS", "on", "off") == "off"; }

/// LABKIT_JAIL, for the programs of which one starts the other.
bool wants_strict_jail(const Limits& limits) {
  return setting("LABKIT_JAIL", "strict", "lenient") == "strict" || limits.strict_jail;
}

/// The real architecture that `request` wants registers for: that of its virtual one. "": none.
std::string assembled_for(const Request& request, const CompilerInfo& compiler) {
  constexpr std::string_view kVirtual = "compute_";
  if (!request.registers || !request.arch.starts_with(kVirtual) || ptxas_is_off() ||
      compiler.is_clang)
    return {};
  const std::string number = request.arch.substr(kVirtual.size());
  const bool is_known = std::ranges::any_of(
      compiler.nvrtc.architectures, [&](int each) { return std::to_string(each) == number; });
  return is_known ? "sm_" + number : std::string{};
}

/// What every source is called while it is compiled: __FILE__ is the same for `--file alice.cu` and in a class.
constexpr char kNameForCompiler[] = "kernel.cu";

/// The compiler's log with the file's own name where its lines begin, and where it counts the errors of the file.
std::string with_name(const std::string& log, const std::string& name) {
  static constexpr char kOfFile[] = "in the compilation of \"{}\"";
  const std::string text =
      replace_all("\n" + log, std::string("\n") + kNameForCompiler, "\n" + name);
  return replace_all(text.substr(1), fmt::format(kOfFile, kNameForCompiler),
                     fmt::format(kOfFile, name));
}

/// Without the architecture, which NVRTC's worker adds.
std::vector<std::string> options_for(const Request& request, const CompilerInfo& compiler) {
  if (compiler.is_clang) return clang_options(compiler.clang, request, kReadBefore);
  std::vector<std::string> options = {"--std=c++17"};
  if (request.line_info) options.emplace_back("--generate-line-info");
  if (request.device_debug) options.emplace_back("--device-debug");
  options.push_back(std::string("--pre-include=") + kReadBefore);
  return options;
}

/// Of each list of names once: reading what they include in turn takes longer than all else here but the compiler.
HeaderSet known_headers(const std::vector<std::string>& included, const std::string& toolkit) {
  static std::mutex mutex;
  static std::map<std::pair<std::vector<std::string>, std::string>, HeaderSet> known;
  const std::lock_guard lock(mutex);
  const auto at = known.find({included, toolkit});
  if (at != known.end()) return at->second;
  return known[{included, toolkit}] = headers_for(included, toolkit);
}

Job make_job(const Request& request, const CompilerInfo& compiler) {
  Job job;
  job.prepared = prepare(request.source, request.name);
  if (const auto lines = blank_line_directives(job.prepared.source); !lines.empty())
    job.prepared.notes.push_back(line_directives_note(lines, request.name));
  job.headers = compiler.is_clang ? headers_for_clang()
                                  : known_headers(includes_of(job.prepared.source),
                                                  compiler.nvrtc.include_directory);
  job.headers.texts[kReadBefore] =
      (compiler.is_clang ? kBeforeTextOfClang : std::string()) + kBeforeText;
  job.message = {.source = job.prepared.source,
                 .name = kNameForCompiler,
                 .directory = directory_of(request),
                 .clock = kCompilerClock,
                 .headers = job.headers.texts,
                 .options = options_for(request, compiler),
                 .arch = request.arch,
                 .assemble = assembled_for(request, compiler),
                 .names = request.kernels,
                 .tries_each = request.tries_each,
                 .cubin = request.arch.starts_with("sm_")};
  return job;
}

Message memory_message(const Request& request, const Limits& limits) {
  return {Id::compile_memory_limit,
          {{"file", request.name}, {"mib", words::count(limits.memory_bytes >> 20)}}};
}

Message crash_message(const Request& request, const process::Result& run) {
  if (run.end != process::End::signalled)
    return {Id::compile_crash_exit,
            {{"file", request.name}, {"code", std::int64_t{run.exit_code}}}};
  const char* name = ::strsignal(run.signal);
  return {Id::compile_crash,
          {{"file", request.name},
           {"signal", std::int64_t{run.signal}},
           {"name", name == nullptr ? "?" : name}}};
}

/// The compiler died or was stopped: on whose account?
Result ended_early(const process::Result& run, const Request& request, const CompilerInfo& compiler,
                   const Limits& limits) {
  Result result;
  result.status = Status::limit;
  // The source's or an unusual NVRTC's doing: nobody can tell, so it is no verdict, but a teacher
  // learns of it.
  if (const std::string call = process::denied_call(run.err); run.signal == SIGSYS && !call.empty())
    throw Error(
        fmt::format("compiling {}, {} called {}, which the jail does not let it: look at that file",
                    request.name, compiler.version, call),
        "If it is harmless, this compiler needs more than the ones that the kit knows: report "
        "its version (`" +
            command_name() + " doctor`).",
        error_id::kCompilerDenied);
  // Nothing that a source does ends in SIGKILL: the limits on memory make the compiler abort, that on CPU time is told apart.
  if (run.end == process::End::signalled && run.signal == SIGKILL && !run.cpu_limit)
    throw Error("the compiler was killed from outside, perhaps for lack of memory",
                "Run it again; if it happens again, give the machine more memory or less to do.",
                error_id::kCompilerKilled);
  if (run.end == process::End::timed_out)
    throw Error(
        fmt::format("the compiler came to no end within {} s, although it used only {} s of CPU "
                    "time: the machine is too busy",
                    limits.wall_seconds, std::floor(run.cpu_seconds)),
        "Run it again with fewer jobs at once.", error_id::kMachineBusy);
  const bool was_memory =
      run.end == process::End::signalled && run.peak_memory_bytes > limits.memory_bytes / 2;
  if (run.cpu_limit)
    result.message = {
        {Id::compile_time_limit, {{"file", request.name}, {"seconds", limits.cpu_seconds}}}};
  else if (run.end == process::End::output_limit)
    result.message = {{Id::compile_output_limit,
                       {{"file", request.name}, {"mib", words::count(limits.output_bytes >> 20)}}}};
  else if (was_memory)
    result.message = {memory_message(request, limits)};
  else
    result.message = {crash_message(request, run)};
  return result;
}

/// Each line up to that many bytes: the compiler quotes a source line of a megabyte as it is, once for each error.
constexpr std::size_t kLongestLogLine = 400;

std::string with_short_lines(const std::string& log) {
  std::string result;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    std::size_t cut = std::min(end, at + kLongestLogLine);
    // not inside of a character
    while (cut < end && (static_cast<unsigned char>(log[cut]) & 0xC0) == 0x80) --cut;
    result.append(log, at, cut - at).append(cut < end ? " ..." : "");
    if (end < log.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

/// The compiler's messages as the student should see them.
std::string readable_log(const std::string& log) {
  // The way in which files are hidden shows in NVRTC's wording where there is no seccomp; it would
  // only puzzle. Nor can a student pass options.
  return replace_all(
      replace_all(with_short_lines(to_valid_utf8(log)), "\": Too many open files", "\""),
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n", "");
}

/// The kernels' entries that the PTX really has: a name expression may also name a __device__
/// function.
void keep_entries(Result& result, const std::map<std::string, std::string>& lowered,
                  std::vector<std::string>& not_global) {
  for (const auto& [name, entry] : lowered) {
    // Not with the dot: find() stops at each, and debug sections are full of them.
    if (result.ptx.find("entry " + entry + "(") != std::string::npos)
      result.entries[name] = entry;
    else
      not_global.push_back(name);
  }
}

void explain_missing_kernels(Result& result, const Request& request,
                             const std::map<std::string, std::string>& name_logs,
                             const std::vector<std::string>& not_global) {
  MissingKernel kernel;
  kernel.present = kernels_of(request.source);
  const std::vector<std::string_view> declared = declared_functions(Tokens(request.source));
  std::string mistakes;  // logs of templates whose own lines do not compile
  for (const std::string& name : request.kernels) {
    Message message;
    if (const auto log = name_logs.find(name); log != name_logs.end()) {
      const std::string base = base_name(name);
      const auto wanted = request.signatures.find(name);
      kernel.expression = name;
      kernel.signature = wanted == request.signatures.end() ? "" : wanted->second;
      kernel.is_other_function = std::ranges::count(declared, base) != 0;
      kernel.log = readable_log(with_name(log->second, request.name));
      message = explain_missing(kernel, request.name);
      // The log of a kernel that is not there would only repeat that.
      if (std::ranges::count(kernel.present, base) != 0) {
        result.log += kernel.log;
        if (!errors_in_source_order(kernel.log, request.name).empty()) mistakes += kernel.log;
      }
    } else if (std::ranges::count(not_global, name) != 0) {
      message = {Id::compile_not_a_kernel, {{"kernel", name}, {"file", request.name}}};
    } else if (!result.entries.contains(name)) {
      // Neither refused nor made: NVRTC after a directive that it misread, such as an unclosed name.
      message = {Id::compile_kernel_not_made, {{"file", request.name}, {"kernel", name}}};
    } else {
      continue;
    }
    result.status = Status::missing_kernel;
    // Instances of one template mostly lack the same.
    if (std::ranges::count(result.message, message) == 0)
      result.message.push_back(std::move(message));
  }
  if (mistakes.empty()) return;
  // A template's body is compiled only for its instances: a mistake there is one of the source, as in any function.
  result.status = Status::rejected;
  result.message = {explain_rejection(mistakes, request.name, request.kernels, request.source,
                                      request.signatures)};
}

/// A source that does not compile; the log is in `result`.
void explain_rejected(Result& result, const Request& request, const Job& job) {
  const std::vector<Diagnostic> all = diagnostics_of(result.log);
  for (const Diagnostic& found : all)
    if (found.kind == DiagnosticKind::no_such_file &&
        std::ranges::count(job.headers.missing_toolkit, found.name(0)) != 0)
      throw Error(request.name + " includes " + found.name(0) +
                      ", which the CUDA Toolkit brings, but this machine has only its compiler",
                  "Install the headers of the same version (Debian, Ubuntu: sudo apt-get install "
                  "--no-install-recommends nvidia-cuda-dev) or the whole CUDA Toolkit.");
  result.status = Status::rejected;
  result.message = {explain_rejection(result.log, request.name, request.kernels, request.source,
                                      request.signatures)};
  for (const Diagnostic& found : all) {
    if (found.kind != DiagnosticKind::unrecognized_token) continue;
    if (Message message = look_alike(job.prepared.source, request.name, found.line)) {
      result.message = {std::move(message)};
      result.log.clear();  // a line for each byte of it
      return;
    }
  }
}

Result read_response(const WorkerResponse& response, const Request& request, const Job& job,
                     const Limits& limits) {
  Result result;
  const std::string& outcome = response.outcome;
  result.log = readable_log(with_name(response.log, request.name));
  if (outcome == "memory" || (outcome == "rejected" && ran_out_of_memory(result.log))) {
    result.status = Status::limit;
    result.message = {memory_message(request, limits)};
    return result;
  }
  if (outcome == "internal")
    throw Error("NVRTC refused to work on " + request.name + ": " + result.log,
                "`" + command_name() + " doctor` shows which NVRTC is used and whether it fits " +
                    request.arch + ".");
  if (outcome == "rejected") {
    explain_rejected(result, request, job);
    return result;
  }
  result.status = Status::ok;
  result.ptx =
      with_known_files(response.ptx, request.name, directory_of(request), job.headers.texts);
  result.cubin = response.cubin;
  std::vector<std::string> not_global;
  keep_entries(result, response.lowered, not_global);
  explain_missing_kernels(result, request, response.name_logs, not_global);
  if (result.status == Status::missing_kernel)
    if (Message inside = include_inside(request.source, request.name)) {
      result.status = Status::rejected;
      result.message = {std::move(inside)};
    }
  return result;
}

/// Of what compiled: the registers, or why there are none.
Assembled assembled_of(const WorkerResponse& response, const Request& request, const Job& job,
                       const CompilerInfo& compiler) {
  const std::string& assemble = job.message.assemble;
  Assembled assembled{.kernels = response.kernels, .by = {}, .why_not = {}};
  if (!assembled.kernels.empty())
    assembled.by =
        compiler.version + "'s ptxas for " + (response.cubin.empty() ? assemble : request.arch);
  else if (!request.registers)
    return assembled;
  else if (ptxas_is_off())
    assembled.why_not = "LABKIT_PTXAS is off";
  else if (compiler.is_clang)
    assembled.why_not = compiler.version + " makes PTX only, and has no ptxas";
  else if (assemble.empty())
    assembled.why_not = compiler.version + " makes no machine code for " + request.arch;
  else if (!response.no_kernels.empty())
    assembled.why_not = "ptxas refused it: " + to_valid_utf8(response.no_kernels);
  else
    assembled.why_not = "its machine code does not tell them";
  return assembled;
}

/// The result for a text that cannot be CUDA source at all.
std::optional<Result> refused(const Request& request) {
  Message reason = unreadable(request.source, request.name);
  if (!reason) return std::nullopt;
  Result result;
  result.message = {std::move(reason)};
  return result;
}

[[noreturn]] void refuse_weak_jail(const process::JailState& jail) {
  throw Error("the jail for the compiler is not whole here: " + process::text_of(jail) + " (" +
                  jail.problem + "), and a strict one is asked for",
              "It takes Linux 5.13 or newer with Landlock switched on, in Docker 20.10.24 or "
              "newer; or grade without asking for a strict jail.",
              error_id::kWeakJail);
}

/// What a compiler answered, or how its process ended without an answer.
struct Answer {
  std::optional<process::Result> ended;
  WorkerResponse response;
};

Answer ask_nvrtc(const Job& job, const CompilerInfo& compiler, const Limits& limits, bool strict) {
  process::Command command;
  command.argv = {process::program_of_the_kit(kWorkerName), compiler.file(),
                  std::to_string(limits.memory_bytes), strict ? "strict" : "lenient"};
  json::to_cbor(json(job.message), command.input);
  command.directory = "/";
  // A compilation touches 20 MB, a page at a time: in huge pages it takes an eighth less.
  command.environment = {
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
      "glibc.malloc.trim_threshold=268435456"};
  command.limits = {.wall_seconds = limits.wall_seconds,
                    .cpu_seconds = limits.cpu_seconds,
                    .output_bytes = limits.output_bytes};
  process::Result run = process::run(command);
  if (run.end != process::End::exited) return {.ended = std::move(run), .response = {}};
  if (run.exit_code != 0)
    throw Error(std::string(kWorkerName) + " " + process::describe(run, command.limits) + ": " +
                run.err);
  return {.ended = {}, .response = json::from_cbor(run.out).get<WorkerResponse>()};
}

Answer ask_clang(const Job& job, const CompilerInfo& compiler, const Limits& limits, bool strict) {
  ClangAnswer answer = compile_with_clang(compiler.clang, job.message, limits, strict);
  return {.ended = std::move(answer.ended), .response = std::move(answer.response)};
}

Result run_once(const Request& request, const Job& job, const CompilerInfo& compiler,
                const Limits& limits) {
  const bool strict = wants_strict_jail(limits);
  const Answer answer = (compiler.is_clang ? ask_clang : ask_nvrtc)(job, compiler, limits, strict);
  const WorkerResponse& response = answer.response;
  process::JailState jail = compiler.jail();
  Result result;
  if (answer.ended) {
    result = ended_early(*answer.ended, request, compiler, limits);
  } else {
    if (!response.error.empty())
      throw Error("cannot use " + compiler.file() + ": " + error_of(response).what(),
                  compiler.is_clang ? clang_remedy() : nvrtc_remedy(), error_of(response).id());
    jail = response.jail;
    if (response.refused) refuse_weak_jail(jail);
    result = read_response(response, request, job, limits);
    if (result.status == Status::ok)
      result.assembled = assembled_of(response, request, job, compiler);
    else
      result.log = student_log(result.log);
  }
  result.jail = process::text_of(jail);
  result.notes = job.prepared.notes;
  result.compiler = compiler.version;
  return result;
}

Result run_job(const Request& request, Job job, const CompilerInfo& compiler,
               const Limits& limits) {
  Result result = run_once(request, job, compiler, limits);
  std::string& assemble = job.message.assemble;
  if (result.status != Status::limit || assemble.empty()) return result;
  // It may have been ptxas, whose word is not needed for a verdict.
  assemble.clear();
  result = run_once(request, job, compiler, limits);
  if (result.status == Status::ok)
    result.assembled.why_not = "ptxas did not end within the limits of a compilation";
  return result;
}

/// Names the compiler's file, not only its version: a repaired or replaced one must not be answered
/// from the cache.
std::string identity_of(const std::string& file) {
  std::error_code problem;
  const auto path = std::filesystem::canonical(file, problem);
  return path.string() + ' ' + std::to_string(std::filesystem::file_size(path, problem)) + ' ' +
         std::to_string(std::filesystem::last_write_time(path, problem).time_since_epoch().count());
}

std::string key_of(const Request& request, const Job& job, const CompilerInfo& compiler,
                   const Limits& limits) {
  json decisive = job.message;
  decisive["signatures"] = request.signatures;
  decisive["registers"] = request.registers;
  decisive["ptxas_is_off"] = ptxas_is_off();
  decisive["messages_say"] = request.name;
  // What a weak jail compiled is no answer to who asks for a strict one.
  decisive["strict"] = wants_strict_jail(limits);
  std::string message = fmt::format("{} {} {} {}\n", kProtocolVersion, kMessages, compiler.version,
                                    identity_of(compiler.file()));
  json::to_cbor(decisive, message);
  return sha256_hex(message);
}

}  // namespace

Result compile(const Request& request, const Limits& limits) {
  if (auto result = refused(request)) return *result;
  const CompilerInfo compiler = find_compiler();
  return run_job(request, make_job(request, compiler), compiler, limits);
}

Result compile_cached(const Request& request, const std::string& cache_directory,
                      const Limits& limits) {
  if (auto result = refused(request)) return *result;
  const CompilerInfo compiler = find_compiler();
  const Job job = make_job(request, compiler);
  const std::string key = key_of(request, job, compiler, limits);
  if (auto known = read_cache(cache_directory, key)) return *known;
  Result result = run_job(request, job, compiler, limits);
  // Whether a limit is met depends on the machine and its load: that verdict is reached anew each
  // time.
  if (result.status != Status::limit) write_cache(cache_directory, key, result);
  return result;
}

}  // namespace labkit::compile
