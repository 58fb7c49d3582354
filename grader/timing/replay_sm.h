// One SM as it is replayed: what it has, and what its warps do. How it works: replay.cpp (blocks, warps, barriers) and
// replay_memory.cpp (the pipe to L1 and shared memory, the ways to L2, DRAM). Internal to the layer.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "timing/flat_words.h"
#include "timing/replay.h"
#include "timing/replay_queue.h"

namespace labkit::timing {

// Critical paths: of every moment that matters it is known what the time until then was spent on.

/// Cycles by Cause; they add up to the moment that the path leads to, but for rounding.
struct Path {
  std::array<float, kCauses> spent{};

  void add(Cause cause, double cycles) {
    spent[static_cast<std::size_t>(cause)] += static_cast<float>(cycles);
  }
  double sum() const {
    double all = 0;
    for (const float cycles : spent) all += cycles;
    return all;
  }
  /// The same path, to a moment that is a little earlier or later.
  Path up_to(double moment) const {
    const double all = sum();
    Path other = *this;
    if (all > 0)
      for (float& cycles : other.spent) cycles *= static_cast<float>(moment / all);
    return other;
  }
};

/// What warps share: one user after another.
struct Server {
  double free = 0;
  Path path;  ///< to `free`

  /// Uses the server for `service` cycles as soon as it is free, from `when` on, where `from` leads; when it is over.
  double take(double when, double service, Cause cause, const Path& from) {
    if (free < when) {  // at the same moment both paths lead there, and it has not rested
      free = when;
      path = from;
    }
    free += service;
    path.add(cause, service);
    return free;
  }
};

/// The cache of one SM. Answers with the time at which what was there already is there.
class L1 {
 public:
  explicit L1(std::uint64_t lines)
      : sets_(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, lines / kWays))),
        ways_(sets_.size() * kWays) {}
  struct Way {
    std::uint64_t line = ~0ull;
    std::uint32_t sectors = 0;
    double ready = 0;
  };
  Way& find(std::uint64_t line) {
    const auto at =
        static_cast<std::uint32_t>(mixed(line)) % static_cast<std::uint32_t>(sets_.size());
    Set& set = sets_[at];
    ++now_;
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < kWays; ++i) {
      if (set.lines[i] == line) {
        set.used[i] = now_;
        return ways_[at * kWays + i];
      }
      oldest = set.used[i] < set.used[oldest] ? i : oldest;
    }
    set.lines[oldest] = line;
    set.used[oldest] = now_;
    return ways_[at * kWays + oldest] = {line, 0, 0};
  }

 private:
  static constexpr std::size_t kWays = 8;
  /// What a lookup goes through, together.
  struct Set {
    std::array<std::uint64_t, kWays> lines;
    std::array<std::uint64_t, kWays> used{};
    Set() { lines.fill(~0ull); }
  };
  std::vector<Set> sets_;
  std::vector<Way> ways_;
  std::uint64_t now_ = 0;
};

// A block's trace as what its warps do in turn (replay_script.cpp).

/// What a warp issues, and the action that it leads to.
struct Step {
  enum class Action : std::uint8_t { load, copy, store, atomic, barrier, wait, end };
  float issue = 0, wavefronts = 0, dependent = 0;
  float links = 0;  ///< dependent instructions, one after another
  float packet = 1;
  Action action = Action::end;
  bool waits = false;  ///< for what was loaded before, ahead of its issue
  std::uint8_t lines = 0;
  std::uint16_t passes = 0;
  std::uint16_t accesses = 0;     ///< to shared memory, on the way
  std::uint32_t first_touch = 0;  ///< of a wait: the copies that must have come
};

/// The steps of a block's warps, made from its trace.
struct Script {
  std::vector<std::vector<Step>> warps;
  const std::vector<LineTouch>* touches = nullptr;
  double work = 0;                     ///< lines and steps
  double instructions = 0, links = 0;  ///< before they are scaled
  double issue_scale = 1, links_scale = 1;
};

/// Of `rates`, what every step of its kind takes, whoever else is there.
Script script_of(const BlockTrace& trace, std::span<const InstructionCost> costs,
                 const SmRates& rates);

class Sm {
 public:
  /// `draw`: in [0, 1), where the draws of DRAM's tail begin.
  Sm(const ReplayPlan& plan, double draw);

  Replayed run();
  /// Whether run() goes through all blocks, and in so few lines and events that it may do so a few times.
  bool is_short() const { return is_short_; }

 private:
  struct Action {
    std::uint32_t warp, passes;
    std::uint32_t path = 0;  ///< in paths_, of a load that comes back
    std::uint32_t copy = 0;  ///< which of its warp's, from 1; 0: a load
  };
  using Due = TimeQueue<Action>::Due;
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
    struct Copy {
      double there = -1, alone = 0;  ///< -1: under way
    };
    std::vector<Copy> copies;
    std::uint32_t awaited = 0;  ///< of them
    bool waits_for_copy = false;
    Path copy_path;  ///< of the last that came
    // Of passes through shared memory that it waits for.
    double arrived = 0, ready = 0, wavefronts = 0, dependent = 0;
    Path before;
    std::uint32_t behind = 0;             ///< so many when it wanted the pipe
    double stopped = 0;                   ///< since when it waits for loads, copies or a barrier
    std::array<float, kStalls> queued{};  ///< since the last barrier, where others were before it
  };
  struct Block {
    const Script* script = nullptr;
    std::uint64_t era = 0;
    std::uint32_t live = 0, first_warp = 0;
    double steps = 0, ends = 0;  ///< of warps that have ended; the sum of when, times their steps
    double alone = 0;
    std::vector<std::uint32_t> at_barrier;
    double counted = 0;  ///< when the last of those was
    Path counted_path;
  };

  /// Lines that every traced block touches: what all blocks of the launch come back to.
  void find_shared_lines();
  bool is_shared(const Block& block, std::uint32_t touch) const {
    return !shared_.empty() && shared_[block.script - scripts_.data()][touch];
  }

  static constexpr std::uint32_t kStep = ~0u, kServe = ~0u - 1;
  void due(double time, std::uint32_t warp) { queue_.push(time, {warp, kStep}); }

  /// What a load missed has arrived; its passes through the data array remain.
  void come_back(const Due& back);
  void pass_data(const Due& back);
  static void hold(Warp& warp, double until, const Path& path) {
    if (until < warp.outstanding) return;
    warp.outstanding = until;
    warp.outstanding_path = path;
  }

  void enter(double when, const Path& from);

  /// Of a DRAM latency's tail, its length in scales. What lies in one row of DRAM comes together.
  double tail(std::uint64_t line);

  void step(std::uint32_t w);

  /// The warp wants the pipe to L1 and shared memory. Of those that wait the oldest goes first, as the schedulers choose.
  void want_pipe(std::uint32_t w);
  void serve_at(double when);
  /// In turn with them go the data that have arrived.
  void serve_next();
  void use_pipe(std::uint32_t w);

  double pieces_of(const Step& step, const Script& script) const;

  void stall(Stall why, double cycles) {
    if (cycles > 0) stalled_[static_cast<std::size_t>(why)] += cycles;
  }
  /// Behind other warps.
  void queue(Warp& warp, Stall why, double cycles) {
    stall(why, cycles);
    if (cycles > 0) warp.queued[static_cast<std::size_t>(why)] += static_cast<float>(cycles);
  }
  /// In the queue to the pipe, where others who `want` more than it holds cannot even enter.
  void queue_for_pipe(Warp& warp, Stall inside, double cycles, double want) {
    const double outside = cycles * std::max(0.0, 1 - kMioQueue / std::max(want, 1.0));
    queue(warp, inside, cycles - outside);
    queue(warp, mio_cycles_ > lg_cycles_ ? Stall::mio_throttle : Stall::lg_throttle, outside);
  }
  void stall_at_barrier(Warp& warp, const Warp& last, double over);

  void next(std::uint32_t w, double when) {
    ++warps_[w].at;
    warps_[w].phase = 0;
    due(when, w);
  }

  /// What an access that goes into the pipe now has waited for.
  const Path& pipe_path(const Warp& warp) const {
    return warp.arrived < now_ ? l1_server_.path : warp.path;
  }

  void load(std::uint32_t w, const Step& step);

  /// The part of the last few microseconds in which DRAM was at work; adds `service` to it.
  double dram_load(double when, double service);

  /// Writes back while DRAM is idle, and what has piled up too high. Else reads go ahead of it.
  void drain(double when, const Path& from);

  void store(std::uint32_t w, const Step& step);

  void barrier(std::uint32_t w);

  /// For the copies that the step names.
  void wait(std::uint32_t w);

  /// Lets the warps go on if all are there; `path` is that of the last to come, or to end.
  void release(Block& block, Path path);

  void end(std::uint32_t w);

  // How far ahead of a server its users may run, in cycles. What the SM's queues hold is not published; about a latency.
  static constexpr double kLsuQueue = 64, kStoreQueue = 600, kWriteQueue = 1000;
  static constexpr double kLoadWindow = 4000;  ///< cycles
  /// Accesses of an SM that wait in its queues to the pipe: tests/timing/data/other_stalls.csv, shared_2e22 and tile32.
  static constexpr double kMioQueue = 12;
  static constexpr double kUnderWayPass = 0.5;  ///< to find out that a line is under way
  static constexpr double kPiecePasses = 12, kPieceIssues = 96;
  /// Between the passes of one warp's access to shared memory; others' come between. Source: tests/h200/timing_mixed.csv,
  /// rounds_1_blocks_32_threads: 16 ways more, three times, take 96 cycles more (256 threads: 24 passes a way, 24 cycles).
  static constexpr double kOwnPass = 2;
  /// Of 128 bytes, in a row of DRAM. Source: JEDEC JESD238, HBM3: pages of 1 KB.
  static constexpr unsigned kRowLines = 3;

  const ReplayPlan& plan_;
  const SmRates& rates_;
  std::vector<Script> scripts_;
  std::vector<std::vector<bool>> shared_;  ///< by script and touch: that of find_shared_lines()
  L1 l1_;
  FlatWords loaded_;  ///< not 0: atoms that L1 has asked for, each for the block that wanted it
  double cut_ = 1;
  std::uint64_t total_ = 0, entered_ = 0;
  TimeQueue<Action> queue_;
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
  Places<Path> paths_;            ///< of loads under way
  std::vector<double> ends_;      ///< of the blocks that none came after
  Path last_path_;
  FlatWords tail_places_;  ///< by row of DRAM: one more than where in tails_
  std::vector<double> tails_;
  bool is_short_ = false;
  double now_ = 0, last_end_ = 0, alone_ = 0, draw_ = 0, dram_due_ = 0.5, under_way_due_ = 0.5,
         misses_ = 0, loads_ = 0;
  Server starts_server_, warp_starts_, issue_server_, l1_server_, tags_server_, l2_server_,
      dram_server_, requests_server_, barrier_server_;
  std::array<double, kStalls> stalled_{};
  double mio_cycles_ = 0, lg_cycles_ = 0;  ///< of the pipe: of shared memory, of global
  double recent_ = 0, load_since_ = 0;
  double to_write_ = 0;  ///< cycles of DRAM
};

}  // namespace labkit::timing
