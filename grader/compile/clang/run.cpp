#include "compile/clang/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <sstream>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/text.h"
#include "compile/clang/archive.h"
#include "compile/clang/elements.h"
#include "compile/clang/lines.h"
#include "compile/compile.h"

namespace labkit::compile {
namespace {

constexpr char kJailLibrary[] = "labkit-clang-jail.so";
constexpr char kSourceName[] = "kernel.cu";
/// Where the lines are counted from that ask for the kernels; diagnose.cpp leaves out what is said of them.
constexpr char kAskedFor[] = "__nv_name_map";
constexpr char kEntryVariable[] = "labkit_entry_";

struct ClangRun {
  process::Result process;
  bool is_jailed = false;
  process::JailState jail;
  std::string log;  ///< what clang itself wrote to stderr
};

/// What clang can read, in memory: see archive.h.
Descriptor make_archive(const std::string& source,
                        const std::map<std::string, std::string>& headers,
                        std::uint64_t memory_bytes, bool strict, std::int64_t clock) {
  std::map<std::string_view, std::string> names;  // of a text
  for (const auto& [name, text] : headers) {
    std::string& all = names[text];
    all += (all.empty() ? "" : "\t") + name;
  }
  std::string bytes = fmt::format("{} {} {}\n", memory_bytes, strict ? 1 : 0, clock);
  for (const auto& [text, all] : names) bytes += fmt::format("{}\n{}\n{}", all, text.size(), text);
  bytes += fmt::format("{}\n{}\n{}", kSourceName, source.size(), source);
  Descriptor file(::memfd_create("labkit-clang", MFD_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), bytes))
    throw Error(std::string("cannot make a file in memory: ") + std::strerror(errno));
  return file;
}

/// What clang wrote, without its folder of headers, and without the last line, which counts what it wrote: the only one that
/// begins with a digit, since a message begins with its file's name, and ends with a line of blanks and a caret.
std::string log_of(std::string text) {
  text = replace_all(std::move(text), kArchive.folder, "");
  text = replace_all(std::move(text), "__labkit_syncthreads", "__syncthreads");
  const std::size_t last = text.rfind('\n', text.size() < 2 ? 0 : text.size() - 2);
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  if (begin < text.size() && is_digit(text[begin])) text.erase(begin);
  return text;
}

/// Takes the jail's line off what clang wrote to stderr.
void read_jail(ClangRun& run) {
  const std::string& text = run.process.err;
  const std::string_view first(text.data(), std::min(text.find('\n'), text.size()));
  const std::string_view mark = kArchive.jailed;
  if (!first.starts_with(mark)) {
    run.log = text;
    return;
  }
  std::istringstream words{std::string(first.substr(mark.size()))};
  words >> run.jail.landlock_abi >> run.jail.seccomp >> std::ws;
  std::getline(words, run.jail.problem);
  run.is_jailed = true;
  run.log = log_of(text.substr(std::min(first.size() + 1, text.size())));
}

ClangRun run_clang(const std::string& program, const std::vector<std::string>& options,
                   const Descriptor& archive, const Limits& limits) {
  process::Command command;
  command.argv = {program, "-cc1"};
  command.argv.insert(command.argv.end(), options.begin(), options.end());
  command.directory = "/";
  // By its descriptor: the loader takes LD_PRELOAD apart at blanks and colons, which a path may hold.
  const Descriptor jail(
      ::open(process::program_of_the_kit(kJailLibrary).c_str(), O_RDONLY | O_CLOEXEC));
  command.keep = {archive.get(), jail.get()};
  command.environment = {fmt::format("LD_PRELOAD=/proc/self/fd/{}", process::kFirstKept + 1),
                         "TZ=UTC0", "LC_ALL=C", "LLVM_DISABLE_SYMBOLIZATION=1"};
  command.limits = {.wall_seconds = limits.wall_seconds,
                    .cpu_seconds = limits.cpu_seconds,
                    .output_bytes = limits.output_bytes};
  ClangRun run;
  run.process = process::run(command);
  read_jail(run);
  return run;
}

/// What both a compilation and a probe take.
std::vector<std::string> common_options() {
  return {"-triple",
          "nvptx64-nvidia-cuda",
          "-aux-triple",
          "x86_64-pc-linux-gnu",
          "-nobuiltininc",
          "-nostdsysteminc",
          "-std=c++17",
          "-fcuda-is-device",
          "-o",
          "-",
          "-x",
          "cuda"};
}

}  // namespace

std::string lines_asking_for(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string lines = fmt::format("\n# 1 \"{}\"\n", kAskedFor);
  for (std::size_t i = 0; i < names.size(); ++i)
    lines += fmt::format("__device__ const void* {}{} = (const void*)&{};\n", kEntryVariable, i,
                         names[i]);
  return lines;
}

void take_entries(std::string& ptx, const std::vector<std::string>& names,
                  std::map<std::string, std::string>& lowered) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string mark = fmt::format(".u64 {}{} = ", kEntryVariable, i);
    const std::size_t at = ptx.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = ptx.rfind('\n', at) + 1, end = ptx.find(";\n", at);
    const std::string entry = ptx.substr(at + mark.size(), end - at - mark.size());
    lowered[names[i]] = entry;
    ptx.erase(begin, end + 2 - begin);
    // The declaration that stood there for the variable.
    const std::string declared = fmt::format("\n.visible .entry {}\n(", entry);
    const std::size_t head = ptx.find(declared);
    const std::size_t close = head == std::string::npos ? head : ptx.find("\n;\n", head);
    if (close != std::string::npos) ptx.erase(head, close + 2 - head);
  }
}

namespace {

/// PTX of a source with no array in local memory that need not be there; "" where the PTX that there is will do.
std::string with_own_arrays_in_registers(const ClangInfo& clang, const WorkerRequest& request,
                                         const std::string& source, const Limits& limits,
                                         bool strict) {
  const auto run = [&](const std::vector<std::string>& options, const std::string& text) {
    const Descriptor archive =
        make_archive(text, request.headers, limits.memory_bytes, strict, request.clock);
    const ClangRun ran = run_clang(clang.program, options, archive, limits);
    return ran.process.ok() ? ran.process.out : std::string{};
  };
  std::vector<std::string> to_ir = request.options, from_ir = request.options;
  std::ranges::replace(to_ir, "-S", "-emit-llvm");
  to_ir.insert(to_ir.begin(), "-disable-llvm-passes");
  std::ranges::replace(from_ir, "cuda", "ir");
  if (const auto at = std::ranges::find(from_ir, "-include"); at != from_ir.end())
    from_ir.erase(at, at + 2);
  const std::string ir = keep_loads_apart(run(to_ir, source));
  return ir.empty() ? ir : run(from_ir, ir);
}

struct ClangAttempt {
  ClangRun run;
  std::string ptx;
  std::map<std::string, std::string> lowered;
  bool ok() const { return run.process.ok(); }
};

}  // namespace

int clang_architecture(const std::string& arch) {
  constexpr int kNewest = 80;
  int number = 0;
  const std::size_t at = arch.find('_') + 1;
  std::from_chars(arch.data() + at, arch.data() + arch.size(), number);
  for (const int known : {80, 75, 72, 70, 62, 61, 60, 53, 52})
    if (known <= std::min(number, kNewest)) return known;
  return 50;
}

std::vector<std::string> clang_options(const ClangInfo& clang, const Request& request,
                                       const std::string& read_before) {
  std::vector<std::string> options = {
      "-S", "-disable-free", "-main-file-name", kSourceName, "-target-cpu",
      fmt::format("sm_{}", clang_architecture(request.arch)), "-target-feature", "+ptx75", "-I",
      std::string(kArchive.folder).substr(0, std::strlen(kArchive.folder) - 1),
      "-fdebug-compilation-dir=/", "-dwarf-version=2", "-debugger-tuning=gdb",
      "-mframe-pointer=all", "-ffp-contract=fast", "-fno-threadsafe-statics", "-fno-rtti",
      "-fno-dwarf-directory-asm",
      // Messages as NVRTC writes them: "kernel.cu(12): error: ..." (diagnostics.h).
      "-fdiagnostics-format", "msvc", "-fno-show-column", "-fno-diagnostics-show-option",
      "-fno-diagnostics-fixit-info", "-ferror-limit", "40", "-Wuninitialized",
      "-Wno-sometimes-uninitialized", "-Wunused-value", "-Wno-unknown-pragmas", "-Wno-pass-failed",
      "-fmessage-length=0"};
  if (clang.major >= 17) options.emplace_back("-fno-diagnostics-show-line-numbers");
  // As NVRTC's code: no pointer in a register of its own for each array and iteration; loops of known length are unrolled up to
  // this size, and others four times; nearly all functions are inlined. What has no line says so (lines.h).
  for (const char* option :
       {"-disable-lsr", "-unroll-threshold=2000", "-unroll-partial-threshold=150",
        "-unroll-max-count=4", "-scev-cheap-expansion-budget=16", "-inline-threshold=2000",
        "-use-unknown-locations=Enable"})
    options.insert(options.end(), {"-mllvm", option});
  const auto common = common_options();
  options.insert(options.end(), common.begin(), common.end());
  // Without lines there is nothing that a finding could name.
  options.insert(options.end(), {request.device_debug ? "-O0" : "-O3",
                                 "-debug-info-kind=line-directives-only", "-include", read_before});
  options.emplace_back(kSourceName);
  return options;
}

std::string probe_clang(ClangInfo& info) {
  constexpr std::uint64_t kMemory = 256u << 20;
  const Descriptor archive =
      make_archive("__clang_major__ __clang_minor__ __clang_patchlevel__\n", {}, kMemory, false, 0);
  std::vector<std::string> options = {"-E", "-P"};
  for (std::string& option : common_options()) options.push_back(std::move(option));
  options.emplace_back(kSourceName);
  const ClangRun run = run_clang(
      info.program, options, archive,
      {.cpu_seconds = 10, .memory_bytes = kMemory, .output_bytes = 1u << 20, .wall_seconds = 30});
  if (const std::string call = process::denied_call(run.log); !call.empty())
    return "it calls " + call + ", which the jail does not let it";
  if (!run.process.ok())
    return fmt::format("it {}: {}", process::describe(run.process, {}), trim(run.log));
  if (!run.is_jailed) return "it cannot be put into the jail";
  info.jail = run.jail;
  std::istringstream words(run.process.out);
  words >> info.major >> info.minor >> info.patch;
  return words ? "" : "it does not tell its version";
}

ClangAnswer compile_with_clang(const ClangInfo& clang, const WorkerRequest& request,
                               const Limits& limits, bool strict) {
  ClangAnswer answer;
  WorkerResponse& response = answer.response;
  response.major = clang.major;
  response.minor = clang.minor;
  const bool is_optimised = std::ranges::count(request.options, "-O3") != 0;
  // True if clang came to an end by itself.
  const auto attempt = [&](const std::vector<std::string>& names, ClangAttempt& result) {
    const std::string source = request.source + lines_asking_for(names);
    const Descriptor archive =
        make_archive(source, request.headers, limits.memory_bytes, strict, request.clock);
    result = {};
    result.run = run_clang(clang.program, request.options, archive, limits);
    const process::Result& process = result.run.process;
    response.jail = result.run.jail;
    if (process.end != process::End::exited || process.exit_code > 1) {
      if (process.end == process::End::exited && process.exit_code == kArchive.no_jail) {
        response.refused = result.run.is_jailed;
        if (!response.refused)
          response.error = error_json(Error(std::string(trim(result.run.log))));
        return false;
      }
      answer.ended = process;
      return false;
    }
    std::string ptx;
    if (is_optimised && process.out.find("__local_depot") != std::string::npos)
      ptx = with_own_arrays_in_registers(clang, request, source, limits, strict);
    result.ptx = with_settled_lines(
        replace_all(ptx.empty() ? process.out : std::move(ptx), kArchive.folder, "/"));
    take_entries(result.ptx, names, result.lowered);
    return true;
  };
  ClangAttempt whole;
  if (!attempt(request.names, whole)) return answer;
  response.outcome = whole.ok() ? "ok" : "rejected";
  if (!whole.ok() && !request.names.empty() && request.tries_each) {
    // Is it the file or one of the names?
    ClangAttempt bare;
    if (!attempt({}, bare)) return answer;
    if (!bare.ok()) {
      whole = std::move(bare);
    } else {
      std::vector<std::string> good;
      for (const std::string& name : request.names) {
        ClangAttempt one;
        if (!attempt({name}, one)) return answer;
        if (one.ok())
          good.push_back(name);
        else
          response.name_logs[name] = one.run.log;
      }
      if (!attempt(good, whole)) return answer;
      response.outcome = whole.ok() ? "missing" : "rejected";
    }
  }
  response.log = whole.run.log;
  if (whole.ok()) response.ptx = std::move(whole.ptx);
  response.lowered = std::move(whole.lowered);
  return answer;
}

}  // namespace labkit::compile
