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
// A warp stalls when it needs what it loaded: before a load that depends on the one before, before a store, at the end, and
// at a barrier after it stored that to shared memory (ptxas moves independent loads ahead of such stores). Of a loop that
// ptxas unrolls, the loads of several turns go out together. A block's slot is free when its last warp has ended.
//
// A load looks its lines up, four a pass. What L1 holds goes through the data array at once; what it misses, or another
// warp has under way, takes one pass to find out and its own when it has come: latency after the queues of L2 and DRAM.
// What a block on another SM has asked DRAM for shortly before is on its way (traffic.h: UnderWay): it is there no sooner
// for being found in L2. So the conflicts of loads that miss come late and pile up, which is
// why blocks of many warps hide them badly. DRAM reads go ahead of what is to be written back until too much of that has
// piled up, and wait for others the more, the busier DRAM has been.
//
// A DRAM latency has a tail, taken as exponential, which all lines of one row of DRAM share: a block that reads rows of a
// matrix waits for the slowest of many, one that reads as many bytes in a row does not (copy_tile_32x32 beside copies in
// blocks of 1024). The draws are a low-discrepancy sequence, so that few blocks show the mean and the result is the same
// each time.
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
#include "timing/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "timing/flat_set.h"
#include "timing/replay_l1.h"
#include "timing/replay_path.h"
#include "timing/replay_script.h"

namespace labkit::timing {
namespace {

class Sm {
 public:
  explicit Sm(const ReplayPlan& plan) : plan_(plan), rates_(plan.rates), l1_(plan.l1_lines) {
    double instructions = 0, warps = 0, work = 0;
    for (const BlockTrace& trace : plan.traces) {
      scripts_.push_back(script_of(trace, plan.costs, rates_));
      instructions += scripts_.back().instructions;
      warps += static_cast<double>(scripts_.back().warps.size());
      work += scripts_.back().work;
    }
    scale_ = instructions > 0 ? plan.instructions_per_warp * warps / instructions : 1;
    // A trace that was cut short has its part of the instructions only.
    double seen = 0, kept = 0;
    for (const BlockTrace& trace : plan.traces) {
      seen += static_cast<double>(trace.events_seen);
      kept += static_cast<double>(trace.events_kept);
    }
    cut_ = seen > 0 ? kept / seen : 1;
    scale_ *= cut_;
    const double each = work / static_cast<double>(scripts_.size());
    const auto affordable =
        static_cast<std::uint64_t>(static_cast<double>(plan.lookups) / std::max(1.0, each));
    total_ = std::min(plan.blocks, std::max<std::uint64_t>({affordable, 2}));
    total_ =
        std::min<std::uint64_t>(total_, std::max<std::uint64_t>(std::uint64_t{6} * plan.slots, 64));
    find_shared_lines();
  }

  Replayed run() {
    for (std::uint32_t i = 0; i < plan_.slots && entered_ < total_; ++i) enter(0, {});
    started_all_ = true;
    while (!queue_.empty()) {
      const Due due = queue_.top();
      queue_.pop();
      now_ = due.time;
      if (due.passes == kStep)
        step(due.warp);
      else if (due.passes == kServe)
        serve_next();
      else
        come_back(due);
    }
    Replayed result;
    result.blocks_replayed = total_;
    result.cycles = last_end_;
    result.empty = empty_slots();
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
    return result;
  }

 private:
  struct Due {
    double time;
    std::uint64_t order;
    std::uint32_t warp, passes;
    std::uint32_t path = 0;  ///< in paths_, of a load that comes back
    bool operator<(const Due& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  struct Warp {
    const std::vector<Step>* steps = nullptr;
    std::uint32_t at = 0, block = 0;
    std::uint8_t phase = 0;
    std::uint16_t pieces = 0;                 ///< of the step's way, done
    bool parked = false;                      ///< until nothing is under way
    std::uint32_t under_way = 0;              ///< loads that L1 has not answered yet
    double outstanding = 0;                   ///< when all others it loaded are there
    Path path, outstanding_path;              ///< to now, and to there
    double alone = 0, alone_outstanding = 0;  ///< its own time if nobody were in the way
    // Of passes through shared memory that it waits for.
    double arrived = 0, ready = 0, wavefronts = 0, dependent = 0;
    Path before;
  };
  struct Block {
    const Script* script = nullptr;
    std::uint64_t era = 0;
    std::uint32_t live = 0, waiting = 0, first_warp = 0;
    double alone = 0;
    std::vector<std::uint32_t> at_barrier;
    double counted = 0;  ///< when the last of those was
    Path counted_path;
  };

  /// Lines that every traced block touches: what all blocks of the launch come back to.
  void find_shared_lines() {
    if (scripts_.size() < 2) return;
    std::unordered_map<std::uint64_t, std::uint32_t> owners;  // so many blocks, each the next
    for (std::uint32_t s = 0; s < scripts_.size(); ++s)
      for (const LineTouch touch : *scripts_[s].touches)
        if (const auto at = owners.try_emplace(touch >> 7, 0).first; at->second == s) ++at->second;
    for (const auto& [line, count] : owners)
      if (count == scripts_.size()) shared_.insert(line);
  }

  static constexpr std::uint32_t kStep = ~0u, kServe = ~0u - 1;
  void due(double time, std::uint32_t warp) { queue_.push({time, order_++, warp, kStep, 0}); }
  void due_back(double time, std::uint32_t warp, std::uint32_t passes, const Path& path) {
    std::uint32_t at = static_cast<std::uint32_t>(paths_.size());
    if (free_paths_.empty()) {
      paths_.push_back(path);
    } else {
      at = free_paths_.back();
      free_paths_.pop_back();
      paths_[at] = path;
    }
    queue_.push({time, order_++, warp, passes, at});
  }

  /// What a load missed has arrived; its passes through the data array remain.
  void come_back(const Due& back) {
    if (!serving_ && l1_server_.free <= now_) return pass_data(back);
    arrived_.push_back(back);
    if (!serving_) serve_at(l1_server_.free);
  }
  void pass_data(const Due& back) {
    Warp& warp = warps_[back.warp];
    const double over =
        l1_server_.take(back.time, back.passes * rates_.wavefront, Cause::l1, paths_[back.path]);
    free_paths_.push_back(back.path);
    hold(warp, over, l1_server_.path);
    if (--warp.under_way == 0 && warp.parked) {
      warp.parked = false;
      warp.path = warp.outstanding_path;
      due(warp.outstanding, back.warp);
    }
  }
  static void hold(Warp& warp, double until, const Path& path) {
    if (until < warp.outstanding) return;
    warp.outstanding = until;
    warp.outstanding_path = path;
  }

  void enter(double when, const Path& from) {
    // The distributor serves all SMs in turn: starts that this one did not ask for at its time it may have a little later.
    const double behind = rates_.block_start;
    const double start = std::max(when, starts_server_.free);
    const Path path = starts_server_.free > when ? starts_server_.path : from;
    starts_server_.take(started_all_ ? when - behind : when, rates_.block_start, Cause::starts,
                        from);
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
      warps_.push_back(warp);
      due(ready + rates_.warp_prologue, static_cast<std::uint32_t>(warps_.size() - 1));
    }
  }

  /// Of a DRAM latency's tail, its length in scales. What lies in one row of DRAM comes together.
  double tail(std::uint64_t line) {
    const auto [at, is_new] = tails_.try_emplace(line >> kRowLines, 0);
    if (is_new) {
      // The golden ratio's multiples spread evenly over (0, 1).
      draw_ += 0.6180339887498949;
      draw_ -= std::floor(draw_);
      at->second = -std::log(1 - draw_ * 0.999);
    }
    return at->second;
  }

  void step(std::uint32_t w) {
    Warp& warp = warps_[w];
    const Step& step = (*warp.steps)[warp.at];
    if (warp.phase == 0) {
      warp.phase = 1;
      if (step.waits) {
        warp.alone = std::max(warp.alone, warp.alone_outstanding);
        if (warp.under_way) {
          warp.parked = true;
          return;
        }
        if (warp.outstanding > now_) {
          warp.path = warp.outstanding_path;
          return due(warp.outstanding, w);
        }
      }
    }
    if (warp.phase == 1) {
      // In pieces, as warps take turns; one access is never parted.
      const double pieces = pieces_of(step);
      if (++warp.pieces >= pieces) {
        warp.phase = 2;
        warp.pieces = 0;
      }
      const double issue = step.issue * scale_ / pieces, wavefronts = step.wavefronts / pieces,
                   dependent = step.dependent / pieces;
      const double links = step.links * scale_ / pieces;
      const double own =
          std::max({links * rates_.instruction_cycles, issue, kOwnPass * wavefronts}) + dependent;
      double ready = now_ + own;
      const Path before = warp.path;
      warp.path.add(Cause::instructions, own);
      if (const double over = issue_server_.take(now_, issue / rates_.issue, Cause::issue, before);
          over > ready) {
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
    act(w, step);
  }

  /// The warp wants the pipe to L1 and shared memory. Of those that wait the oldest goes first, as the schedulers choose.
  void want_pipe(std::uint32_t w) {
    warps_[w].arrived = now_;
    if (!serving_ && l1_server_.free <= now_) return use_pipe(w);
    waiting_.push(w);
    if (!serving_) serve_at(l1_server_.free);
  }
  void serve_at(double when) {
    serving_ = true;
    queue_.push({when, order_++, 0, kServe, 0});
  }
  /// In turn with them go the data that have arrived.
  void serve_next() {
    if (l1_server_.free > now_) return serve_at(l1_server_.free);
    serving_ = false;
    data_next_ = !arrived_.empty() && (data_next_ || waiting_.empty());
    if (data_next_) {
      const Due back = arrived_.front();
      arrived_.pop_front();
      pass_data(back);
    } else {
      const std::uint32_t w = waiting_.top();
      waiting_.pop();
      use_pipe(w);
    }
    data_next_ = !data_next_;
    if (!waiting_.empty() || !arrived_.empty()) serve_at(l1_server_.free);
  }
  void use_pipe(std::uint32_t w) {
    Warp& warp = warps_[w];
    const Step& step = (*warp.steps)[warp.at];
    if (warp.phase < 3) {
      const double over =
          l1_server_.take(warp.arrived, warp.wavefronts, Cause::shared, warp.before) +
          warp.dependent;
      double ready = warp.ready;
      if (over >= ready) {
        ready = over;
        warp.path = l1_server_.path;
        warp.path.add(Cause::instructions, warp.dependent);
      }
      return due(ready, w);
    }
    if (step.action == Step::Action::load)
      load(w, step);
    else
      store(w, step);
  }

  /// Cycles at the end in which slots were empty, times the part of the slots.
  double empty_slots() const {
    double empty = 0;
    for (const double end : ends_) empty += last_end_ - end;
    return ends_.empty() ? 0 : empty / static_cast<double>(ends_.size());
  }

  double pieces_of(const Step& step) const {
    const double passes =
        std::min<double>(step.accesses, std::ceil(step.wavefronts / kPiecePasses));
    const double issues = std::ceil(step.issue * scale_ / kPieceIssues);
    return std::clamp(std::max(passes, issues), 1.0, 64.0);
  }

  void act(std::uint32_t w, const Step& step) {
    switch (step.action) {
      case Step::Action::load:
      case Step::Action::store:
      case Step::Action::atomic:
        warps_[w].phase = 3;
        return want_pipe(w);
      case Step::Action::barrier:
        return barrier(w);
      case Step::Action::end:
        return end(w);
    }
  }

  void next(std::uint32_t w, double when) {
    ++warps_[w].at;
    warps_[w].phase = 0;
    due(when, w);
  }

  /// What an access that goes into the pipe now has waited for.
  const Path& pipe_path(const Warp& warp) const {
    return warp.arrived < now_ ? l1_server_.path : warp.path;
  }

  void load(std::uint32_t w, const Step& step) {
    Warp& warp = warps_[w];
    const Block& block = blocks_[warp.block];
    const int tag_passes = (step.lines + 3) / 4;
    const double tags = tag_passes * rates_.wavefront;
    const double looked_up = tags_server_.take(now_, tags, Cause::l1, pipe_path(warp));
    const Path looked_up_path = tags_server_.path;
    Path path = looked_up_path;  // to `ready`
    double ready = 0, slowest = 0;
    int packets = 0, sectors = 0, atoms = 0;
    const std::uint64_t of_block = std::uint64_t{warp.block + 1} * 0x9E3779B97F4A7C15u;
    for (std::uint32_t i = 0; i < step.lines; ++i) {
      const LineTouch touch = (*block.script->touches)[step.first_touch + i];
      std::uint64_t line = touch >> 7;
      if (block.era && !shared_.contains(line)) line ^= block.era << 48;
      L1::Way& way = l1_.find(line);
      const std::uint32_t want = touch & 15, missing = want & ~way.sectors;
      loads_ += std::popcount(want);
      if (want & way.sectors) ready = std::max(ready, way.ready);
      if (!missing) continue;
      misses_ += std::popcount(missing);
      way.sectors |= missing;
      ++packets;
      sectors += std::popcount(missing);
      int from_dram = 0;
      bool others_wait = false;
      for (int atom = 0; atom < 2; ++atom) {
        if (!(missing >> (2 * atom) & 3)) continue;
        const bool first = loaded_.insert((line << 1 | static_cast<unsigned>(atom)) ^ of_block);
        dram_due_ += first ? plan_.load_dram_part : plan_.reload_dram_part;
        if (dram_due_ >= 1) {
          dram_due_ -= 1;
          ++from_dram;
        } else if (first) {
          under_way_due_ += plan_.under_way_part;
          if (under_way_due_ >= 1) {
            under_way_due_ -= 1;
            others_wait = true;
          }
        }
      }
      atoms += from_dram;
      double wait = rates_.l2_latency;
      if (from_dram || others_wait) {
        const double whole = rates_.dram_latency + rates_.straggler * (tail(line) - 1);
        wait = std::max(wait, from_dram ? whole : whole - plan_.under_way);
      }
      slowest = std::max(slowest, wait);
      filling_.push_back({&way, line, wait});
    }
    // A hit waits for what another warp has under way.
    path.add(Cause::latency, std::max(0.0, ready - looked_up));
    if (sectors) {
      const double request = packets * rates_.store_slot;
      const double asked =
          requests_server_.take(looked_up, request, Cause::stores, looked_up_path) - request;
      const double l2 = l2_server_.take(asked, (packets + sectors) * rates_.l2_slot, Cause::l2,
                                        asked > looked_up ? requests_server_.path : looked_up_path);
      double sent = l2;  // and a latency later they are there
      if (l2 + slowest > ready) {
        ready = l2 + slowest;
        path = l2_server_.path;
        path.add(Cause::latency, slowest);
      }
      if (atoms) {
        const double load = dram_load(looked_up, atoms * 64 * rates_.dram_byte);
        const double crowd = rates_.dram_queue * load * load;
        const double read = read_dram(looked_up, atoms * 64, looked_up_path);
        sent = std::max(l2, read + crowd);
        if (read + slowest + crowd > ready) {
          ready = read + slowest + crowd;
          path = dram_server_.path;
          path.add(Cause::dram, crowd);
          path.add(Cause::latency, slowest);
        }
      }
      for (const Filling& each : filling_)
        if (each.way->line == each.line)
          each.way->ready = std::max(each.way->ready, sent + each.wait);
      filling_.clear();
    }
    double accepted = looked_up;
    if (ready > looked_up) {
      // It goes through the pipe once to find out, and again with its data.
      accepted = l1_server_.take(now_, rates_.wavefront, Cause::l1, pipe_path(warp));
      ++warp.under_way;
      due_back(ready, w, step.passes, path);
    } else {
      // Its data pass at once, and the next load's after them.
      accepted = l1_server_.take(now_, step.passes * rates_.wavefront, Cause::l1, pipe_path(warp));
      path = l1_server_.path;
      path.add(Cause::latency, rates_.l1_latency);
      hold(warp, accepted + rates_.l1_latency, path);
    }
    warp.alone_outstanding = std::max(
        warp.alone_outstanding, warp.alone + std::max(slowest, rates_.l1_latency) + step.passes);
    if (accepted - kLsuQueue > now_) warp.path = l1_server_.path.up_to(accepted - kLsuQueue);
    next(w, std::max(now_, accepted - kLsuQueue));
  }

  /// The part of the last few microseconds in which DRAM was at work; adds `service` to it.
  double dram_load(double when, double service) {
    if (when > load_since_) {
      recent_ *= std::exp((load_since_ - when) / kLoadWindow);
      load_since_ = when;
    }
    recent_ += service;
    return std::min(1.0, recent_ / kLoadWindow);
  }

  /// Reads go ahead of what is to be written back, unless too much of that has piled up.
  double read_dram(double when, double bytes, const Path& from) {
    drain(when, from);
    return dram_server_.take(when, bytes * rates_.dram_byte, Cause::dram, from);
  }
  void drain(double when, const Path& from) {
    if (when > dram_server_.free) {
      const double idle = when - dram_server_.free, spent = std::min(idle, to_write_);
      to_write_ -= spent;
      dram_server_.free += spent;
      dram_server_.path.add(Cause::dram, spent);
    }
    if (to_write_ > kWriteQueue) {
      dram_server_.take(when, to_write_ - kWriteQueue, Cause::dram, from);
      to_write_ = kWriteQueue;
    }
  }

  void store(std::uint32_t w, const Step& step) {
    const Block& block = blocks_[warps_[w].block];
    int sectors = 0;
    for (std::uint32_t i = 0; i < step.lines; ++i)
      sectors += std::popcount((*block.script->touches)[step.first_touch + i] & 15);
    Warp& warp = warps_[w];
    const double passed =
        l1_server_.take(warp.arrived, step.passes * rates_.wavefront, Cause::l1, warp.path);
    requests_server_.take(passed, (step.lines + sectors) * rates_.store_slot, Cause::stores,
                          l1_server_.path);
    dram_load(passed, sectors * plan_.store_dram_bytes * rates_.dram_byte);
    to_write_ += sectors * plan_.store_dram_bytes * rates_.dram_byte;
    drain(passed, l1_server_.path);
    double go_on = now_;
    for (const auto& [server, ahead] : {std::pair{&l1_server_, kLsuQueue},
                                        {&requests_server_, kStoreQueue},
                                        {&dram_server_, kWriteQueue}}) {
      if (server->free - ahead <= go_on) continue;
      go_on = server->free - ahead;
      warp.path = server->path.up_to(go_on);
    }
    next(w, go_on);
  }

  void barrier(std::uint32_t w) {
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
    release(block, warp.path);
  }

  /// Lets the warps go on if all are there; `path` is that of the last to come, or to end.
  void release(Block& block, Path path) {
    if (block.at_barrier.empty() || block.at_barrier.size() < block.live) return;
    if (block.counted > now_) path = block.counted_path;
    const double over = std::max(now_, block.counted) + rates_.barrier;
    double alone = 0;
    for (const std::uint32_t w : block.at_barrier) alone = std::max(alone, warps_[w].alone);
    alone += rates_.barrier + rates_.barrier_per_warp * static_cast<double>(block.live);
    path.add(Cause::barriers, rates_.barrier);
    for (const std::uint32_t w : block.at_barrier) {
      warps_[w].alone = alone;
      warps_[w].path = path;
      next(w, over);
    }
    block.at_barrier.clear();
    block.counted = 0;
  }

  void end(std::uint32_t w) {
    Block& block = blocks_[warps_[w].block];
    block.alone =
        std::max(block.alone,
                 warps_[w].alone + static_cast<double>(w - block.first_warp) * rates_.warp_start);
    --block.live;
    Path path = warps_[w].path;
    if (block.live) return release(block, path);
    if (now_ >= last_end_) {
      last_end_ = now_;
      last_path_ = path;
    }
    alone_ += block.alone;
    block.at_barrier = {};
    if (entered_ == total_) {
      ends_.push_back(now_);
      return;
    }
    path.add(Cause::starts, rates_.block_turnover);
    enter(now_ + rates_.block_turnover, path);
  }

  // How far ahead of a server its users may run, in cycles. What the SM's queues hold is not published; about a latency.
  static constexpr double kLsuQueue = 64, kStoreQueue = 600, kWriteQueue = 1000;
  static constexpr double kLoadWindow = 4000;  ///< cycles
  static constexpr double kPiecePasses = 12, kPieceIssues = 96;
  /// Between the passes of one warp's access to shared memory; others' come between. Source: tests/h200/timing_mixed.csv,
  /// rounds_1_blocks_32_threads: 16 ways more, three times, take 96 cycles more (256 threads: 24 passes a way, 24 cycles).
  static constexpr double kOwnPass = 2;
  /// Of 128 bytes, in a row of DRAM. Source: JEDEC JESD238, HBM3: pages of 1 KB.
  static constexpr unsigned kRowLines = 3;

  const ReplayPlan& plan_;
  const SmRates& rates_;
  std::vector<Script> scripts_;
  std::unordered_set<std::uint64_t> shared_;
  L1 l1_;
  FlatSet loaded_;  ///< atoms that L1 has asked for, each for the block that wanted it
  double scale_ = 1, cut_ = 1;
  std::uint64_t total_ = 0, entered_ = 0, order_ = 0;
  std::priority_queue<Due> queue_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> waiting_;
  std::deque<Due> arrived_;
  bool serving_ = false, data_next_ = false;
  bool started_all_ = false;  ///< the slots have been filled once
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  std::vector<double> starts_;
  struct Filling {
    L1::Way* way = nullptr;
    std::uint64_t line = 0;
    double wait = 0;
  };
  std::vector<Filling> filling_;  ///< by the load that is looked at
  std::vector<Path> paths_;       ///< of loads under way
  std::vector<std::uint32_t> free_paths_;
  std::vector<double> ends_;  ///< of the blocks that none came after
  Path last_path_;
  std::unordered_map<std::uint64_t, double> tails_;  ///< by row of DRAM
  double now_ = 0, last_end_ = 0, alone_ = 0, draw_ = 0, dram_due_ = 0.5, under_way_due_ = 0.5,
         misses_ = 0, loads_ = 0;
  Server starts_server_, warp_starts_, issue_server_, l1_server_, tags_server_, l2_server_,
      dram_server_, requests_server_, barrier_server_;
  double recent_ = 0, load_since_ = 0;
  double to_write_ = 0;  ///< cycles of DRAM
};

}  // namespace

Replayed replay(const ReplayPlan& plan) {
  if (plan.traces.empty() || !plan.blocks) return {};
  return Sm(plan).run();
}

}  // namespace labkit::timing
