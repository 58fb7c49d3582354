// Findings of a kernel about memory that the program allocated: what its host code did with it, and whether the fault is there.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "program/device_memory.h"
#include "program/host_lines.h"

namespace labkit::program {

/// What a launch gives a parameter of at most 8 bytes.
struct LaunchArgument {
  std::string name;  ///< as in the source; "": not known
  std::string type;  ///< "float const*"; "": not known
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;
  bool is_pointer() const { return !pointed_type().empty(); }
  /// "float"; "" where it is no pointer.
  std::string pointed_type() const;
};

struct LaunchFacts {
  const DeviceMemory& memory;
  HostLines& lines;
  const std::vector<LaunchArgument>& arguments;
  std::uint64_t launched = 0;    ///< the caller
  std::uint64_t threads = 0;     ///< of all blocks
  std::string_view source = {};  ///< of the kernel, for its structures; "": not known
};

/// Names the lines at which the memory was allocated, freed or filled in part. Where too few bytes were allocated, that is the
/// cause, and the fix is there.
void describe_memory(launch::Finding& finding, const LaunchFacts& facts);

}  // namespace labkit::program
