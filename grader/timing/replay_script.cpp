#include <algorithm>

#include "timing/replay_sm.h"

namespace labkit::timing {

Script script_of(const BlockTrace& trace, std::span<const InstructionCost> costs,
                 const SmRates& rates) {
  Script script;
  script.touches = &trace.touches;
  script.warps.resize(trace.warps);
  struct Open {
    Step step;
    std::uint32_t at = 0;  ///< instruction after the last event
    bool loaded = false;   ///< something that it has not waited for
    bool owes = false;     ///< stores of that to shared memory
    std::uint32_t copies = 0, awaited = 0;
    std::vector<std::uint32_t> groups;  ///< of copies: how many there were at the end of each
  };
  std::vector<Open> open(trace.warps);
  std::vector<std::uint32_t> events(trace.warps);
  for (const TraceEvent& event : trace.events) ++events[event.warp];
  for (std::size_t w = 0; w < events.size(); ++w) script.warps[w].reserve(events[w] + 1);
  // How often each warp came to the instructions that wait in turns.
  std::vector<std::uint32_t> turn_of(costs.size());
  std::uint32_t turns = 0;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i].loads_in_turn) turn_of[i] = turns++;
  std::vector<std::uint32_t> executed(std::size_t{turns} * trace.warps);
  // Of the instructions before each, in the order of the text: links, and passes of what a warp issues with no lane on.
  std::vector<float> before(costs.size() + 1, 0), idle(costs.size() + 1, 0),
      issued(costs.size() + 1, 0);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    before[i + 1] = before[i] + static_cast<float>(costs[i].links);
    idle[i + 1] = idle[i] + static_cast<float>(costs[i].idle_passes);
    issued[i + 1] = issued[i] + static_cast<float>(costs[i].issue);
  }
  const auto links = [&](std::uint32_t from, std::uint32_t to) {
    return to < costs.size() ? before[to + 1] - before[std::min(from, to)] : 1.0f;
  };
  const auto slots = [&](std::uint32_t from, std::uint32_t to) {
    return to < costs.size() ? issued[to + 1] - issued[std::min(from, to)]
                             : static_cast<float>(to >= from ? to - from + 1 : 1);
  };
  const auto idle_passes = [&](std::uint32_t from, std::uint32_t to) {
    if (to >= costs.size() || from >= idle.size()) return 0.0f;
    if (from <= to) return idle[to] - idle[from];
    // Back to the head of the loop that both are in.
    const InstructionCost& at = costs[to];
    if (at.loop_last < from) return 0.0f;
    return idle[at.loop_last] - idle[from] + idle[to] - idle[at.loop_first];
  };
  for (const TraceEvent& event : trace.events) {
    Open& warp = open[event.warp];
    Step& step = warp.step;
    step.issue += slots(warp.at, event.instruction);
    step.links += links(warp.at, event.instruction);
    step.wavefronts += idle_passes(warp.at, event.instruction);
    warp.at = event.instruction + 1;
    const InstructionCost cost =
        event.instruction < costs.size() ? costs[event.instruction] : InstructionCost{};
    using Kind = TraceEvent::Kind;
    if (event.kind == Kind::shared_load || event.kind == Kind::shared_store) {
      step.wavefronts += static_cast<float>(cost.shared_wavefronts);
      if (cost.shared_wavefronts > 0) ++step.accesses;
      step.dependent += static_cast<float>(cost.shared_latencies * rates.shared_latency);
      if (event.kind == Kind::shared_store && warp.loaded && !cost.is_copy) warp.owes = true;
      continue;
    }
    if (event.kind == Kind::commit) {
      warp.groups.push_back(warp.copies);
      continue;
    }
    if (event.kind == Kind::wait) {
      const std::size_t left = event.groups, all = warp.groups.size();
      const std::uint32_t until = left == TraceEvent::kAllGroups ? warp.copies
                                  : left < all                   ? warp.groups[all - 1 - left]
                                                                 : 0;
      if (until <= warp.awaited) continue;
      step.action = Step::Action::wait;
      step.first_touch = warp.awaited = until;
      script.instructions += step.issue;
      script.links += step.links;
      script.work += 1;
      script.warps[event.warp].push_back(step);
      step = {};
      continue;
    }
    step.dependent += static_cast<float>(cost.acquires * rates.acquire);
    step.lines = event.lines;
    step.packet = static_cast<float>(cost.packet);
    step.passes = event.wavefronts;
    step.first_touch = event.first_touch;
    if (event.kind == Kind::load) {
      step.action = cost.is_copy ? Step::Action::copy : Step::Action::load;
      warp.copies += cost.is_copy;
      // One that depends on nothing goes ahead of stores to shared memory, as ptxas moves it.
      if (!cost.is_copy && cost.loads_in_turn &&
          executed[std::size_t{event.warp} * turns + turn_of[event.instruction]]++ %
                  cost.loads_in_turn ==
              0) {
        step.waits = true;
        warp.owes = false;
      }
      warp.loaded |= !cost.is_copy;
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
    script.links += step.links;
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
    script.links += step.links;
    script.work += 1;
    script.warps[w].push_back(step);
  }
  return script;
}

}  // namespace labkit::timing
