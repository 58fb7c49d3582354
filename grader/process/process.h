// A child process on a leash: limits on time, memory and output, a process group that dies whole,
// no shell, nothing inherited that was not asked for. What a child does wrong is in the result;
// labkit::Error means that it could not be started at all.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::process {

/// 0 means no limit.
struct Limits {
  double wall_seconds = 0;  ///< the whole process group is killed after this
  double cpu_seconds = 0;   ///< of the child, rounded up to whole seconds (RLIMIT_CPU)
  std::uint64_t address_space_bytes = 0;  ///< of the child (RLIMIT_AS)
  std::uint64_t file_bytes = 0;           ///< of any file that it writes (RLIMIT_FSIZE)
  std::uint64_t output_bytes = 0;         ///< stdout and stderr together
};

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is the path of the program; PATH is not searched
  std::string input;              ///< what it reads on stdin
  std::string directory;          ///< where it runs; empty: here
  std::vector<std::string> environment;  ///< "NAME=value", all that it sees
  /// Descriptors of this process that the child keeps, as kFirstKept and what follows: a file in
  /// memory that both map, say. All others are closed to it.
  std::vector<int> keep = {};
  Limits limits;
  /// Once it says true the child is killed, within a twentieth of a second. May be null.
  const std::atomic<bool>* stop = nullptr;
};

/// The child's number for the first of Command::keep.
inline constexpr int kFirstKept = 4;

enum class End : std::uint8_t { exited, signalled, timed_out, output_limit, stopped };
std::string_view name_of(End end);

struct Result {
  End end = End::exited;
  int exit_code = 0;       ///< for exited
  int signal = 0;          ///< for signalled
  bool cpu_limit = false;  ///< for signalled: the CPU limit did it
  std::string out, err;    ///< what it wrote; cut at the limit
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< user and system, of the child and the children that it waited for
  std::uint64_t peak_memory_bytes = 0;  ///< largest resident set
  bool ok() const { return end == End::exited && exit_code == 0; }
};

/// Runs it to its end. On return no process of the child's group is left (unless one made a group
/// of its own), and no zombie. The child dies with the calling thread. Safe to call from several
/// threads.
Result run(const Command& command);

/// NAME=value of this process's environment for each name that is set: a base for
/// Command::environment.
std::vector<std::string> inherited(const std::vector<std::string>& names);

/// This process's whole environment, for a child that runs nothing of a student's on the host.
std::vector<std::string> whole_environment();

/// "killed by signal 11 (Segmentation fault)", "exited with code 2", "stopped after 20 s", ...
std::string describe(const Result& result, const Limits& limits);

/// Where this program's file is (/proc/self/exe).
std::string own_executable();
/// Another one for each build of it: for what may only be kept as long as this program is the same.
std::string own_version();

/// The path of one of the kit's programs: in the folder that LABKIT_LIBEXEC names, or else beside this one. Throws
/// labkit::Error if it is not there.
std::string program_of_the_kit(const std::string& name);

}  // namespace labkit::process
