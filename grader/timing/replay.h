// One SM of the launch, replayed: the traced blocks enter as slots free, their warps issue in order, wait where the trace
// says that a value is needed, and queue for what they share. How it works: replay.cpp.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "timing/trace.h"

namespace labkit::timing {

/// What executing a PTX instruction once costs a warp; by the trace's instruction index.
struct InstructionCost {
  double shared_wavefronts = 0;  ///< passes through the data array
  double shared_latencies = 0;   ///< to be waited out one after another
  double acquires = 0;           ///< to be waited out, too: loads with .acquire
  double links = 0;              ///< of the chain of dependent instructions
  double issue = 1;              ///< slots of the schedulers
  std::int32_t issued_with = 0;  ///< as often as the instruction so many further on is executed
  double packet =
      1;  ///< of a store or an atomic: slots on the way to L2, times its lines and sectors
  /// Passes through the data array that it takes a warp which issues it with no lane on.
  double idle_passes = 0;
  std::uint32_t loop_first = 0, loop_last = 0;  ///< the loop around it; both 0: none
  bool is_copy = false;  ///< a cp.async, which a warp does not wait for but by name
  /// Waits for the loads before it every so many executions; 0: never.
  std::uint32_t loads_in_turn = 0;
};

/// Seconds and rates of one SM while all are busy, in SM cycles.
struct SmRates {
  double issue = 4;               ///< warp instructions a cycle
  double instruction_cycles = 0;  ///< between dependent ones of a warp
  double wavefront = 1;           ///< cycles each
  double l2_slot = 0;             ///< cycles each, of a packet to the SM (l2_slots())
  double dram_byte = 0;           ///< cycles each
  double store_slot = 0;          ///< cycles each
  double block_start = 0;         ///< between two starts
  double block_turnover = 0;      ///< from a block's end until its slot may be given to another
  double warp_start = 0;
  double warp_prologue = 0;
  double l1_latency = 0, l2_latency = 0, dram_latency = 0, shared_latency = 0, straggler = 0,
         dram_queue = 0, acquire = 0;
  double barrier = 0, barrier_per_warp = 0;
};

struct ReplayPlan {
  std::span<const BlockTrace> traces;
  std::span<const InstructionCost> costs;
  SmRates rates;
  std::uint32_t slots = 1;           ///< blocks resident at a time
  std::uint64_t blocks = 1;          ///< that this SM gets in all
  double instructions_per_warp = 0;  ///< issue slots, averaged over the launch
  std::uint64_t l1_lines = 0;
  double load_dram_part = 1;    ///< of the atoms that a block loads first: not in L2
  double under_way_part = 0;    ///< of those that are: on their way, since another block wants them
  double under_way = 0;         ///< for so many cycles
  double reload_dram_part = 0;  ///< of those that it loads again: no more in L2
  double store_dram_bytes = 32;  ///< written back and read to fill, for each sector stored
  double pipe_part = 0;  ///< of the issue slots: those for which one pipe holds up the others
  std::uint64_t lookups = 200000;  ///< lines and events to replay at most
};

/// What holds a warp up. Where it waits in a queue, that is what the queue's server is busy with, back to when it was idle.
enum class Cause : std::uint8_t {
  dram,          ///< DRAM's bandwidth
  l2,            ///< L2's, to the SMs
  stores,        ///< the path of stores
  l1,            ///< passes of global accesses through L1
  shared,        ///< passes of accesses to shared memory
  issue,         ///< the schedulers
  latency,       ///< of memory, with nobody in the way
  instructions,  ///< of the warp's own, one after another
  barriers,      ///< what a barrier costs apart from waiting for the last warp
  starts,        ///< of blocks and their warps
};
inline constexpr std::size_t kCauses = 10;

/// Why a warp does not issue, as Nsight Compute calls it: "selected" is the cycle in which it does.
enum class Stall : std::uint8_t {
  selected,
  wait,                ///< for its own instruction before
  not_selected,        ///< the scheduler took another warp
  math_pipe_throttle,  ///< the pipe of its instruction is busy
  long_scoreboard,     ///< for what it loaded from global or local memory
  short_scoreboard,    ///< for shared memory
  mio_throttle,        ///< the queue to shared memory is full
  lg_throttle,         ///< the queue to L1 is full
  barrier,
  drain,           ///< has ended, but its stores are under way
  no_instruction,  ///< its first are being fetched
};
inline constexpr std::size_t kStalls = 11;

struct Replayed {
  double cycles = 0;  ///< from the first block's start to the last one's end
  /// The critical path through them, by Cause; the sum is `cycles`.
  std::array<double, kCauses> path{};
  /// Of the cycles, the part in which slots were empty because no block was left to enter, times the part of the slots.
  double empty = 0;
  double alone = 0;                       ///< of a block that nobody keeps waiting, on average
  double l1_misses = 0, loads = 0;        ///< sectors, of the blocks replayed
  std::array<double, kStalls> stalled{};  ///< cycles of all warps replayed, by Stall
  std::uint64_t blocks_replayed = 0;
};
Replayed replay(const ReplayPlan& plan);

}  // namespace labkit::timing
