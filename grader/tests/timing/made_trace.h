// A trace made by hand, and a launch of it on an SM on which nothing costs but what a test turns on.
#pragma once
#include <cstdint>
#include <vector>

#include "timing/replay.h"

namespace labkit::timing {

using Kind = TraceEvent::Kind;

/// Rates at which nothing costs but what a test turns on.
inline SmRates idle() {
  SmRates rates;
  rates.issue = 1e9;
  rates.wavefront = 1e-9;
  rates.l1_latency = 40;
  rates.l2_latency = 300;
  rates.dram_latency = 700;
  return rates;
}

/// A trace under construction. Instruction 0 loads and waits for what came before, 1 loads at once, 3 is a cp.async, 2 is all
/// else.
struct Made {
  BlockTrace trace;
  explicit Made(std::uint32_t warps) { trace.warps = warps; }
  /// A cp.async, in a group of its own.
  Made& copy(std::uint64_t line) {
    return add(Kind::load, 0, line, 1, 3).add(Kind::shared_store, 0, 0, 1, 3).add(Kind::commit, 0);
  }
  Made& wait(std::uint16_t groups) {
    add(Kind::wait, 0);
    trace.events.back().groups = groups;
    return *this;
  }
  Made& add(Kind kind, std::uint16_t warp, std::uint64_t line = 0, std::uint32_t lines = 1,
            std::uint32_t instruction = 2, std::uint64_t sectors = 15) {
    TraceEvent event;
    event.kind = kind;
    event.warp = warp;
    event.instruction = instruction;
    if (kind == Kind::load || kind == Kind::store || kind == Kind::atomic) {
      event.lines = static_cast<std::uint8_t>(lines);
      event.wavefronts = 1;
      event.first_touch = static_cast<std::uint32_t>(trace.touches.size());
      for (std::uint32_t i = 0; i < lines; ++i)
        trace.touches.push_back((line + i) << 7 | 0x30 | sectors);
    }
    trace.events.push_back(event);
    trace.events_seen = ++trace.events_kept;
    return *this;
  }
};

struct Plan {
  std::vector<BlockTrace> traces;
  std::vector<InstructionCost> costs = std::vector<InstructionCost>(4);
  ReplayPlan plan;
  explicit Plan(const Made& made) : traces{made.trace} {
    costs[0].loads_in_turn = costs[3].loads_in_turn = 1;
    costs[3].is_copy = true;
    plan.rates = idle();
    plan.l1_lines = 1024;
  }
  Replayed run() {
    plan.traces = traces;
    plan.costs = costs;
    return replay(plan);
  }
};

}  // namespace labkit::timing
