// What a launch makes the simulator hold in memory: limits that no kernel of a course comes near, so that one that would
// eat the machine's memory is refused before anything is allocated. Internal to the room.
//
//   buffers    the caller's affair: he chose their sizes
//   variables  of the module, all of them together; the sanitizers keep up to 40 bytes for each that is touched
//   a block    registers, parameters of calls, local and shared memory of all its threads, for each host thread and each
//              block that waits for others; what recursion adds while it runs counts as well
//
// Measured at the graded sizes (2026-11): the stubs and solutions have no variables but 12 bytes, and a block takes at most
// 4 MiB, 9 MiB as NVRTC's -G build.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "launch/launch.h"
#include "simt/program.h"

namespace labkit::simt {

inline constexpr std::uint64_t kMostVariableBytes = 16ull << 20;
inline constexpr std::uint64_t kMostBlockBytes = 64ull << 20;
/// Of blocks under way at once: fewer host threads are used if theirs would be more.
inline constexpr std::uint64_t kMostUnderWayBytes = 256ull << 20;
/// Of blocks that are set aside because they wait for others.
inline constexpr std::uint64_t kMostSetAsideBytes = 128ull << 20;

struct BlockBytes {
  std::uint64_t registers = 0, parameters = 0, local = 0, shared = 0;
  std::uint64_t sum() const { return registers + parameters + local + shared; }
};
BlockBytes block_bytes(const Program& program, std::uint32_t warps, std::uint64_t shared_bytes);

/// Why the launch is refused, naming what takes most; nullopt if it is not.
struct TooMuch {
  std::vector<words::Message> why;
  launch::SourceLine where;
};
std::optional<TooMuch> too_much(const Program& program, const launch::Launch& launch,
                                const BlockBytes& bytes);

/// The source line of the first instruction that names the variable, "" and 0 if none does.
launch::SourceLine first_use(const ptx::Module& module, const ptx::Variable& variable);

}  // namespace labkit::simt
