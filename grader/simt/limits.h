// What a launch takes of its budget: a count that bounds the simulation's time whatever a kernel does, and that depends on
// nothing but what it did, so that the verdict is the same on every machine and for any number of host threads.
//
// Cost is counted in issue slots. A plain warp instruction takes 32 however many of its lanes are on, and stands for up to
// 10 ns of a host core; what takes the host longer takes as many times 32 more. Some is known when a kernel is decoded
// (cost_of), the rest is charged while it runs: scattered addresses, generic and local ones, calls, lanes that part. The
// weights are what tests/bench/budget_bench measured (2 cores with AVX-512, 2026-11, counters and trace on where that is
// dearer, rounded up); run it after a change to what an instruction does.
//
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

struct InstructionRow;

/// Slots of `units` plain instructions.
constexpr std::uint64_t slots(std::uint64_t units) { return units * kLanes; }

/// To enter a code block, and to pass an instruction whose guard lets no lane through.
inline constexpr std::uint32_t kEntryCost = kLanes / 2;
inline constexpr std::uint32_t kPassedCost = kLanes / 4;
/// Lanes that part at a branch, until they meet again.
inline constexpr std::uint64_t kPartCost = slots(3);
/// An access lane by lane: generic, local, or to more than one allocation.
inline constexpr std::uint64_t kSlowAccessCost = slots(60);
/// Addresses whose distances are not those of the access before, besides what their spread costs.
inline constexpr std::uint64_t kNewPatternCost = slots(15);
/// A warp's call of printf, on top: the host needs as long as for this many. It does not depend on what is printed, nor on
/// what was before, so that the sum is the same for any number of host threads.
inline constexpr std::uint64_t kPrintCost = slots(256);

/// By instruction, each time a warp executes it.
std::uint32_t cost_of(const Op& op, const Program& program, const InstructionRow* row);
/// Of addresses: the more sectors neighbouring lanes part by, the more the watchers have to look up.
std::uint64_t spread_cost(const std::uint64_t* addresses, std::uint32_t mask, bool shared);
std::uint64_t call_cost(std::uint32_t depth, std::uint64_t saved_bytes);
/// To begin a block: `cleared_bytes` of local and shared memory.
std::uint64_t block_cost(std::uint32_t warps, std::uint64_t cleared_bytes);

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
