// Counters are of the whole launch, or of the blocks simulated and then scaled. What single requests cannot show (what
// blocks have in common, holes, torn lines) was seen of a sample of the blocks (locality.h) and is brought to the size of
// the launch; a sample that is unlike the launch in what was counted of both is not trusted.
//
// What DRAM moves. It reads 64-byte atoms, each once if the arrays fit into L2 or blocks that run at about the same time
// share them, else again for each stretch of blocks that wants them. It is written 32-byte sectors; one of which only a
// part was written is read first, to fill it. What was stored last stays in L2: of the bytes that L2 keeps, the part that
// stores have in all that came in; unless L2 was full of written lines before, each of which has to leave for another.
// Neighbouring bytes that are wanted at about the same time, 256 at most, come in one visit, for which a row of DRAM is
// opened.
//
// Torn lines: an atom that two blocks write a part of each reaches DRAM once if they write at about the same time (a copy
// of misaligned rows), but is written back, fetched again and written again if the second comes later than a DRAM latency
// (a transpose of misaligned rows: the other part belongs to the next row of blocks).
#include "timing/traffic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "timing/radix_sort.h"

namespace labkit::timing {

namespace {

/// Multiply-adds of a matrix product; of other types as many of f16 as take that long. Source of the factors: peaks in the
/// A100 and H100 datasheets (TF32 half of FP16, INT8 twice, FP64 a sixteenth).
double tensor_fmas_of(std::string_view spelling) {
  if (!spelling.starts_with("mma.") && !spelling.starts_with("wmma.mma.")) return 0;
  // of m16n8k16 the product of the three
  double product = 1;
  const auto is_digit = [&](std::size_t at) { return spelling[at] >= '0' && spelling[at] <= '9'; };
  std::size_t at = 0;
  while (!(spelling[at] == 'm' && is_digit(at + 1))) ++at;
  for (; spelling[at] != '.'; ++at) {
    double number = 0;
    for (; is_digit(at + 1); ++at) number = 10 * number + (spelling[at + 1] - '0');
    product *= number;
  }
  const auto has = [&](std::string_view type) { return spelling.find(type) != spelling.npos; };
  return product * (has(".f64") ? 16 : has(".tf32") ? 2 : has("8.s32") ? 0.5 : 1);
}

}  // namespace

Totals total(const Activity& activity) {
  const observe::LaunchCounters& counters = *activity.counters;
  Totals t;
  double counted = 0;
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
    const auto times =
        static_cast<double>(counters.instructions[i + info.issued_with].warp_executions);
    counted += static_cast<double>(c.warp_executions);
    t.issue += times * info.cost.issue;
    t.alu += times * info.cost.alu;
    t.fma += times * info.cost.fma;
    t.xu += times * info.cost.xu;
    t.fp64 += times * info.cost.fp64;
    t.tensor_fmas += times * tensor_fmas_of(info.spelling);
    t.shared_wavefronts += static_cast<double>(c.shared_wavefronts);
    t.constant_addresses += static_cast<double>(c.constant_addresses);
    t.links += times * info.links;
    t.serial_loads += static_cast<double>(c.warp_executions) * info.serial_loads;
    t.serial_shared_loads += static_cast<double>(c.warp_executions) * info.serial_shared_loads;
  }
  t.warp_instructions = static_cast<double>(counters.warp_instructions);
  t.issue += std::max(0.0, t.warp_instructions - counted);  // by no instruction of its own
  t.barriers = static_cast<double>(counters.barriers_executed);
  for (double* sum :
       {&t.warp_instructions, &t.barriers, &t.load_requests, &t.load_sectors, &t.load_bytes,
        &t.store_requests, &t.store_sectors, &t.store_bytes, &t.shared_wavefronts, &t.serial_loads,
        &t.serial_shared_loads, &t.issue, &t.alu, &t.fma, &t.xu, &t.fp64, &t.tensor_fmas, &t.links,
        &t.constant_addresses})
    *sum *= activity.scale;
  return t;
}

namespace {

/// Whether a sample of the launch's blocks is like the whole in what was counted exactly of both: within a quarter.
bool alike(std::uint64_t sample, std::uint64_t sample_blocks, double whole, double blocks) {
  const double expected = whole / blocks * static_cast<double>(sample_blocks);
  return std::abs(static_cast<double>(sample) - expected) <= expected / 4;
}

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
  traffic.store_block_lines = t.store_bytes / kLineBytes;
  traffic.load_window_atoms = traffic.load_block_sectors * kSectorBytes / kAtomBytes;
  traffic.store_sectors = t.store_bytes / kSectorBytes;
  return traffic;
}

/// A visit of DRAM brings neighbouring atoms that one block loads; its neighbours' come too late. None seen: 0.
double chunks_per_atom(std::span<const BlockTrace> traces) {
  double atoms = 0, chunks = 0;
  std::vector<std::uint64_t> touched;
  for (const BlockTrace& trace : traces) {
    touched.clear();
    for (const LineTouch touch : trace.touches)
      if (const int first = std::popcount(touch >> 4 & 3)) {
        atoms += first;
        touched.push_back(touch >> 8);
      }
    sort_by(touched, [](std::uint64_t chunk) { return chunk; });
    chunks += static_cast<double>(std::unique(touched.begin(), touched.end()) - touched.begin());
  }
  return ratio(chunks, atoms);
}

/// What the sample saw, in proportion to the whole; guesses stay where it saw nothing. Where it is unlike the launch, what it
/// saw may not hold elsewhere, so that of the two the larger counts.
void scale_traffic(const Locality& sample, const Totals& t, Traffic& traffic) {
  const auto seen = [](std::uint64_t count) { return static_cast<double>(count); };
  const auto keep_larger = [&traffic, guess = traffic](auto... figures) {
    ((traffic.*figures = std::max(traffic.*figures, guess.*figures)), ...);
  };
  if (sample.load_requests) {
    const double load = t.load_requests / seen(sample.load_requests);
    traffic.load_wavefronts = load * seen(sample.load_wavefronts);
    traffic.load_block_sectors = load * seen(sample.load_block_sectors);
    traffic.load_packets = load * seen(sample.load_packets);
    traffic.load_reuse_lines_per_block =
        ratio(seen(sample.load_reuse_lines), seen(sample.close_blocks));
    traffic.load_window_atoms = load * seen(sample.load_atoms);
    if (!alike(sample.load_requests, sample.close_blocks, t.load_requests, t.blocks) ||
        !alike(sample.load_sectors, sample.close_blocks, t.load_sectors, t.blocks)) {
      keep_larger(&Traffic::load_wavefronts, &Traffic::load_packets,
                  &Traffic::load_reuse_lines_per_block);
      // No sector is found in L1 that was loaded by another request.
      traffic.load_block_sectors = t.load_sectors;
    }
  }
  if (sample.store_requests) {
    const double store = t.store_requests / seen(sample.store_requests);
    traffic.store_wavefronts = store * seen(sample.store_wavefronts);
    traffic.store_lines = store * seen(sample.store_lines);
    if (!alike(sample.store_requests, sample.close_blocks, t.store_requests, t.blocks))
      keep_larger(&Traffic::store_wavefronts, &Traffic::store_lines);
  }
  if (const double apart = chunks_per_atom(sample.traces); apart > 0 && sample.window_atoms) {
    const double together = seen(sample.window_chunks) / seen(sample.window_atoms);
    traffic.load_chunks_per_atom = std::max(together, std::min(apart, 2 * together));
  }
  if (sample.window_atoms) {
    traffic.load_window_atoms =
        seen(sample.window_atoms * Locality::kWindowPart) * t.blocks / seen(sample.store_blocks);
    double again = 0;
    for (const std::uint64_t count : sample.window_again) again += seen(count);
    traffic.load_own_part = seen(sample.window_atoms) / (seen(sample.window_atoms) + again);
    traffic.load_density = std::min(1.0, seen(sample.window_atoms * Locality::kWindowPart) /
                                             (1024 * seen(sample.window_regions)));
  }
  if (sample.store_sectors) {
    traffic.store_sectors = seen(sample.store_sectors) * t.blocks / seen(sample.store_blocks);
    traffic.store_partial_part = seen(sample.store_partial_sectors) / seen(sample.store_sectors);
    traffic.store_chunks_per_sector = seen(sample.store_chunks) / seen(sample.store_sectors);
  }
  if (sample.store_block_lines) {
    const double blocks = t.blocks / seen(sample.store_blocks);
    traffic.store_block_lines = blocks * seen(sample.store_block_lines);
    if (!alike(sample.store_block_requests, sample.store_blocks, t.store_requests, t.blocks))
      keep_larger(&Traffic::store_block_lines);
  }
  traffic.loads_what_it_stores = traffic.in_place = sample.loads_what_it_stores;
}

/// Of `wanted` bytes (distinct in a stretch of the launch, all stretches together) in an array of `there` bytes: those that
/// L2 does not have. What is wanted again is there if the array fits, or if `near`: the part of it that neighbouring blocks
/// want.
double from_dram(double wanted, double there, double near, const GpuProfile& gpu) {
  if (wanted <= there) return wanted;
  const double again = wanted - there, kept = std::min(1.0, ratio(gpu.l2_reuse_bytes, there));
  return there + again * (1 - std::max(kept, near));
}

}  // namespace

Traffic traffic_of(const Activity& activity, const Totals& t) {
  Traffic traffic = guess_traffic(t);
  if (activity.locality) scale_traffic(*activity.locality, t, traffic);
  return traffic;
}

double busiest_part(const Activity& activity, const Totals& t) {
  if (!activity.locality) return 0;
  const Locality& seen = *activity.locality;
  const double part = std::max(
      ratio(static_cast<double>(seen.most_block_requests), t.load_requests + t.store_requests),
      ratio(static_cast<double>(seen.most_block_bytes), t.load_bytes + t.store_bytes));
  return std::min(part, 1.0);
}

DramTraffic dram_traffic(const Activity& activity, const Traffic& traffic, const GpuProfile& gpu) {
  DramTraffic dram;
  const double everything = activity.footprint_bytes ? static_cast<double>(activity.footprint_bytes)
                                                     : std::numeric_limits<double>::infinity();
  const double loads = traffic.load_window_atoms * kAtomBytes,
               stores = traffic.store_sectors * kSectorBytes;
  const double stored = std::min(stores, everything);
  double loadable = everything;
  if (!traffic.loads_what_it_stores) loadable = std::max(kAtomBytes, everything - stored);
  double storable = everything;
  if (!traffic.loads_what_it_stores)
    storable = std::max(kSectorBytes, everything - std::min(loads, everything / 2));
  dram.read_bytes = from_dram(loads, loadable, traffic.load_density, gpu);
  const double written = from_dram(stores, storable, 0, gpu);
  dram.filled_bytes = written * traffic.store_partial_part;
  // What was stored last stays in L2: its part of all that L2 took in last.
  const double all =
      traffic.in_place ? std::max(dram.read_bytes, written) : dram.read_bytes + written;
  const double kept = activity.l2_holds_writes
                          ? 0
                          : std::min(std::min(written, storable),
                                     gpu.l2_reuse_bytes * std::min(1.0, ratio(written, all)));
  dram.written_bytes = written - kept;
  dram.visits = dram.read_bytes / kAtomBytes * traffic.load_chunks_per_atom +
                (dram.written_bytes / kSectorBytes + dram.filled_bytes / kSectorBytes) *
                    traffic.store_chunks_per_sector;
  return dram;
}

UnderWay under_way(const Activity& activity, double seconds_between_blocks,
                   double latency_seconds) {
  UnderWay all;
  if (!activity.locality) return all;
  double again = 0, waiting = 0, waited = 0;
  double blocks = 1.5;  // before: the middle of the span counted
  for (const std::uint64_t count : activity.locality->window_again) {
    const auto atoms = static_cast<double>(count);
    again += atoms;
    if (const double since = blocks * seconds_between_blocks; since < latency_seconds) {
      waiting += atoms;
      waited += atoms * since;
    }
    blocks *= 2;
  }
  return {ratio(waiting, again), ratio(waited, waiting)};
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

}  // namespace labkit::timing
