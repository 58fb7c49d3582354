// Two kinds of failure that must never be mixed up:
//  - a verdict: the submission is at fault. Verdicts are plain data (launch::Finding, lab results),
//    never exceptions.
//  - an Error: the kit, the machine or its set-up is at fault. It is thrown, says what failed and how
//    to fix it, ends the program with kExitOurError and never becomes a zero for the student.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace labkit {

/// Every Error::id() there is. An id never changes its meaning: programs compare ids, never messages.
namespace error_id {
inline constexpr char kOther[] = "kit.error";         ///< has no id of its own
inline constexpr char kBug[] = "kit.bug";             ///< a fault in the kit itself
inline constexpr char kNotBuilt[] = "kit.not_built";  ///< a program of the kit is missing
inline constexpr char kUsage[] = "usage.invalid";     ///< the command line, or a file it names
inline constexpr char kNoVerdict[] =
    "check.no_verdict";  ///< a check program ended without a result
inline constexpr char kCannotRead[] = "io.cannot_read";
inline constexpr char kCannotWrite[] = "io.cannot_write";
inline constexpr char kOutOfMemory[] = "machine.out_of_memory";
inline constexpr char kMachineBusy[] = "machine.busy";  ///< too slow to reach a verdict in time
inline constexpr char kWeakJail[] = "jail.incomplete";  ///< a strict jail was asked for
inline constexpr char kNvrtcMissing[] = "nvrtc.missing";
inline constexpr char kNvrtcUnusable[] = "nvrtc.unusable";  ///< found, but too old or broken
inline constexpr char kClangMissing[] = "clang.missing";
inline constexpr char kClangUnusable[] = "clang.unusable";      ///< found, but too old or broken
inline constexpr char kCompilerMissing[] = "compiler.missing";  ///< neither NVRTC nor clang
inline constexpr char kCompilerKilled[] = "compiler.killed";
inline constexpr char kCompilerDenied[] = "compiler.denied_call";  ///< stopped by its jail
inline constexpr char kGpuMissing[] = "gpu.missing";               ///< no driver, or it sees no GPU
inline constexpr char kGpuUnknown[] = "gpu.unknown";  ///< there are GPUs, but not the one named
inline constexpr char kGpuBusy[] = "gpu.busy";        ///< somebody else has it
inline constexpr char kGpuOutOfMemory[] = "gpu.out_of_memory";
inline constexpr char kGpuFailed[] = "gpu.failed";  ///< any other failure of driver or GPU
}  // namespace error_id

/// Our fault (a missing library, an unreadable file, a broken profile). `what()` says what failed,
/// `remedy()` what to do about it (may be empty), `id()` is for programs.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string remedy = {},
                 std::string id = error_id::kOther)
      : std::runtime_error(message), remedy_(std::move(remedy)), id_(std::move(id)) {}
  const std::string& remedy() const { return remedy_; }
  const std::string& id() const { return id_; }

 private:
  std::string remedy_, id_;
};

/// An Error between the programs of the kit, one line: {"id": ..., "message": ..., "remedy": ...}. A parent asks a
/// program that it starts for this object (check programs: --error-fd; the workers answer with it), and
/// never reads what the program prints for people. Bytes that are no UTF-8 are replaced.
std::string error_json(const Error& error);
/// Empty if `text` is no such object: the program that was to write it was killed, say.
std::optional<Error> read_error_json(std::string_view text);

/// How people call the program that they run, for remedies that they can type: "./kit", or
/// "docker run ... memory-labs" in the image: what LABKIT_COMMAND says, which the wrapper sets. Without
/// one, "labkit".
std::string command_name();

/// Exit codes of every program of the kit.
inline constexpr int kExitOk = 0;       ///< everything asked for passed
inline constexpr int kExitVerdict = 1;  ///< the submission (or profiled kernel) is at fault
inline constexpr int kExitUsage = 2;    ///< the command line is wrong
inline constexpr int kExitOurError =
    3;  ///< the kit or the machine is at fault: no verdict was reached
inline constexpr int kExitInconclusive =
    4;  ///< nothing failed, but a GPU was too noisy to decide: measure again
inline constexpr int kExitSkipped =
    77;  ///< nothing was to be decided: no GPU, or an optional kernel is empty

/// What a command line names is not what it must be: no such file, a policy with an unknown key, a file that is no
/// archive. An Error in all but its exit code, which is kExitUsage: nothing of ours is broken.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message, std::string remedy = {},
                      std::string id = error_id::kUsage)
      : Error(message, std::move(remedy), std::move(id)) {}
};

/// `work()`, whose every Error is about something that the command line names. `remedy`: for errors
/// that have none of their own.
template <typename Work>
decltype(auto) as_usage(Work&& work, const std::string& remedy = {}) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw UsageError(error.what(), error.remedy().empty() ? remedy : error.remedy());
  }
}

/// Somebody asked for an end (Ctrl-C, a newer file): neither a result nor anybody's fault.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

}  // namespace labkit
