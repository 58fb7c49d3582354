// What a program did with the GPU: its launches, its copies, and what was wrong. Plain data.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "launch/launch.h"
#include "observe/counters.h"

namespace labkit::program {

/// Launches of one kernel that are alike: of one size, without findings, and of about the same time; or one that is like no
/// other.
struct LaunchRow {
  std::uint64_t first = 0, count = 1;  ///< the first one's number, from 1, and how many they are
  std::string kernel, entry;           ///< as in the source, and as in the PTX
  launch::Dim3 grid = {}, block = {};
  std::uint64_t caller = 0;  ///< of the first; as in Incident
  std::uint64_t dynamic_shared_bytes = 0;
  bool completed = false;
  bool observed = false;  ///< false: left out by --launches or --kernel, or run without the model
  bool uses_images = false;  ///< textures or surfaces, which neither `metrics` nor `time_us` know
  double time_us = 0;        ///< predicted, of all of them together
  observe::Metrics metrics = {};  ///< of the first
  std::vector<launch::Finding> findings = {};
  std::optional<launch::Diagnosis> slow = {};   ///< what most of its time is spent on
  std::optional<device::Outcome> outcome = {};  ///< of the first; only of the costliest kernels
};

struct CopyTotal {
  std::uint64_t count = 0, bytes = 0;
  double time_us = 0;  ///< predicted
};

/// Something about the program itself, not about a kernel.
struct Incident {
  /// "unsupported", "unchecked_error", "refused_launch", "no_kernel", "host_access", "bad_copy", "direction", "unwritten_copy",
  /// "pointer_size", "few_bytes", "host_small", "host_short", "fill_value", "freed_use", "freed_twice", "bad_free", "destroyed",
  /// "not_created", "unordered_copy", "unordered_upload", "early_access", "early_read", "no_memory", "prints_lost", "leak",
  /// "not_returned"
  std::string_view kind;
  std::vector<words::Message> what;  ///< what was seen, then how it comes about
  words::Message fix = {};
  bool is_error = true;
  std::uint64_t count = 1;
  std::uint64_t caller = 0;      ///< behind the call, in the program's file; 0: not known
  words::SourceLine where = {};  ///< of the call
};

struct Report {
  std::string program;  ///< as it was named
  std::string gpu, title;
  std::string compiler;  ///< "nvcc 13.0"; "": not known
  std::string source;    ///< text of the .cu, for its lines; "": not known
  std::vector<LaunchRow> launches;
  std::map<std::string_view, CopyTotal> copies;  ///< "host to device", ...
  std::vector<Incident> incidents;
  std::uint64_t launch_count = 0;
  double kernel_time_us = 0;
  double simulated_seconds = 0;  ///< that the simulation took
  int exit_code = 0;
  int signal = 0;          ///< that ended the program; 0: none
  bool stopped = false;    ///< by Ctrl-C
  std::string stopped_in;  ///< the kernel that was being simulated; "": none
  bool has_errors() const;
};

}  // namespace labkit::program
