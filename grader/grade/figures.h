// The figures that gates speak of, each one row of a table in figures.cpp. Besides those below,
// every metric of observe::metrics() is a figure under its Nsight Compute name.
//
//   ratio                 useful bytes over time against the copy of the same block, elements a
//                         thread and element type on the same device; 0 to 1 and sometimes a
//                         little over. Not there for a test whose gates speak of best_ratio only
//   best_ratio            the same against the best copy (16 bytes a thread)
//   time_us, copy_us, best_copy_us
//   bandwidth_gbps        useful bytes over time, 1 GB = 1e9 bytes
//   load_sectors_per_request, store_sectors_per_request
//                         global: sectors over requests; 4 is 32 neighbouring floats, 32 the worst.
//                         Here and below, an atomic counts as a load and as a store
//   excess_global_sectors, excess_global_load_sectors, excess_global_store_sectors
//                         sectors beyond what the bytes need
//                         (memory_l2_theoretical_sectors_global less its ideal). For a graded
//                         launch that asks for more than 2.5 times the useful bytes / 32,
//                         excess_global_sectors is at least all sectors less these: a request of one
//                         lane is ideal by itself, and 32 of them in a row move eight times what one
//                         request of 32 lanes moves
//   global_load_sectors, global_store_sectors
//   excess_shared_wavefronts, excess_shared_load_wavefronts, excess_shared_store_wavefronts
//                         memory_l1_wavefronts_shared less its ideal: what bank conflicts cost
//   shared_wavefronts     all passes over shared memory (memory_l1_wavefronts_shared)
//   shared_load_wavefronts_per_request, shared_store_wavefronts_per_request
//                         1 is 32 lanes of 4 bytes without conflicts, 32 the worst
//   global_atomics, shared_atomics
//                         once for each thread that takes part
//   barriers              of blocks, once for each warp that comes by
//   thread_instructions   PTX
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "launch/launch.h"
#include "observe/counters.h"

namespace labkit::grade {

struct FigureInfo {
  std::string_view id;
  std::string_view unit = {};         ///< "us", "sectors"; "": a part of 1
  words::Id title = words::Id::none;  ///< a row of words/english/figures.def
};
/// Null for Nsight Compute's own names, and for what is no figure.
const FigureInfo* find_figure(std::string_view id);

/// Values by the figure's id.
using Figures = std::map<std::string, double>;

/// All figures that follow from counters and the launch's useful bytes (0: not known).
Figures counter_figures(const observe::LaunchCounters& counters, std::uint64_t useful_bytes = 0);

/// For a figure that is so much per something of which the launch has none, what is missing (figure_without_*); else none.
/// The figure is 0 then, and says nothing.
words::Message missing_basis(std::string_view figure, const observe::LaunchCounters& counters);

/// True for a figure that a gate may use (a ratio, a counter of the table, or one of Nsight's names).
bool is_figure(std::string_view id);
/// True for a figure that follows from counters alone, and so is exact; false for ratios and times.
bool is_counted(std::string_view id);

/// The source line that contributes most to `figure`, and how much of it. line 0 if the figure has
/// no lines (times). Where excess_global_sectors is above 0 by the useful bytes alone, the line with
/// the most sectors that its bytes do not fill, or else with the most sectors.
struct Culprit {
  launch::SourceLine where;
  std::string instruction;  ///< "st.global.f32"
  double value = 0;         ///< the same figure for this line alone
  /// From one lane's address to the next lane's at this line's worst access; 0: not known, or not all
  /// the same. Only where samples were kept (explain/hints.h).
  std::int64_t lane_stride_bytes = 0;
};
Culprit worst_line(std::string_view figure, const observe::LaunchCounters& counters,
                   std::uint64_t useful_bytes = 0);

/// __syncthreads() and the like, of the whole block or some of its warps.
bool is_block_barrier(const observe::InstructionInfo& info);

/// Where a launch whose time barriers or atomics set ("barriers", "atomics" of timing::kShareNames) has most of them;
/// Culprit::value is how often a warp came by. line 0 for other bounds, which no single kind of instruction makes.
Culprit bounding_line(std::string_view time_bound, const observe::LaunchCounters& counters);

}  // namespace labkit::grade
