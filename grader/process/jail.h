// A jail that a process puts itself into once it has loaded what it needs and before it reads what a
// student wrote: from then on it computes on what it is given and answers, and cannot do anything
// else. Needs no privilege and no user namespace; holds in a container too. Layers, each of which
// would do for most attacks:
//
//   Landlock      no file can be opened but those named, no TCP (ABI 4), no abstract sockets and no
//                 signals to processes outside (ABI 6)
//   seccomp       a list of the system calls that there are: no exec, no process, no socket
//   limits        CPU time, memory, files; no core dump
//   privileges    no_new_privs; every capability given up
//
// A kernel may lack the first two, or a container forbid them: JailState says what holds, and
// whoever runs the process says so to the teacher (`labkit doctor`, the receipt).
//
// This file and jail.cpp include nothing else of the kit: processes stand on them that are built
// without it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace labkit::process {

/// The highest ABI whose rules enter_jail() knows.
inline constexpr int kNewestLandlock = 6;

struct JailState {
  int landlock_abi = 0;  ///< of the rules in force; 0: none (kernels before 5.13, or forbidden)
  bool seccomp = false;
  std::string problem;  ///< why a layer is not there, in the system's words; "" if all are
  bool whole() const { return landlock_abi > 0 && seccomp; }
};

struct Jail {
  enum class Work : std::uint8_t {
    compute,    ///< memory, and the descriptors that are open already
    read_files  ///< the same, and to open for reading, list and look at the files in `readable`
  };
  Work work = Work::compute;
  /// Files, and folders with all below. One that is not there is left out.
  std::vector<std::string> readable = {};
  /// Memory (RLIMIT_AS) beyond what the process has at this moment; 0: no limit. On top of what it
  /// has, because a compiler's libraries differ by a hundred megabytes from version to version.
  std::uint64_t more_memory_bytes = 0;
  double cpu_seconds = 0;  ///< from its start on, rounded up to whole seconds; 0: no limit
  int landlock_at_most = kNewestLandlock;  ///< as on a kernel with that ABI, for tests
};

/// Puts this process into the jail, for good. To be called before it has other threads. A layer that
/// the kernel does not have is left out and told; throws std::system_error if one that it has cannot
/// be set up.
///
/// A file that the jail hides does not exist (ENOENT). Any other call that is not on the list ends the
/// process: it writes a line that denied_call() finds to stderr, and dies of SIGSYS.
JailState enter_jail(const Jail& jail);

/// The name of the call that a process tried which died of SIGSYS in its jail ("socket"), from what
/// it wrote to stderr; "" if it says none.
std::string denied_call(const std::string& stderr_text);

/// "Landlock (ABI 7), seccomp and limits", "limits only", ...
std::string text_of(const JailState& state);

/// At most `bytes` of memory to write to (RLIMIT_DATA), for this process and each child that it starts from now on: beyond
/// it an allocation throws std::bad_alloc. Room that is only reserved, libraries and files that are mapped do not count, so
/// that many threads do no harm. Returns false, and does nothing, in a build with AddressSanitizer (its shadow memory is
/// larger than any limit) and where the limit is lower already.
bool limit_own_memory(std::uint64_t bytes);

}  // namespace labkit::process
