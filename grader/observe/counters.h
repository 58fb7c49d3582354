// What a launch did to memory, counted exactly as an NVIDIA GPU counts it. Rules and their source: counting.cpp.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "ptx/machine_cost.h"

namespace labkit::observe {

/// Sums over all warps of a launch for one PTX instruction. All are counts.
struct InstructionCounters {
  std::uint64_t warp_executions = 0;    ///< times a warp issued it with at least one active lane
  std::uint64_t thread_executions = 0;  ///< lanes active, predicated-off lanes not counted
  // global space (also generic addresses that point to global memory)
  std::uint64_t global_requests = 0;  ///< warp instructions with >= 1 active lane
  std::uint64_t global_sectors = 0;   ///< distinct 32-byte blocks per request
  std::uint64_t global_sectors_ideal =
      0;  ///< min(sectors, ceil(active lanes * bytes / 32)) per request
  std::uint64_t global_partial_sectors =
      0;                           ///< sectors of which the request touches fewer than 32 bytes
  std::uint64_t global_bytes = 0;  ///< active lanes * bytes
  // shared space, after ptxas's merging unless it is switched off
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_wavefronts_ideal = 0;
  /// Waits for cp.async that had been under way for less than half of the instructions since the warp's wait before. The
  /// first wait of a warp is not counted: nothing could hide it.
  std::uint64_t exposed_waits = 0;
  // local space
  std::uint64_t local_requests = 0;
  std::uint64_t local_sectors = 0;
  /// Constant space: distinct addresses per request of several. One address a request is an operand, and not counted.
  std::uint64_t constant_addresses = 0;
};

enum class AccessKind : std::uint8_t { none, load, store, atomic };

/// Static facts of one PTX instruction that reports and the time model need.
struct InstructionInfo {
  std::uint32_t line = 0;  ///< CUDA source line, 0 if not known
  std::string file;
  std::string spelling;  ///< "ld.global.f32"
  AccessKind access = AccessKind::none;
  std::uint32_t bytes_per_lane = 0;  ///< of the memory access; 0 if none
  std::uint8_t serial_loads = 0;     ///< ptx::LatencyDepth
  std::uint8_t serial_shared_loads = 0;
  bool is_reduction = false;         ///< ptx::reductions
  std::uint8_t turns_in_flight = 1;  ///< of the loop around it; ptx::LatencyDepth
  float links = 0;                   ///< ptx::dependence_links
  ptx::MachineCost cost;
  std::int32_t issued_with = 0;  ///< that many instructions on; ptx::issued_with
  /// Of the innermost loop around it, by index; both 0 if there is none.
  std::uint32_t loop_first = 0, loop_last = 0;
};

struct LaunchCounters {
  std::vector<InstructionInfo> info;  ///< all instructions of the entry and the functions it calls
  std::vector<InstructionCounters> instructions;  ///< same index
  std::uint64_t barriers_executed = 0;            ///< warp executions of CTA barriers
  std::uint64_t thread_instructions = 0;          ///< sum of thread_executions
  std::uint64_t warp_instructions = 0;
};

/// Totals and per-line figures under Nsight Compute's names (the table of counting.cpp; one counter is one row).
using Metrics = std::map<std::string, double>;
Metrics metrics(const LaunchCounters& counters);
/// key: "file:line" order by file then line.
struct LineMetrics {
  launch::SourceLine where;
  Metrics metrics;
};
std::vector<LineMetrics> line_metrics(const LaunchCounters& counters);

}  // namespace labkit::observe
