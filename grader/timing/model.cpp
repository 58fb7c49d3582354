// How the time of a launch is predicted.
//
// A launch runs into bounds of three kinds, and each is a time in seconds by itself:
//
//  - Memory. Packets flow between the SMs, L2 and DRAM in pipelines one behind the other, so the
//  slowest sets the pace:
//    DRAM moves every 64-byte atom the launch touches (and torn lines twice, below); L2 hands out
//    the sectors that L1 does not keep; a store packet, which is one 128-byte line of one warp's
//    store, takes one slot of the store path for its header and one for each sector, however few
//    bytes of the sector it writes. That is why scattered stores are so much dearer than scattered
//    loads, whose sectors L1 keeps for the next warp.
//  - The SM. Four schedulers issue one warp instruction a cycle each, and one data array serves
//  shared memory and L1: a
//    pass (wavefront) a cycle, bank conflicts cost passes on either. The busier of the two counts.
//  - Latency. A block occupies its slot for a while that no bandwidth shortens: its warps start one after another,
//    each waits out its serial memory latencies (instructions issue in order and stall at the first use of a load; loads
//    in flight together count once), instructions follow one another, barriers cost cycles. The next block enters when
//    the whole block has left, so the slowest of the block's memory packets counts: the tail of a loaded latency, which
//    grows like the harmonic number of the packets waited for. Passes of a block through L1 overlap with its waiting
//    for memory, those through shared memory come after. The launch takes as many turns as there are blocks to a slot;
//    blocks cannot start faster than the work distributor hands them out.
//
// Of the blocks, one may do more than the others, all of it on one SM: its own residence and its own packets at one SM's
// part of the rates are a floor ("one SM"), whatever the other SMs could do. A block's part of the launch is its part of
// the requests or of the bytes wanted, whichever is larger.
//
// No bound is reached while another one holds the machine up part of the time. We take the root of
// the sum of the three squares, then add what an empty launch takes.
//
// A latency is L1's, L2's or DRAM's: a level of loads waits for DRAM if the block fetches enough
// atoms for every level to meet one, and so on down. L1 keeps a line for its next use if the lines
// that the resident blocks hold between two uses fit; L2 likewise.
//
// Torn lines: an atom that two blocks write a part of each reaches DRAM once if they write at about
// the same time (a copy of misaligned rows), but is written back, fetched again and written again
// if the second comes later than a DRAM latency (a transpose of misaligned rows: the other part
// belongs to the next row of blocks).
//
// Known gaps: what a small launch leaves dirty in L2 is charged as DRAM traffic all the same (at 2048 x 2048 the times
// say that it should be); stores of a warp to one sector that follow at once may merge on the way and are charged each
// (vecadd in chunks of 8 floats takes 0.7 of the prediction); lines with holes that nobody fills are charged a second
// write-back (strided copies); caches have no sets, L2 thrashing is too mild; atomics are loads. Of the profile's numbers
// three are derived from kernel_times.csv (stragglers, cycles of an instruction, bytes of a torn line), the rest measured
// by microbenchmarks or read off datasheets. tests/timing/timing_fidelity prints how well it does.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

constexpr double kLineBytes = 128, kSectorBytes = 32, kAtomBytes = 64;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Sums over the launch; all are counts.
struct Totals {
  double blocks = 0, warps = 0, warp_instructions = 0, barriers = 0;
  double load_requests = 0, load_sectors = 0, load_bytes = 0;
  double store_requests = 0, store_sectors = 0, store_bytes = 0;
  double shared_wavefronts = 0;
  double serial_loads = 0, serial_shared_loads = 0;  ///< warp executions x latencies to wait for
};

Totals total(const Activity& activity) {
  const observe::LaunchCounters& counters = *activity.counters;
  Totals t;
  t.blocks = static_cast<double>(activity.grid.count());
  t.warps = t.blocks * std::ceil(static_cast<double>(activity.block.count()) / 32);
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const observe::InstructionCounters& c = counters.instructions[i];
    const observe::InstructionInfo& info = counters.info[i];
    const bool store = info.access == observe::AccessKind::store;
    (store ? t.store_requests : t.load_requests) +=
        static_cast<double>(c.global_requests + c.local_requests);
    (store ? t.store_sectors : t.load_sectors) +=
        static_cast<double>(c.global_sectors + c.local_sectors);
    (store ? t.store_bytes : t.load_bytes) += static_cast<double>(c.global_bytes);
    t.shared_wavefronts += static_cast<double>(c.shared_wavefronts);
    t.serial_loads += static_cast<double>(c.warp_executions) * info.serial_loads;
    t.serial_shared_loads += static_cast<double>(c.warp_executions) * info.serial_shared_loads;
  }
  t.warp_instructions = static_cast<double>(counters.warp_instructions);
  t.barriers = static_cast<double>(counters.barriers_executed);
  for (double* sum : {&t.warp_instructions, &t.barriers, &t.load_requests, &t.load_sectors,
                      &t.load_bytes, &t.store_requests, &t.store_sectors, &t.store_bytes,
                      &t.shared_wavefronts, &t.serial_loads, &t.serial_shared_loads})
    *sum *= activity.scale;
  return t;
}

/// What the model wants to know of global accesses, for the whole launch unless the name says
/// otherwise.
struct Traffic {
  double load_wavefronts = 0, load_block_sectors = 0, load_packets = 0,
         load_reuse_lines_per_block = 0, load_atoms = 0;
  double store_wavefronts = 0, store_lines = 0, store_block_lines = 0, store_atoms = 0;
  bool loads_what_it_stores = true;
};

/// Without an observer's word: a request of many sectors touches a line each, no line is used
/// twice.
Traffic guess_traffic(const Totals& t) {
  Traffic traffic;
  const auto lines = [](double requests, double sectors, double bytes) {
    const double together = std::max(requests, bytes / kLineBytes);
    return sectors > 2 * bytes / kSectorBytes ? sectors : std::max(together, sectors / 4);
  };
  traffic.load_wavefronts = lines(t.load_requests, t.load_sectors, t.load_bytes);
  traffic.store_lines = traffic.store_wavefronts =
      lines(t.store_requests, t.store_sectors, t.store_bytes);
  traffic.load_block_sectors = std::min(t.load_sectors, std::ceil(t.load_bytes / kSectorBytes));
  traffic.load_packets = traffic.load_wavefronts;
  traffic.load_reuse_lines_per_block = ratio(traffic.load_wavefronts, t.blocks);
  traffic.load_atoms = traffic.load_block_sectors * kSectorBytes / kAtomBytes;
  traffic.store_block_lines = t.store_bytes / kLineBytes;
  traffic.store_atoms = t.store_bytes / kAtomBytes;
  return traffic;
}

/// Whether a sample of the launch's blocks is like the whole in what was counted exactly of both: within a quarter.
bool alike(double sample, double sample_blocks, double whole, double blocks) {
  const double expected = whole / blocks * sample_blocks;
  return std::abs(sample - expected) <= expected / 4;
}

/// For a sample that is unlike the launch: what it saw may not hold elsewhere, so that of the two the larger counts, and
/// no sector is found in L1 that was loaded by another request.
void distrust_loads(const Traffic& guess, const Totals& t, Traffic& traffic) {
  traffic.load_wavefronts = std::max(traffic.load_wavefronts, guess.load_wavefronts);
  traffic.load_block_sectors = t.load_sectors;
  traffic.load_packets = std::max(traffic.load_packets, guess.load_packets);
  traffic.load_reuse_lines_per_block =
      std::max(traffic.load_reuse_lines_per_block, guess.load_reuse_lines_per_block);
  traffic.load_atoms = std::max(traffic.load_atoms, guess.load_atoms);
}

/// What the sample saw, in proportion to the whole; guesses stay where it saw nothing.
void scale_traffic(const Locality& sample, const Totals& t, Traffic& traffic) {
  const auto seen = [](std::uint64_t count) { return static_cast<double>(count); };
  const Traffic guess = traffic;
  const double close = seen(sample.close_blocks);
  if (sample.load_requests) {
    const double load = t.load_requests / seen(sample.load_requests);
    traffic.load_wavefronts = load * seen(sample.load_wavefronts);
    traffic.load_block_sectors = load * seen(sample.load_block_sectors);
    traffic.load_packets = load * seen(sample.load_packets);
    traffic.load_reuse_lines_per_block =
        ratio(seen(sample.load_reuse_lines), seen(sample.close_blocks));
    traffic.load_atoms = load * seen(sample.load_atoms);
    if (!alike(seen(sample.load_requests), close, t.load_requests, t.blocks) ||
        !alike(seen(sample.load_sectors), close, t.load_sectors, t.blocks))
      distrust_loads(guess, t, traffic);
  }
  if (sample.store_requests) {
    const double store = t.store_requests / seen(sample.store_requests);
    traffic.store_wavefronts = store * seen(sample.store_wavefronts);
    traffic.store_lines = store * seen(sample.store_lines);
    if (!alike(seen(sample.store_requests), close, t.store_requests, t.blocks)) {
      traffic.store_wavefronts = std::max(traffic.store_wavefronts, guess.store_wavefronts);
      traffic.store_lines = std::max(traffic.store_lines, guess.store_lines);
    }
  }
  if (sample.store_block_lines) {
    const double blocks = t.blocks / seen(sample.store_blocks);
    traffic.store_block_lines = blocks * seen(sample.store_block_lines);
    traffic.store_atoms = blocks * seen(sample.store_atom_words) / 16;
    if (!alike(seen(sample.store_block_requests), seen(sample.store_blocks), t.store_requests,
               t.blocks)) {
      traffic.store_block_lines = std::max(traffic.store_block_lines, guess.store_block_lines);
      traffic.store_atoms = std::max(traffic.store_atoms, guess.store_atoms);
    }
  }
  traffic.loads_what_it_stores = sample.loads_what_it_stores;
}

Traffic traffic_of(const Activity& activity, const Totals& t) {
  Traffic traffic = guess_traffic(t);
  if (activity.locality) scale_traffic(*activity.locality, t, traffic);
  if (activity.footprint_bytes) {  // blocks share data: nobody reads or writes more than there is
    const double all = static_cast<double>(activity.footprint_bytes) / kAtomBytes;
    traffic.store_atoms = std::min(traffic.store_atoms, all);
    const double loadable = traffic.loads_what_it_stores ? all : all - traffic.store_atoms;
    traffic.load_atoms = std::min(traffic.load_atoms, loadable);
  }
  return traffic;
}

/// Expected largest of n exponential times of mean 1 (harmonic number, between whole n by its logarithm).
double harmonic(double n) { return n <= 1 ? 1 : std::log(n) + 0.5772 + 1 / (2 * n); }

/// The time of one block in its slot, in seconds. `l1_seconds`, `shared_seconds`: what the block alone takes of them.
double residence(const Totals& t, const Traffic& traffic, double l2_sectors, double l1_seconds,
                 double shared_seconds, const GpuProfile& gpu) {
  const double levels = ratio(t.serial_loads, t.warps), warps_per_block = ratio(t.warps, t.blocks);
  double loading = 0;
  if (levels > 0) {
    const double from_l2 = std::min(1.0, ratio(l2_sectors, t.blocks) / levels);
    const double from_dram = std::min(1.0, ratio(traffic.load_atoms, t.blocks) / levels);
    const double latency = gpu.l1_latency_seconds +
                           from_l2 * (gpu.l2_latency_seconds - gpu.l1_latency_seconds) +
                           from_dram * (gpu.dram_latency_seconds - gpu.l2_latency_seconds);
    const double packets = ratio(traffic.load_packets, t.blocks) / std::max(1.0, levels);
    loading = levels * latency +
              gpu.straggler_seconds * harmonic(packets) * std::sqrt(std::max(1.0, levels));
  }
  loading = std::hypot(loading, l1_seconds);  // passes of one load while another waits
  const double shared =
      shared_seconds + ratio(t.serial_shared_loads, t.warps) * gpu.shared_latency_seconds;
  const double cycles = ratio(t.warp_instructions, t.warps) * gpu.instruction_cycles +
                        ratio(t.barriers, t.warps) *
                            (gpu.barrier_cycles + warps_per_block * gpu.barrier_cycles_per_warp);
  return warps_per_block * gpu.warp_start_seconds + loading + shared + cycles / gpu.sm_clock_hz;
}

/// The part of the launch's accesses that the busiest block makes.
double busiest_part(const Activity& activity, const Totals& t) {
  if (!activity.locality) return 0;
  const Locality& seen = *activity.locality;
  const double part = std::max(
      ratio(static_cast<double>(seen.most_block_requests), t.load_requests + t.store_requests),
      ratio(static_cast<double>(seen.most_block_bytes), t.load_bytes + t.store_bytes));
  return std::min(part, 1.0);
}

/// The totals of one block that does `part` of all.
Totals of_block(Totals t, double part) {
  for (double* sum : {&t.warp_instructions, &t.barriers, &t.load_requests, &t.load_sectors,
                      &t.load_bytes, &t.store_requests, &t.store_sectors, &t.store_bytes,
                      &t.shared_wavefronts, &t.serial_loads, &t.serial_shared_loads})
    *sum *= part;
  t.warps = ratio(t.warps, t.blocks);
  t.blocks = 1;
  return t;
}

Traffic of_block(Traffic traffic, double part) {
  for (double* sum : {&traffic.load_wavefronts, &traffic.load_block_sectors, &traffic.load_packets,
                      &traffic.load_atoms, &traffic.store_wavefronts, &traffic.store_lines,
                      &traffic.store_block_lines, &traffic.store_atoms})
    *sum *= part;
  return traffic;
}

double torn_lines(const Activity& activity, double seconds_between_blocks, const GpuProfile& gpu) {
  if (!activity.locality || !activity.locality->store_blocks) return 0;
  double torn = 0;
  for (const TornLines& each : activity.locality->torn)
    if (static_cast<double>(each.distance_blocks) * seconds_between_blocks >
        gpu.dram_latency_seconds)
      torn += static_cast<double>(each.words) / 32;
  return torn * static_cast<double>(activity.grid.count()) /
         static_cast<double>(activity.locality->store_blocks);
}

}  // namespace

Prediction predict(const Activity& activity, const GpuProfile& gpu) {
  if (!activity.counters) throw Error("the time model was given no counters");
  Prediction prediction;
  Activity fitting = activity;
  const std::uint32_t most = most_registers(activity.block, gpu);
  if (activity.registers_estimated && activity.registers_per_thread > most) {
    fitting.registers_per_thread = most;
    prediction.registers_capped = true;
  }
  prediction.occupancy = occupancy(fitting, gpu);
  const double slots = prediction.occupancy.blocks_per_sm;
  if (slots < 1) throw Error("a block that does not fit on an SM of " + gpu.title + " has no time");

  const Totals t = total(activity);
  const Traffic traffic = traffic_of(activity, t);
  const double blocks_per_sm = std::ceil(t.blocks / gpu.sm_count);

  // L1 and L2 keep what fits of what is used again.
  const double l1_lines =
      (static_cast<double>(gpu.l1_bytes) -
       slots * static_cast<double>(activity.shared_bytes_per_block + gpu.shared_bytes_reserved)) /
      kLineBytes;
  const double l1_keeps =
      std::clamp(ratio(l1_lines, slots * traffic.load_reuse_lines_per_block), 0.0, 1.0);
  const double again = std::max(0.0, t.load_sectors - traffic.load_block_sectors);
  const double l1_misses = traffic.load_reuse_lines_per_block > 0 ? again * (1 - l1_keeps) : 0;
  const double l2_sectors = traffic.load_block_sectors + l1_misses;
  const double resident_lines =
      gpu.sm_count * slots *
      (traffic.load_reuse_lines_per_block + ratio(traffic.store_block_lines, t.blocks));
  const double l2_forgets = std::clamp(
      1 - ratio(static_cast<double>(gpu.l2_bytes) / kLineBytes, resident_lines), 0.0, 1.0);
  const double l2_misses = l2_forgets * l1_misses;
  const double rewritten =
      l2_forgets * std::max(0.0, traffic.store_lines - traffic.store_block_lines);

  // Seconds of each bound.
  const double clock = gpu.sm_clock_hz, sms = gpu.sm_count;
  const double l1 = (traffic.load_wavefronts + traffic.store_wavefronts) /
                    gpu.wavefronts_per_sm_cycle / clock / t.blocks * blocks_per_sm;
  const double shared =
      t.shared_wavefronts / gpu.wavefronts_per_sm_cycle / clock / t.blocks * blocks_per_sm;
  const double issue =
      t.warp_instructions / gpu.issue_per_sm_cycle / clock / t.blocks * blocks_per_sm;
  const double l2 = l2_sectors * kSectorBytes / gpu.l2_read_bytes_per_second;
  double stores = (traffic.store_lines + t.store_sectors) / gpu.store_slots_per_second;
  double dram = ((traffic.load_atoms + traffic.store_atoms) * kAtomBytes +
                 l2_misses * kSectorBytes + rewritten * 2 * kAtomBytes) /
                gpu.dram_bytes_per_second;
  const double turns = std::ceil(t.blocks / (sms * slots));
  const double latency =
      turns * residence(t, traffic, l2_sectors, l1 / blocks_per_sm, shared / blocks_per_sm, gpu);
  const double starts = t.blocks / gpu.blocks_started_per_second;
  // The busiest block, if it does more than the mean.
  const double part = busiest_part(activity, t);
  double one_sm = 0;
  if (part * t.blocks > 1)
    one_sm = std::max(residence(of_block(t, part), of_block(traffic, part), l2_sectors * part,
                                l1 / blocks_per_sm * t.blocks * part,
                                shared / blocks_per_sm * t.blocks * part, gpu),
                      std::max(l2, stores) * sms * part);

  const auto together = [&] {
    const double memory = std::max({dram, l2, stores}), sm = std::max(issue, l1 + shared),
                 slot = std::max({latency, starts, one_sm});
    return std::sqrt(memory * memory + sm * sm + slot * slot);
  };
  const double torn = torn_lines(activity, together() / t.blocks, gpu);
  dram += torn * gpu.torn_line_dram_bytes / gpu.dram_bytes_per_second;
  stores += torn * gpu.torn_line_store_slots / gpu.store_slots_per_second;

  prediction.time_us = (together() + gpu.launch_seconds) * 1e6;
  prediction.bounds = {{"DRAM", dram * 1e6},
                       {"L2", l2 * 1e6},
                       {"stores", stores * 1e6},
                       {"L1", l1 * 1e6},
                       {"shared memory", shared * 1e6},
                       {"issue", issue * 1e6},
                       {"latency", latency * 1e6},
                       {"one SM", one_sm * 1e6},
                       {"block starts", starts * 1e6},
                       {"launch", gpu.launch_seconds * 1e6}};
  std::stable_sort(prediction.bounds.begin(), prediction.bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.time_us > b.time_us; });
  prediction.bound = prediction.bounds.front().name;
  return prediction;
}

}  // namespace labkit::timing
