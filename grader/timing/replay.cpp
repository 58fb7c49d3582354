// The replay of one SM.
//
// A warp's trace is cut into steps: what it issues (instructions, passes through shared memory, latencies that nothing
// shortens) and then one action: a global load, a store, a barrier, the end. Steps are taken in the order of time from one
// queue. What warps share are servers, each with a time from which it is free: the schedulers, the one pipe to L1 and
// shared memory, this SM's part of the bandwidth of L2 and of DRAM, of the store path, and of the work distributor's
// starts.
//
// A warp stalls when it needs what it loaded: before a load that depends on the one before, before a store, at the end, and
// at a barrier after it stored that to shared memory (ptxas moves independent loads ahead of such stores). Of a loop that
// ptxas unrolls, the loads of several turns go out together. A block's slot is free when its last warp has ended.
//
// A load looks its lines up, four a pass. What L1 holds goes through the data array at once; what it misses does when it
// has come: latency after the queues of L2 and DRAM. So the conflicts of loads that miss come late and pile up, which is
// why blocks of many warps hide them badly. DRAM reads go ahead of what is to be written back until too much of that has
// piled up, and wait for others the more, the busier DRAM has been.
//
// A DRAM latency has a tail, taken as exponential; the draws are a low-discrepancy sequence, so that few blocks show the
// mean and the result is the same each time.
//
// L1 is a cache of 128-byte lines with 32-byte sectors, 8 ways, least recently used out first, over the addresses traced.
// Traces are used again for more blocks than were traced: then lines that only one block touched get new addresses.
#include "timing/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace labkit::timing {
namespace {

struct Step {
  enum class Action : std::uint8_t { load, store, atomic, barrier, end };
  float issue = 0, wavefronts = 0, dependent = 0;
  Action action = Action::end;
  bool waits = false;  ///< for what was loaded before, ahead of its issue
  std::uint8_t lines = 0;
  std::uint16_t passes = 0;
  std::uint16_t accesses = 0;  ///< to shared memory, on the way
  std::uint32_t first_touch = 0;
};

/// The steps of a block's warps, made from its trace.
struct Script {
  std::vector<std::vector<Step>> warps;
  const std::vector<LineTouch>* touches = nullptr;
  double work = 0;          ///< lines and steps
  double instructions = 0;  ///< before they are scaled
};

Script script_of(const BlockTrace& trace, std::span<const InstructionCost> costs,
                 double shared_latency) {
  Script script;
  script.touches = &trace.touches;
  script.warps.resize(trace.warps);
  struct Open {
    Step step;
    std::uint32_t at = 0;  ///< instruction after the last event
    bool loaded = false;   ///< something that it has not waited for
    bool owes = false;     ///< stores of that to shared memory
    std::unordered_map<std::uint32_t, std::uint32_t> executed;
  };
  std::vector<Open> open(trace.warps);
  for (const TraceEvent& event : trace.events) {
    Open& warp = open[event.warp];
    Step& step = warp.step;
    step.issue += event.instruction >= warp.at ? event.instruction - warp.at + 1 : 1;
    warp.at = event.instruction + 1;
    const InstructionCost cost =
        event.instruction < costs.size() ? costs[event.instruction] : InstructionCost{};
    using Kind = TraceEvent::Kind;
    if (event.kind == Kind::shared_load || event.kind == Kind::shared_store) {
      step.wavefronts += static_cast<float>(cost.shared_wavefronts);
      if (cost.shared_wavefronts > 0) ++step.accesses;
      step.dependent += static_cast<float>(cost.shared_latencies * shared_latency);
      if (event.kind == Kind::shared_store && warp.loaded) warp.owes = true;
      continue;
    }
    step.lines = event.lines;
    step.passes = event.wavefronts;
    step.first_touch = event.first_touch;
    if (event.kind == Kind::load) {
      step.action = Step::Action::load;
      // One that depends on nothing goes ahead of stores to shared memory, as ptxas moves it.
      if (cost.loads_in_turn && warp.executed[event.instruction]++ % cost.loads_in_turn == 0) {
        step.waits = true;
        warp.owes = false;
      }
      warp.loaded = true;
    } else if (event.kind == Kind::barrier) {
      step.action = Step::Action::barrier;
      step.waits = warp.owes;
      if (warp.owes) warp.loaded = warp.owes = false;
    } else {
      step.action = event.kind == Kind::store ? Step::Action::store : Step::Action::atomic;
      step.waits = true;
      warp.loaded = warp.owes = false;
    }
    script.instructions += step.issue;
    script.work += 1 + event.lines;
    script.warps[event.warp].push_back(step);
    step = {};
  }
  for (std::size_t w = 0; w < open.size(); ++w) {
    Step& step = open[w].step;
    step.issue += 1;
    step.waits = true;
    step.action = Step::Action::end;
    script.instructions += step.issue;
    script.work += 1;
    script.warps[w].push_back(step);
  }
  return script;
}

/// The cache of one SM. Answers with the time at which what was there already is there.
class L1 {
 public:
  explicit L1(std::uint64_t lines) : sets_(std::max<std::uint64_t>(1, lines / kWays) * kWays) {}
  struct Way {
    std::uint64_t line = ~0ull;
    std::uint64_t used = 0;
    std::uint32_t sectors = 0;
    double ready = 0;
  };
  Way& find(std::uint64_t line) {
    const std::uint64_t count = sets_.size() / kWays;
    const std::uint64_t set = (line * 0x9E3779B97F4A7C15u >> 32) % count;
    Way* oldest = nullptr;
    ++now_;
    for (std::size_t i = set * kWays; i < (set + 1) * kWays; ++i) {
      Way& way = sets_[i];
      if (way.line == line) {
        way.used = now_;
        return way;
      }
      if (!oldest || way.used < oldest->used) oldest = &way;
    }
    *oldest = {line, now_, 0, 0};
    return *oldest;
  }

 private:
  static constexpr std::size_t kWays = 8;
  std::vector<Way> sets_;
  std::uint64_t now_ = 0;
};

class Sm {
 public:
  explicit Sm(const ReplayPlan& plan) : plan_(plan), rates_(plan.rates), l1_(plan.l1_lines) {
    double instructions = 0, warps = 0, work = 0;
    for (const BlockTrace& trace : plan.traces) {
      scripts_.push_back(script_of(trace, plan.costs, rates_.shared_latency));
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
    total_ = std::min<std::uint64_t>(total_, std::max<std::uint64_t>(6 * plan.slots, 64));
    find_shared_lines();
  }

  Replayed run() {
    for (std::uint32_t i = 0; i < plan_.slots && entered_ < total_; ++i) enter(0);
    while (!queue_.empty()) {
      const Due due = queue_.top();
      queue_.pop();
      now_ = due.time;
      if (due.passes == kStep)
        step(due.warp);
      else
        come_back(due.warp, due.passes);
    }
    Replayed result;
    result.blocks_replayed = total_;
    result.cycles = last_end_;
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
    double alone = 0, alone_outstanding = 0;  ///< its own time if nobody were in the way
  };
  struct Block {
    const Script* script = nullptr;
    std::uint64_t era = 0;
    std::uint32_t live = 0, waiting = 0, first_warp = 0;
    double alone = 0, barrier = 0;
    std::vector<std::uint32_t> at_barrier;
  };

  void find_shared_lines() {
    if (scripts_.size() < 2) return;
    std::unordered_map<std::uint64_t, std::uint32_t> owner;
    for (std::uint32_t s = 0; s < scripts_.size(); ++s)
      for (const LineTouch touch : *scripts_[s].touches) {
        const auto [at, fresh] = owner.try_emplace(touch >> 7, s);
        if (!fresh && at->second != s) shared_.insert(touch >> 7);
      }
  }

  static constexpr std::uint32_t kStep = ~0u;
  void due(double time, std::uint32_t warp, std::uint32_t passes = kStep) {
    queue_.push({time, order_++, warp, passes});
  }

  /// What a load missed has arrived; its passes through the data array remain.
  void come_back(std::uint32_t w, std::uint32_t passes) {
    Warp& warp = warps_[w];
    const double over = take(l1_free_, now_, passes * rates_.wavefront);
    warp.outstanding = std::max(warp.outstanding, over);
    if (--warp.under_way == 0 && warp.parked) {
      warp.parked = false;
      due(warp.outstanding, w);
    }
  }

  void enter(double when) {
    const double start = std::max(when, starts_free_);
    starts_free_ = start + rates_.block_start;
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
      warp_start_free_ = std::max(warp_start_free_, start) + rates_.warp_start;
      warps_.push_back(warp);
      due(warp_start_free_, static_cast<std::uint32_t>(warps_.size() - 1));
    }
  }

  double tail() {
    // The golden ratio's multiples spread evenly over (0, 1).
    draw_ += 0.6180339887498949;
    draw_ -= std::floor(draw_);
    return -std::log(1 - draw_ * 0.999);
  }

  /// Takes `service` of a server from `when`; the time at which it is over.
  static double take(double& free, double when, double service) {
    free = std::max(free, when) + service;
    return free;
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
        if (warp.outstanding > now_) return due(warp.outstanding, w);
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
      const double own = std::max(issue * rates_.instruction_cycles, wavefronts) + dependent;
      double ready = now_ + own;
      ready = std::max(ready, take(issue_free_, now_, issue / rates_.issue));
      if (wavefronts > 0)
        ready = std::max(ready, take(l1_free_, now_, wavefronts * rates_.wavefront) + dependent);
      warp.alone += own;
      if (ready > now_ || warp.phase == 1) return due(ready, w);
    }
    act(w, step);
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
        return load(w, step);
      case Step::Action::store:
      case Step::Action::atomic:
        return store(w, step);
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

  void load(std::uint32_t w, const Step& step) {
    Warp& warp = warps_[w];
    const Block& block = blocks_[warp.block];
    const double tags = (step.lines + 3) / 4 * rates_.wavefront;
    const double looked_up = take(l1_free_, now_, tags);
    double ready = 0, slowest = 0;
    int packets = 0, sectors = 0, atoms = 0;
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
      for (int atom = 0; atom < 2; ++atom) {
        if (!(missing >> (2 * atom) & 3)) continue;
        dram_due_ += touch >> (4 + atom) & 1 ? plan_.load_dram_part : plan_.reload_dram_part;
        if (dram_due_ >= 1) {
          dram_due_ -= 1;
          ++from_dram;
        }
      }
      atoms += from_dram;
      const double wait =
          from_dram ? rates_.dram_latency + rates_.straggler * (tail() - 1) : rates_.l2_latency;
      slowest = std::max(slowest, wait);
      way.ready = std::max(way.ready, looked_up + wait);
    }
    if (sectors) {
      const double l2 = take(l2_free_, looked_up, (packets + sectors) * rates_.l2_slot);
      ready = std::max(ready, l2 + slowest);
      if (atoms) {
        const double load = dram_load(looked_up, atoms * 64 * rates_.dram_byte);
        const double crowd = rates_.dram_queue * load * load;
        ready = std::max(ready, read_dram(looked_up, atoms * 64) + slowest + crowd);
      }
    }
    double accepted = looked_up;
    if (ready > looked_up) {
      ++warp.under_way;
      due(ready, w, step.passes);
    } else {
      // Its data pass at once, and the next load's after them.
      accepted = take(l1_free_, looked_up, std::max(0.0, step.passes * rates_.wavefront - tags));
      warp.outstanding = std::max(warp.outstanding, accepted + rates_.l1_latency);
    }
    warp.alone_outstanding = std::max(
        warp.alone_outstanding, warp.alone + std::max(slowest, rates_.l1_latency) + step.passes);
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
  double read_dram(double when, double bytes) {
    drain(when);
    return take(dram_free_, when, bytes * rates_.dram_byte);
  }
  void drain(double when) {
    if (when > dram_free_) {
      const double idle = when - dram_free_, spent = std::min(idle, to_write_);
      to_write_ -= spent;
      dram_free_ += spent;
    }
    if (to_write_ > kWriteQueue) {
      dram_free_ = std::max(dram_free_, when) + to_write_ - kWriteQueue;
      to_write_ = kWriteQueue;
    }
  }

  void store(std::uint32_t w, const Step& step) {
    const Block& block = blocks_[warps_[w].block];
    int sectors = 0;
    for (std::uint32_t i = 0; i < step.lines; ++i)
      sectors += std::popcount((*block.script->touches)[step.first_touch + i] & 15);
    const double passed = take(l1_free_, now_, step.passes * rates_.wavefront);
    const double sent = take(stores_free_, passed, (step.lines + sectors) * rates_.store_slot);
    dram_load(passed, sectors * plan_.store_dram_bytes * rates_.dram_byte);
    to_write_ += sectors * plan_.store_dram_bytes * rates_.dram_byte;
    drain(passed);
    next(w, std::max({now_, passed - kLsuQueue, sent - kStoreQueue, dram_free_ - kWriteQueue}));
  }

  void barrier(std::uint32_t w) {
    Block& block = blocks_[warps_[w].block];
    block.at_barrier.push_back(w);
    release(block);
  }

  void release(Block& block) {
    if (block.at_barrier.empty() || block.at_barrier.size() < block.live) return;
    const double cost = rates_.barrier + rates_.barrier_per_warp * static_cast<double>(block.live);
    double alone = 0;
    for (const std::uint32_t w : block.at_barrier) alone = std::max(alone, warps_[w].alone);
    for (const std::uint32_t w : block.at_barrier) {
      warps_[w].alone = alone + cost;
      next(w, now_ + cost);
    }
    block.at_barrier.clear();
  }

  void end(std::uint32_t w) {
    Block& block = blocks_[warps_[w].block];
    block.alone =
        std::max(block.alone,
                 warps_[w].alone + static_cast<double>(w - block.first_warp) * rates_.warp_start);
    --block.live;
    if (block.live) return release(block);
    last_end_ = std::max(last_end_, now_);
    alone_ += block.alone;
    block.at_barrier = {};
    if (entered_ < total_) enter(now_ + rates_.block_turnover);
  }

  // How far ahead of a server its users may run, in cycles. What the SM's queues hold is not published; about a latency.
  static constexpr double kLsuQueue = 64, kStoreQueue = 600, kWriteQueue = 1000;
  static constexpr double kLoadWindow = 4000;  ///< cycles
  static constexpr double kPiecePasses = 12, kPieceIssues = 96;

  const ReplayPlan& plan_;
  const SmRates& rates_;
  std::vector<Script> scripts_;
  std::unordered_set<std::uint64_t> shared_;
  L1 l1_;
  double scale_ = 1, cut_ = 1;
  std::uint64_t total_ = 0, entered_ = 0, order_ = 0;
  std::priority_queue<Due> queue_;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  std::vector<double> starts_;
  double now_ = 0, last_end_ = 0, alone_ = 0, draw_ = 0, dram_due_ = 0.5, misses_ = 0, loads_ = 0;
  double starts_free_ = 0, warp_start_free_ = 0, issue_free_ = 0, l1_free_ = 0, l2_free_ = 0,
         dram_free_ = 0, stores_free_ = 0;
  double recent_ = 0, load_since_ = 0;
  double to_write_ = 0;  ///< cycles of DRAM
};

}  // namespace

Replayed replay(const ReplayPlan& plan) {
  if (plan.traces.empty() || !plan.blocks) return {};
  return Sm(plan).run();
}

}  // namespace labkit::timing
