// How the time of a launch is predicted.
//
// What the launch needs of DRAM, L2, the store path, the SMs' data arrays and schedulers, and the work distributor is
// worked out for it as a whole (traffic.cpp), each as the time it would take by itself: these are the bounds that are
// reported. How they add up is not guessed: one SM is replayed (replay.cpp) with its part of the launch's blocks and of
// the rates, the traces of some blocks standing for all. The launch ends when that SM does; what an empty launch takes is
// added.
//
// - Stores on their way to L2 take a slot for the header and one for each sector, however few bytes of it are wanted. That
//   is why scattered stores are so much dearer than scattered loads, whose sectors L1 keeps. L2's packets to the SMs take a
//   slot for each sector, but nearly two at least (l2_slots()).
// - DRAM is as slow as its bytes or its visits ask for, whichever is more.
// - An instruction of double arithmetic takes two issue slots.
// - Of a load from constant memory each address takes two cycles of the SM, whatever the lanes are.
// - Atomics on one 512-byte chunk go one after another: a slice of L2 has it. So do additions of floats to one word.
// - Of the blocks, one may do more than the others, all of it on one SM: what it does alone is a floor ("one SM"). Its part
//   of the launch is its part of the requests or of the bytes wanted, whichever is larger.
// - Blocks traced that are unlike the launch (likeness.h) are not replayed; a block that does the mean of the launch is, no
//   bound is undercut, and the prediction says so.
// - That loads and stores do not stand in each other's way (replay.cpp) holds for whole sectors from L2; launches near both
//   bounds (vecadd uncoalesced_per2, stream_2e22 copy_float4) take their sum, which stays the floor.
//
// What the time is spent on is the critical path of that SM. Where something that the replay does not see takes longer than
// it (the busiest block, atomics on one chunk), the rest is its share.
//
// Known gaps: of the warps that want the pipe the oldest always goes first, which is too strict where many blocks keep it busy:
// the loads of a young one wait too long, and it idles later (product_512 plain: 1.5); served in their order instead, others
// come out wrong (tile32_nopad, powers smem_conflict, scan). An arrival at a barrier was measured to take 0.6 of a pass of the
// pipe beside its own count (tests/h200/timing_warps.csv: rounds); here it takes none. Instructions are reckoned from PTX as
// ptxas makes them (ptx/folding.cpp, added.cpp).
// Of the profile's numbers some are derived from kernel_times.csv (their sources say so), none from the times of
// other_times.csv. tests/timing/timing_fidelity prints how well it does on both.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>

#include "base/error.h"
#include "timing/replay.h"
#include "timing/traffic.h"

namespace labkit::timing {
namespace {

constexpr double kSmPortBytes = 64;  // a cycle, from L2, whoever else is silent
// How sharply streaming turns into visiting. Source: kernel_times.csv, copy_n134217728 stride16 beside stride32.
constexpr double kSoft = 4;

/// A block whose warps all do the mean of what the launch's do: where no trace was taken, or of blocks unlike the others.
/// Instruction 0 loads, 1 stores and is the barrier, 2 is the shared accesses.
BlockTrace mean_block(const Totals& t, const Traffic& traffic) {
  using Kind = TraceEvent::Kind;
  BlockTrace trace;
  trace.warps = static_cast<std::uint32_t>(std::max(1.0, std::round(ratio(t.warps, t.blocks))));
  const auto per = [&](double count, double events) {
    return static_cast<std::uint32_t>(std::lround(ratio(count, t.warps * events)));
  };
  const std::uint32_t loads =
      t.load_requests > 0 ? std::clamp<std::uint32_t>(per(t.serial_loads, 1), 1, 512) : 0;
  const std::uint32_t barriers = std::min<std::uint32_t>(per(t.barriers, 1), 512);
  const std::uint32_t stores =
      t.store_requests > 0 ? std::clamp<std::uint32_t>(per(t.store_requests, 1), 1, 512) : 0;
  std::uint64_t line = 0;
  const auto access = [&](Kind kind, std::uint16_t warp, double lines, double sectors,
                          double wavefronts) {
    const TraceEvent event{
        .instruction = kind == Kind::load ? 0u : 1u,
        .warp = warp,
        .kind = kind,
        .lines = static_cast<std::uint8_t>(std::clamp(std::lround(lines), 1l, 64l)),
        .wavefronts = static_cast<std::uint16_t>(std::clamp(std::lround(wavefronts), 1l, 60000l)),
        .first_touch = static_cast<std::uint32_t>(trace.touches.size())};
    const auto each = std::clamp(std::lround(sectors / event.lines), 1l, 4l);
    for (int i = 0; i < event.lines; ++i)
      trace.touches.push_back((++line + (kind == Kind::load ? 0 : 1ull << 40)) << 7 |
                              ((1u << each) - 1) | (each > 2 ? 0x30u : 0x10u));
    trace.events.push_back(event);
  };
  const auto without_lines = [&](Kind kind, std::uint16_t warp, std::uint32_t instruction) {
    trace.events.push_back({.instruction = instruction, .warp = warp, .kind = kind});
  };
  const double all_loads = t.warps * loads, all_stores = t.warps * stores;
  for (std::uint16_t warp = 0; warp < trace.warps; ++warp) {
    for (std::uint32_t i = 0; i < loads; ++i)
      access(Kind::load, warp, ratio(traffic.load_packets, all_loads),
             ratio(traffic.load_block_sectors, all_loads),
             ratio(traffic.load_wavefronts, all_loads));
    without_lines(Kind::shared_store, warp, 2);
    for (std::uint32_t i = 0; i < barriers; ++i) without_lines(Kind::barrier, warp, 1);
    for (std::uint32_t i = 0; i < stores; ++i)
      access(Kind::store, warp, ratio(traffic.store_lines, all_stores),
             ratio(t.store_sectors, all_stores), ratio(traffic.store_wavefronts, all_stores));
  }
  trace.events_seen = trace.events_kept = trace.events.size();
  return trace;
}

/// Of an SM, for each address that the lanes of a load from constant memory ask for; and of the warp alone. Source: tests/h200/constants.csv,
/// words and bytes alike.
constexpr double kConstantCycles = 2, kConstantLatency = 11;

/// Of the schedulers, or of the pipe that has most to do, which then holds them up.
double slots_of(const Totals& t, const GpuProfile& gpu) {
  return std::max({t.issue, t.alu, t.fma, t.xu, t.fp64 * gpu.fp64_issue_slots,
                   t.constant_addresses * kConstantCycles * gpu.issue_per_sm_cycle,
                   t.tensor_fmas / gpu.tensor_fmas_per_sm_cycle * gpu.issue_per_sm_cycle});
}

std::vector<InstructionCost> costs_of_mean_block(const Totals& t, double slots) {
  std::vector<InstructionCost> costs(3);
  const double links = ratio(t.links, t.warp_instructions);
  costs[0].loads_in_turn = 1;
  for (InstructionCost& cost : costs) {
    cost.links = links;
    cost.issue = ratio(slots, t.warp_instructions);
  }
  costs[2].shared_wavefronts = ratio(t.shared_wavefronts, t.warps);
  costs[2].shared_latencies = ratio(t.serial_shared_loads, t.warps);
  return costs;
}

/// What a store or a reduction takes on the way to L2, in slots for each of its lines and sectors; one slot is what sectors written in part
/// take. Of a reduction only the words are sent that it changes. Source: tests/h200/stores_and_atomics.txt: a lane of red to each of random
/// sectors 0.67 to 0.78, eight lanes 1.05; atomics that return 1.0; whole sectors of several lines a request 0.78 to 0.81 (store_whole_L2,
/// fill_16B). Of requests of one line each that is true while L2 holds what is stored (store_4B_L2); what goes on to DRAM takes 0.92 to 1.0,
/// to one array or to 32 (reuse.txt, fill of 256 MB), which is kept for all of them.
double packet_of(const observe::InstructionCounters& c, const observe::InstructionInfo& info) {
  constexpr double kReducedWord = 0.72, kWhole = 0.79;
  if (c.global_sectors == 0) return 1;
  const double whole =
      static_cast<double>(c.global_bytes) / (kSectorBytes * static_cast<double>(c.global_sectors));
  if (info.is_reduction)
    return std::min(1.0, kReducedWord + (1 - kReducedWord) * (whole * 8 - 1) / 7);
  const bool many_lines = c.global_sectors > c.global_requests * 4;
  return info.access == observe::AccessKind::store && whole >= 1 && many_lines ? kWhole : 1;
}

/// `held_up`: times its own slots that an instruction takes.
std::vector<InstructionCost> costs_of(const observe::LaunchCounters& counters, double held_up) {
  std::vector<InstructionCost> costs(counters.info.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const observe::InstructionCounters& c = counters.instructions[i];
    const observe::InstructionInfo& info = counters.info[i];
    costs[i].shared_wavefronts =
        ratio(static_cast<double>(c.shared_wavefronts), static_cast<double>(c.warp_executions));
    costs[i].shared_latencies = info.serial_shared_loads;
    costs[i].acquires = info.spelling.starts_with("ld.acquire") ? 1 : 0;
    // What ptxas merges into another access is none.
    costs[i].idle_passes = info.issued_with != 0 && c.shared_requests > 0 ? 1 : 0;
    costs[i].issued_with = info.issued_with;
    costs[i].loop_first = info.loop_first;
    costs[i].loop_last = info.loop_last;
    costs[i].links = info.links;
    if (info.links > 0)  // else another of the chain takes as long
      costs[i].links +=
          ratio(static_cast<double>(c.constant_addresses), static_cast<double>(c.warp_executions)) *
          kConstantLatency / ptx::kUsualCycles;
    costs[i].issue = held_up * info.cost.issue;
    costs[i].packet = packet_of(c, info);
    costs[i].is_copy = info.spelling.starts_with("cp.async") && c.global_requests > 0;
    costs[i].loads_in_turn = info.serial_loads ? info.turns_in_flight : 0;
  }
  return costs;
}

double l2_slots_per_second(const GpuProfile& gpu) {
  return gpu.l2_read_bytes_per_second / kSectorBytes;
}

SmRates rates_of(const GpuProfile& gpu, double busy_sms) {
  const double clock = gpu.sm_clock_hz;
  SmRates rates;
  rates.issue = gpu.issue_per_sm_cycle;
  rates.instruction_cycles = gpu.instruction_cycles;
  rates.wavefront = 1 / gpu.wavefronts_per_sm_cycle;
  // An SM's own port to L2 is 64 bytes a cycle wide, whoever else is silent.
  rates.l2_slot =
      std::max(kSectorBytes / kSmPortBytes, clock * busy_sms / l2_slots_per_second(gpu));
  rates.dram_byte = clock * busy_sms / gpu.dram_bytes_per_second;
  rates.store_slot = clock * busy_sms / gpu.store_slots_per_second;
  rates.block_start = clock * gpu.sm_count / gpu.blocks_started_per_second;
  rates.block_turnover = clock * gpu.block_turnover_seconds;
  rates.warp_start = clock * gpu.warp_start_seconds;
  rates.warp_prologue = clock * gpu.warp_prologue_seconds;
  rates.l1_latency = clock * gpu.l1_latency_seconds;
  rates.l2_latency = clock * gpu.l2_latency_seconds;
  rates.dram_latency = clock * gpu.dram_latency_seconds;
  rates.shared_latency = clock * gpu.shared_latency_seconds;
  rates.acquire = clock * gpu.acquire_seconds;
  rates.dram_queue = clock * gpu.dram_queue_seconds;
  rates.straggler = clock * gpu.straggler_seconds;
  rates.barrier = gpu.barrier_cycles;
  rates.barrier_per_warp = gpu.barrier_cycles_per_warp;
  return rates;
}

/// What the traced blocks move, and how many such blocks the launch has.
struct Traced {
  double first_atoms = 0, store_sectors = 0, store_slots = 0;
  double requests = 0;  ///< of one of them
  double times = 0;
};
Traced traced(std::span<const BlockTrace> traces, std::span<const InstructionCost> costs,
              const Totals& t) {
  Traced sum;
  double blocks = 0;
  for (const BlockTrace& trace : traces) {
    double requests = 0;
    for (const TraceEvent& event : trace.events) {
      requests += event.lines != 0;
      for (std::uint32_t i = 0; i < event.lines; ++i) {
        const LineTouch touch = trace.touches[event.first_touch + i];
        if (event.kind == TraceEvent::Kind::load) sum.first_atoms += std::popcount(touch >> 4 & 3);
        if (event.kind != TraceEvent::Kind::store) continue;
        sum.store_sectors += std::popcount(touch & 15);
        sum.store_slots += (1 + std::popcount(touch & 15)) * costs[event.instruction].packet;
      }
    }
    sum.requests += std::max(requests, static_cast<double>(trace.requests_seen)) /
                    static_cast<double>(traces.size());
    if (trace.events_seen)
      blocks +=
          ratio(static_cast<double>(trace.events_kept), static_cast<double>(trace.events_seen));
  }
  sum.times = ratio(t.blocks, blocks);
  return sum;
}

/// Instructions of the block that executes most, over the mean.
double most_work(std::span<const BlockWork> works) {
  double all = 0, most = 0;
  for (const BlockWork& work : works) {
    all += static_cast<double>(work.instructions);
    most = std::max(most, static_cast<double>(work.instructions));
  }
  return ratio(most * static_cast<double>(works.size()), all);
}

static_assert(kShareNames[kCauses] == "tail", "the causes' names come first");

/// What `seconds` and the launch are spent on. `busy`: of the SMs, the part that has as many blocks as the replayed one.
/// `alone`: largest first.
std::vector<Share> shares_of(const Replayed& replayed, double clock, double busy, double seconds,
                             double launch_seconds, const std::vector<Bound>& alone) {
  std::map<std::string, double> spent;
  const double cycles = std::max(replayed.cycles, 1e-9);
  const double full = busy * (1 - std::clamp(replayed.empty / cycles, 0.0, 1.0));
  for (std::size_t i = 0; i < kCauses; ++i)
    spent[std::string(kShareNames[i])] += replayed.path[i] / clock * full;
  spent["tail"] += replayed.cycles / clock * (1 - full);
  if (const double over = seconds - replayed.cycles / clock; over > 0) {
    // Neither bound holds a launch up: latency is in the replay, and the launch comes before.
    const auto longest = std::ranges::find_if(alone, [](const Bound& bound) {
      return bound.name != "latency" && bound.name != "launch";
    });
    spent[longest->name] += over;
  }
  spent["launch"] += launch_seconds;
  std::vector<Share> shares;
  for (const auto& [name, time] : spent)
    if (time > 0) shares.push_back({name, time / (seconds + launch_seconds)});
  std::ranges::stable_sort(shares, std::greater(), &Share::part);
  return shares;
}

std::vector<Share> stalls_of(const Replayed& replayed) {
  double all = 0;
  for (const double cycles : replayed.stalled) all += cycles;
  std::vector<Share> stalls;
  for (std::size_t i = 0; i < kStalls; ++i)
    if (replayed.stalled[i] > 0)
      stalls.push_back({std::string(kStallNames[i]), replayed.stalled[i] / all});
  std::ranges::stable_sort(stalls, std::greater(), &Share::part);
  return stalls;
}
static_assert(kStallNames.size() == kStalls);

}  // namespace

Prediction predict(const Activity& activity, const GpuProfile& gpu) {
  if (!activity.counters) throw Error("the time model was given no counters");
  Prediction prediction;
  const Activity fitting = with_registers_that_fit(activity, gpu);
  prediction.registers_capped = fitting.registers_per_thread < activity.registers_per_thread;
  prediction.occupancy = occupancy(fitting, gpu);
  const double slots = prediction.occupancy.blocks_per_sm;
  if (slots < 1) throw Error("a block that does not fit on an SM of " + gpu.title + " has no time");

  const Totals t = total(activity);
  const Traffic traffic = traffic_of(activity, t);
  const double clock = gpu.sm_clock_hz, sms = gpu.sm_count;
  const double blocks_per_sm = std::ceil(t.blocks / sms);

  if (activity.locality)
    prediction.unlike =
        unlike_the_launch(activity.locality->traces, *activity.counters, t.blocks / activity.scale);
  const bool trusted = activity.locality && !prediction.unlike &&
                       beginnings_stand_for_blocks(activity.locality->traces, *activity.counters);
  std::vector<BlockTrace> mean;
  if (!trusted) mean.push_back(mean_block(t, traffic));
  const std::span<const BlockTrace> traces = trusted ? std::span(activity.locality->traces) : mean;
  const std::vector<InstructionCost> costs =
      trusted ? costs_of(*activity.counters, ratio(slots_of(t, gpu), t.issue))
              : costs_of_mean_block(t, slots_of(t, gpu));
  Traced moved = traced(traces, costs, t);
  // A mean block does at least a request of a kind a warp, also where the launch's blocks mostly do none.
  const double requests = ratio(t.load_requests + t.store_requests, t.blocks);
  if (!trusted && moved.requests > requests) moved.times *= requests / moved.requests;

  // Seconds that each server needs for the launch.
  const double wavefronts_per_second =
      gpu.wavefronts_per_sm_cycle * clock * t.blocks / blocks_per_sm;
  const double l1 = (traffic.load_wavefronts + traffic.store_wavefronts) / wavefronts_per_second;
  const double shared = t.shared_wavefronts / wavefronts_per_second;
  const double issue_slots = slots_of(t, gpu);
  const double issue = issue_slots / gpu.issue_per_sm_cycle / clock / t.blocks * blocks_per_sm;
  const double starts = t.blocks / gpu.blocks_started_per_second;
  const double l2 =
      l2_slots(traffic.load_packets, traffic.load_block_sectors) / l2_slots_per_second(gpu);
  const double store_slots = moved.store_slots * moved.times;
  double stores = store_slots / gpu.store_slots_per_second;
  // Lines that resident blocks come back to and L2 has no room for are fetched, or written back and filled, again. L2 has room for
  // lines, however few of their sectors are wanted (tests/h200/reuse.txt: walk), and what blocks share is there once.
  const double resident =
      std::min(activity.footprint_bytes ? static_cast<double>(activity.footprint_bytes) : 1e30,
               std::min(sms * slots, t.blocks) * kLineBytes *
                   (traffic.load_reuse_lines_per_block * traffic.load_own_part +
                    ratio(traffic.store_block_lines, t.blocks)));
  const double forgotten = std::clamp(1 - ratio(gpu.l2_reuse_bytes, resident), 0.0, 1.0);
  DramTraffic needs = dram_traffic(activity, traffic, gpu);
  needs.written_bytes +=
      forgotten * 2 * kSectorBytes *
      std::max(0.0, moved.store_sectors * moved.times - 4 * traffic.store_block_lines);
  const double streaming = needs.bytes() / gpu.dram_bytes_per_second,
               visiting = needs.visits / gpu.dram_visits_per_second;
  double dram = std::pow(std::pow(streaming, kSoft) + std::pow(visiting, kSoft), 1 / kSoft);

  ReplayPlan plan;
  plan.traces = traces;
  plan.costs = costs;
  plan.rates = rates_of(gpu, std::min(sms, t.blocks / blocks_per_sm));
  plan.rates.dram_byte *= streaming > 0 ? dram / streaming : 1;
  plan.slots = prediction.occupancy.blocks_per_sm;
  plan.blocks = static_cast<std::uint64_t>(blocks_per_sm);
  plan.instructions_per_warp = ratio(issue_slots, t.warps);
  plan.pipe_part = 1 - ratio(t.issue, issue_slots);
  const double l1_bytes =
      static_cast<double>(gpu.l1_bytes) -
      slots * static_cast<double>(activity.shared_bytes_per_block + gpu.shared_bytes_reserved);
  plan.l1_lines = static_cast<std::uint64_t>(std::max(1.0, l1_bytes / kLineBytes));
  plan.load_dram_part =
      std::min(1.0, ratio(needs.read_bytes / kAtomBytes, moved.first_atoms * moved.times));
  plan.reload_dram_part = forgotten;
  plan.store_dram_bytes =
      ratio(needs.written_bytes + needs.filled_bytes, moved.store_sectors * moved.times);
  const double at_least = std::max({dram, l2 + stores, l1 + shared, issue, starts});
  // Blocks of the first wave begin together.
  const double waves = t.blocks / (sms * slots);
  const double apart =
      1 / gpu.blocks_started_per_second + at_least / t.blocks * (1 - 1 / std::max(1.0, waves));
  const UnderWay loads = under_way(activity, apart, gpu.dram_latency_seconds);
  plan.under_way_part = loads.part;
  plan.under_way = loads.seconds * clock;
  Replayed replayed = replay(plan);
  if (const double torn = torn_lines(activity, replayed.cycles / clock / t.blocks, gpu); torn > 0) {
    dram += torn * gpu.torn_line_dram_bytes / gpu.dram_bytes_per_second;
    stores += torn * gpu.torn_line_store_slots / gpu.store_slots_per_second;
    plan.store_dram_bytes +=
        ratio(torn * gpu.torn_line_dram_bytes, moved.store_sectors * moved.times);
    plan.rates.store_slot *= 1 + ratio(torn * gpu.torn_line_store_slots, store_slots);
    replayed = replay(plan);
  }

  const double latency = std::ceil(blocks_per_sm / slots) * replayed.alone / clock;
  double atomics = 0;
  if (const Locality* const seen = activity.locality ? &*activity.locality : nullptr;
      seen && seen->close_blocks)
    atomics = std::max(static_cast<double>(seen->most_chunk_atomics) * gpu.atomic_seconds,
                       static_cast<double>(seen->most_word_floats) * gpu.atomic_float_seconds) *
              t.blocks / static_cast<double>(seen->close_blocks);
  // The busiest block, if it does more than the mean.
  const double part = busiest_part(activity, t);
  const double times = part * t.blocks * ratio(requests, std::max(moved.requests, requests));
  double one_sm = 0;
  if (part * t.blocks > 1)
    one_sm = std::max(replayed.alone / clock * times, std::max(l2, stores) * sms * part);
  if (activity.locality)
    one_sm = std::max(one_sm, replayed.alone / clock * most_work(activity.locality->works));
  const double seconds = std::max(
      {replayed.cycles / clock, one_sm, atomics, dram, l2 + stores, l1 + shared, issue, starts});

  prediction.time_us = (seconds + gpu.launch_seconds) * 1e6;
  prediction.bounds = {{"DRAM", dram * 1e6},
                       {"L2", l2 * 1e6},
                       {"stores", stores * 1e6},
                       {"L1", l1 * 1e6},
                       {"shared memory", shared * 1e6},
                       {"issue", issue * 1e6},
                       {"latency", latency * 1e6},
                       {"one SM", one_sm * 1e6},
                       {"block starts", starts * 1e6},
                       {"atomics", atomics * 1e6},
                       {"launch", gpu.launch_seconds * 1e6}};
  std::ranges::stable_sort(prediction.bounds, std::greater(), &Bound::time_us);
  prediction.shares = shares_of(replayed, clock, t.blocks / sms / blocks_per_sm, seconds,
                                gpu.launch_seconds, prediction.bounds);
  prediction.bound = prediction.shares.front().name;
  prediction.stalls = stalls_of(replayed);
  return prediction;
}

}  // namespace labkit::timing
