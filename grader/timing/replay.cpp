// The replay of one SM.
//
// A warp's trace is cut into steps: what it issues (instructions, passes through shared memory, latencies that nothing
// shortens) and then one action: a global load, a store, a barrier, the end. Steps are taken in the order of time from one
// queue. What warps share are servers, each with a time from which it is free: the schedulers, the one pipe to L1 and
// shared memory, the lookup of lines, this SM's part of the two ways to L2 and back and of the bandwidth of DRAM, the
// counting of arrivals at barriers, and the work distributor's starts. Stores and the requests of loads go to L2 on one way,
// data come back on the other (tests/h200/timing_mixed.csv, mixed_L2).
//
// Of the warps that want the pipe the oldest goes first, in turn with data that have arrived. So blocks drift apart: one
// waits for memory while another has the pipe. matmul_4096, powers_n4194304 smem_conflict and product_512 in
// tests/timing/data show it; and a load issued behind the conflicts of another block waits for them (tile32_nopad).
//
// Instructions that ptxas makes predicates of are issued by all warps that come by (ptx::issued_with): an access to shared
// memory takes its pass also with no lane on (tests/h200/timing_warps.csv, rounds that only the warps of a mask work in).
//
// A warp stalls when it needs what it loaded: before a load that depends on the one before, before a store, at the end, and
// at a barrier after it stored that to shared memory (ptxas moves independent loads ahead of such stores). Of a loop that
// ptxas unrolls, the loads of several turns go out together. A block's slot is free when its last warp has ended.
//
// A load looks its lines up, four a pass. What L1 holds goes through the data array at once; what it misses, or another
// warp has under way, takes a pass or half of one to find out and its own when it has come: latency after the queues of L2 and DRAM.
// Of what a block loads for the first time, by whichever of its warps, a part comes from DRAM.
// What a block on another SM has asked DRAM for shortly before is on its way (traffic.h: UnderWay): it is there no sooner
// for being found in L2. So the conflicts of loads that miss come late and pile up, which is
// why blocks of many warps hide them badly. DRAM reads go ahead of what is to be written back until too much of that has
// piled up, and wait for others the more, the busier DRAM has been.
//
// A DRAM latency has a tail, taken as exponential, which all lines of one row of DRAM share: a block that reads rows of a
// matrix waits for the slowest of many, one that reads as many bytes in a row does not (copy_tile_32x32 beside copies in
// blocks of 1024). The draws are a low-discrepancy sequence, so that few blocks show the mean and the result is the same
// each time. The end of a short launch hangs on single ones all the same (matvec_4096, warp: 3%): it is replayed with other draws, too, and the
// replay in the middle counts.
//
// Between two actions a warp takes as long as its longest chain of dependent instructions (ptx::dependence_links), or the
// passes of its accesses to shared memory, or one cycle an instruction.
//
// L1 is a cache of 128-byte lines with 32-byte sectors, 8 ways, least recently used out first, over the addresses traced.
// Traces are used again for more blocks than were traced: then lines that not all of them touch get new addresses.
//
// What sets the time is read off the critical path: each moment is the latest of some others, and takes over the path of
// that one. A request that waits in a queue follows whoever kept the server busy, so that of a server that never rests the
// path never leaves.
#include <algorithm>
#include <cmath>

#include "timing/replay_sm.h"

namespace labkit::timing {
namespace {

constexpr std::size_t kDraws = 3;  // that a short launch is replayed with

}  // namespace

Sm::Sm(const ReplayPlan& plan, double draw)
    : plan_(plan), rates_(plan.rates), l1_(plan.l1_lines), draw_(draw) {
  double instructions = 0, warps = 0, work = 0, seen = 0, kept = 0;
  for (const BlockTrace& trace : plan.traces) {
    const Script& script = scripts_.emplace_back(script_of(trace, plan.costs, rates_));
    instructions += script.instructions;
    warps += static_cast<double>(script.warps.size());
    work += script.work;
    seen += static_cast<double>(trace.events_seen);
    kept += static_cast<double>(trace.events_kept);
  }
  // A trace that was cut short has its part of the instructions only.
  cut_ = seen > 0 ? kept / seen : 1;
  const double scale =
      (instructions > 0 ? plan.instructions_per_warp * warps / instructions : 1) * cut_;
  for (std::size_t s = 0; s < scripts_.size(); ++s) {
    Script& script = scripts_[s];
    const BlockTrace& trace = plan.traces[s];
    script.issue_scale = script.links_scale = scale;
    if (trace.executions.size() != plan.costs.size()) continue;
    double issue = 0, links = 0;
    for (std::size_t i = 0; i < plan.costs.size(); ++i) {
      const auto times = static_cast<double>(trace.executions[i + plan.costs[i].issued_with]);
      issue += times * plan.costs[i].issue;
      links += times * plan.costs[i].links;
    }
    const double part = trace.events_seen ? static_cast<double>(trace.events_kept) /
                                                static_cast<double>(trace.events_seen)
                                          : 1;
    if (script.instructions > 0) script.issue_scale = issue * part / script.instructions;
    if (script.links > 0) script.links_scale = links * part / script.links;
  }
  const double each = work / static_cast<double>(scripts_.size());
  const auto affordable =
      static_cast<std::uint64_t>(static_cast<double>(plan.lookups) / std::max(1.0, each));
  total_ = std::min(plan.blocks, std::max<std::uint64_t>({affordable, 2}));
  total_ =
      std::min<std::uint64_t>(total_, std::max<std::uint64_t>(std::uint64_t{6} * plan.slots, 64));
  is_short_ = total_ == plan.blocks && affordable >= kDraws * total_;
  find_shared_lines();
}

Replayed Sm::run() {
  for (std::uint32_t i = 0; i < plan_.slots && entered_ < total_; ++i) enter(0, {});
  started_all_ = true;
  while (!queue_.empty()) {
    const auto [time, due] = queue_.pop();
    now_ = time;
    if (due.passes == kStep)
      step(due.warp);
    else if (due.passes == kServe)
      serve_next();
    else
      come_back({time, due});
  }
  Replayed result;
  result.blocks_replayed = total_;
  result.cycles = last_end_;
  for (const double end : ends_) result.empty += last_end_ - end;
  if (!ends_.empty()) result.empty /= static_cast<double>(ends_.size());
  if (total_ < plan_.blocks) {
    // The rest goes on as the second half of the blocks came in, counted in whole turns of the
    // slots: their blocks may march in step.
    const std::size_t turns = (total_ - 1) / plan_.slots;
    const std::size_t to = turns * plan_.slots, from = (turns + 1) / 2 * plan_.slots;
    const double interval = to > from
                                ? (starts_[to] - starts_[from]) / static_cast<double>(to - from)
                                : last_end_ / static_cast<double>(total_);
    result.cycles += interval * static_cast<double>(plan_.blocks - total_);
  }
  result.cycles /= cut_;
  result.empty /= cut_;
  const Path path = last_path_.up_to(result.cycles);
  std::copy(path.spent.begin(), path.spent.end(), result.path.begin());
  result.alone = alone_ / static_cast<double>(total_) / cut_;
  result.l1_misses = misses_;
  result.loads = loads_;
  result.stalled = stalled_;
  return result;
}

void Sm::find_shared_lines() {
  if (scripts_.size() < 2 || total_ <= scripts_.size()) return;  // or none is used again
  FlatWords owners;                                              // so many blocks, each the next
  for (std::uint32_t s = 0; s < scripts_.size(); ++s)
    for (const LineTouch touch : *scripts_[s].touches)
      if (std::uint32_t& count = owners[touch >> 7]; count == s) ++count;
  for (const Script& script : scripts_) {
    auto& shared = shared_.emplace_back();
    for (const LineTouch touch : *script.touches)
      shared.push_back(owners[touch >> 7] == scripts_.size());
  }
}

void Sm::enter(double when, const Path& from) {
  // The distributor serves all SMs in turn: starts that this one did not ask for at its time it may have a little later.
  const double behind = rates_.block_start;
  const double start = std::max(when, starts_server_.free);
  const Path path = starts_server_.free > when ? starts_server_.path : from;
  starts_server_.take(started_all_ ? when - behind : when, rates_.block_start, Cause::starts, from);
  starts_.push_back(start);
  Block block;
  block.script = &scripts_[entered_ % scripts_.size()];
  block.era = entered_ / scripts_.size();
  block.live = static_cast<std::uint32_t>(block.script->warps.size());
  block.first_warp = static_cast<std::uint32_t>(warps_.size());
  blocks_.push_back(block);
  ++entered_;
  for (const auto& steps : block.script->warps) {
    Warp warp;
    warp.steps = &steps;
    warp.block = static_cast<std::uint32_t>(blocks_.size() - 1);
    const double ready = warp_starts_.take(start, rates_.warp_start, Cause::starts, path);
    warp.path = warp_starts_.path;
    warp.path.add(Cause::instructions, rates_.warp_prologue);
    stall(Stall::short_scoreboard, rates_.warp_prologue);  // of threadIdx and its like
    warps_.push_back(warp);
    due(ready + rates_.warp_prologue, static_cast<std::uint32_t>(warps_.size() - 1));
  }
}

void Sm::step(std::uint32_t w) {
  Warp& warp = warps_[w];
  const Step& step = (*warp.steps)[warp.at];
  if (warp.phase == 0) {
    warp.phase = 1;
    if (step.waits) {
      warp.alone = std::max(warp.alone, warp.alone_outstanding);
      if (warp.under_way) {
        warp.parked = true;
        warp.stopped = now_;
        return;
      }
      if (warp.outstanding > now_) {
        stall(Stall::long_scoreboard, warp.outstanding - now_);
        warp.path = warp.outstanding_path;
        return due(warp.outstanding, w);
      }
    }
  }
  if (warp.phase == 1) {
    // In pieces, as warps take turns; one access is never parted.
    const Script& script = *blocks_[warp.block].script;
    const double pieces = pieces_of(step, script);
    if (++warp.pieces >= pieces) {
      warp.phase = 2;
      warp.pieces = 0;
    }
    const double issue = step.issue * script.issue_scale / pieces,
                 wavefronts = step.wavefronts / pieces, dependent = step.dependent / pieces;
    const double links = step.links * script.links_scale / pieces;
    const double own =
        std::max({links * rates_.instruction_cycles, issue, kOwnPass * wavefronts}) + dependent;
    double ready = now_ + own;
    const Path before = warp.path;
    warp.path.add(Cause::instructions, own);
    const double alone = std::max(links * rates_.instruction_cycles, issue);
    stall(Stall::selected, issue * (1 - plan_.pipe_part));
    stall(Stall::math_pipe_throttle, issue * plan_.pipe_part);
    stall(Stall::wait, alone - issue);
    stall(Stall::short_scoreboard, own - alone);
    if (const double over = issue_server_.take(now_, issue / rates_.issue, Cause::issue, before);
        over > ready) {
      queue(warp, Stall::not_selected, (over - ready) * (1 - plan_.pipe_part));
      queue(warp, Stall::math_pipe_throttle, (over - ready) * plan_.pipe_part);
      ready = over;
      warp.path = issue_server_.path;
    }
    warp.alone += own;
    if (wavefronts > 0) {
      warp.before = before;
      warp.ready = ready;
      warp.wavefronts = wavefronts * rates_.wavefront;
      warp.dependent = dependent;
      return want_pipe(w);
    }
    if (ready > now_ || warp.phase == 1) return due(ready, w);
  }
  if (step.action == Step::Action::barrier) return barrier(w);
  if (step.action == Step::Action::wait) return wait(w);
  if (step.action == Step::Action::end) return end(w);
  warp.phase = 3;
  want_pipe(w);
}

double Sm::pieces_of(const Step& step, const Script& script) const {
  if (step.wavefronts <= kPiecePasses && step.issue * script.issue_scale <= kPieceIssues) return 1;
  const double passes = std::min<double>(step.accesses, std::ceil(step.wavefronts / kPiecePasses));
  const double issues = std::ceil(step.issue * script.issue_scale / kPieceIssues);
  return std::clamp(std::max(passes, issues), 1.0, 64.0);
}

void Sm::wait(std::uint32_t w) {
  Warp& warp = warps_[w];
  const std::uint32_t until = (*warp.steps)[warp.at].first_touch;
  double there = now_;
  for (; warp.awaited < until; ++warp.awaited) {
    const Warp::Copy& copy = warp.copies[warp.awaited];
    warp.waits_for_copy = copy.there < 0;
    warp.stopped = now_;
    if (warp.waits_for_copy) return;
    warp.alone = std::max(warp.alone, copy.alone);
    there = std::max(there, copy.there);
  }
  if (there > now_) warp.path = warp.copy_path;
  stall(Stall::long_scoreboard, there - now_);
  next(w, there);
}

void Sm::barrier(std::uint32_t w) {
  Warp& warp = warps_[w];
  Block& block = blocks_[warp.block];
  // Arrivals are counted one after another, whichever block they are of.
  const double counted =
      barrier_server_.take(now_, rates_.barrier_per_warp, Cause::barriers, warp.path);
  if (counted >= block.counted) {
    block.counted = counted;
    block.counted_path = barrier_server_.path;
  }
  block.at_barrier.push_back(w);
  warp.stopped = now_;
  release(block, warp.path);
}

void Sm::release(Block& block, Path path) {
  if (block.at_barrier.empty() || block.at_barrier.size() < block.live) return;
  if (block.counted > now_) path = block.counted_path;
  const double over = std::max(now_, block.counted) + rates_.barrier;
  double alone = 0;
  for (const std::uint32_t w : block.at_barrier) alone = std::max(alone, warps_[w].alone);
  alone += rates_.barrier + rates_.barrier_per_warp * static_cast<double>(block.live);
  path.add(Cause::barriers, rates_.barrier);
  const Warp last = warps_[block.at_barrier.back()];
  for (const std::uint32_t w : block.at_barrier) {
    warps_[w].alone = alone;
    warps_[w].path = path;
    stall_at_barrier(warps_[w], last, over);
    next(w, over);
  }
  block.at_barrier.clear();
  block.counted = 0;
}

/// Here the oldest warp goes first where they queue, and then waits for the last at the barrier; on the hardware they take turns, and
/// all wait in the queues as long as the last does here. Both take the same time.
void Sm::stall_at_barrier(Warp& warp, const Warp& last, double over) {
  double more = 0;
  for (std::size_t i = 0; i < kStalls; ++i) more += std::max(0.0f, last.queued[i] - warp.queued[i]);
  const double early = last.stopped - warp.stopped, turned = std::clamp(more, 0.0, early);
  for (std::size_t i = 0; i < kStalls && more > 0; ++i)
    stalled_[i] += std::max(0.0f, last.queued[i] - warp.queued[i]) * turned / more;
  stall(Stall::barrier, over - warp.stopped - turned);
  warp.queued = {};
}

void Sm::end(std::uint32_t w) {
  Block& block = blocks_[warps_[w].block];
  block.alone = std::max(
      block.alone, warps_[w].alone + static_cast<double>(w - block.first_warp) * rates_.warp_start);
  --block.live;
  const auto steps = static_cast<double>(warps_[w].steps->size());
  block.steps += steps;
  block.ends += steps * now_;
  Path path = warps_[w].path;
  if (block.live) return release(block, path);
  // Warps that come to where the trace was cut would go on, and those behind would not be left alone: the mean counts, of warps
  // by what they do.
  const double end = cut_ < 1 ? block.ends / block.steps : now_;
  if (end >= last_end_) {
    last_end_ = end;
    last_path_ = path;
  }
  alone_ += block.alone;
  block.at_barrier = {};
  if (entered_ == total_) {
    ends_.push_back(end);
    return;
  }
  path.add(Cause::starts, rates_.block_turnover);
  enter(now_ + rates_.block_turnover, path);
}

Replayed replay(const ReplayPlan& plan) {
  if (plan.traces.empty() || !plan.blocks) return {};
  Sm sm(plan, 0);
  if (!sm.is_short()) return sm.run();
  std::array<Replayed, kDraws> all{sm.run()};
  for (std::size_t i = 1; i < kDraws; ++i)
    all[i] = Sm(plan, static_cast<double>(i) / static_cast<double>(kDraws)).run();
  std::ranges::nth_element(all, all.begin() + kDraws / 2, {}, &Replayed::cycles);
  return all[kDraws / 2];
}

}  // namespace labkit::timing
