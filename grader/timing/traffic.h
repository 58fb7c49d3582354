// What a launch asks of memory as a whole: counters and a sample of its blocks, brought to the size of the launch.
// Internal to the layer.
#pragma once
#include <algorithm>

#include "timing/timing.h"

namespace labkit::timing {

inline constexpr double kLineBytes = 128, kSectorBytes = 32, kAtomBytes = 64;
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Slots on the way from L2 to the SMs, of packets (a line each) and their sectors. Source: tests/h200/reuse.txt, gather of 16 MB: lines of
/// which one sector is wanted come 161 a nanosecond, where whole ones come 237 sectors a nanosecond.
inline double l2_slots(double packets, double sectors) { return std::max(1.47 * packets, sectors); }

/// Sums over the launch; all are counts.
struct Totals {
  double blocks = 0, warps = 0, warp_instructions = 0, barriers = 0;
  double links = 0;  ///< warp executions of instructions that lengthen a chain (dependence_links)
  double load_requests = 0, load_sectors = 0, load_bytes = 0;
  double store_requests = 0, store_sectors = 0, store_bytes = 0;
  double shared_wavefronts = 0;
  double issue = 0, alu = 0, fma = 0, xu = 0, fp64 = 0;  ///< ptx::MachineCost
  double tensor_fmas = 0;                                ///< of mma, as so many of f16
  double constant_addresses = 0;                         ///< distinct ones of a request
  double serial_loads = 0, serial_shared_loads = 0;  ///< warp executions x latencies to wait for
};
Totals total(const Activity& activity);

/// What the model wants to know of global accesses, for the whole launch unless the name says
/// otherwise.
struct Traffic {
  double load_wavefronts = 0, load_block_sectors = 0, load_packets = 0,
         load_reuse_lines_per_block = 0;
  double store_wavefronts = 0, store_lines = 0, store_block_lines = 0;
  double load_window_atoms = 0;  ///< distinct in each stretch of blocks, summed
  double load_own_part = 1;      ///< of what blocks load: that none shortly before them has loaded
  double load_density = 1;       ///< of these in the 64 KiB regions they lie in
  double load_chunks_per_atom = 0.25;
  double store_sectors = 0;       ///< as load_window_atoms
  double store_partial_part = 0;  ///< of store_sectors: written in part
  double store_chunks_per_sector = 0.125;
  bool loads_what_it_stores = true;
  bool in_place = false;  ///< the same, seen and not only feared
};
Traffic traffic_of(const Activity& activity, const Totals& t);

/// What DRAM does for the launch, but for torn lines.
struct DramTraffic {
  double read_bytes = 0, written_bytes = 0, filled_bytes = 0, visits = 0;
  double bytes() const { return read_bytes + written_bytes + filled_bytes; }
};
DramTraffic dram_traffic(const Activity& activity, const Traffic& traffic, const GpuProfile& gpu);

/// Lines of the launch torn between blocks so far apart that they reach DRAM twice.
double torn_lines(const Activity& activity, double seconds_between_blocks, const GpuProfile& gpu);

/// Of what blocks load and another has loaded before them: the part of which the data are still on their way from DRAM, and
/// for how long they have been, on average.
struct UnderWay {
  double part = 0, seconds = 0;
};
/// `seconds_between_blocks`: between the starts of two that follow one another in the launch.
UnderWay under_way(const Activity& activity, double seconds_between_blocks, double latency_seconds);

/// The part of the launch's accesses that its busiest block makes; 0: not known.
double busiest_part(const Activity& activity, const Totals& t);

}  // namespace labkit::timing
