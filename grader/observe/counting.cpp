// The table of metrics: one counter is one row. Names are Nsight Compute's; the rules behind the counts stand in rules.h.
#include "observe/counting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <utility>

#include "observe/access_cost.h"
#include "observe/counters.h"
#include "ptx/passes.h"

namespace labkit::observe {

namespace {

using Value = std::uint64_t (*)(const InstructionInfo&, const InstructionCounters&);
struct Metric {
  const char* name;
  Value value;  ///< summed over instructions
};

bool is_load(const InstructionInfo& info) { return info.access == AccessKind::load; }
bool is_store(const InstructionInfo& info) { return info.access == AccessKind::store; }

#define VALUE(expression)                                                       \
  [](const InstructionInfo& i, const InstructionCounters& c) -> std::uint64_t { \
    (void)i;                                                                    \
    return expression;                                                          \
  }
constexpr Metric kMetrics[] = {
    {"ptx_thread_instructions", VALUE(c.thread_executions)},
    {"ptx_warp_instructions", VALUE(c.warp_executions)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", VALUE(is_load(i) ? c.global_requests : 0)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", VALUE(is_store(i) ? c.global_requests : 0)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", VALUE(is_load(i) ? c.global_sectors : 0)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", VALUE(is_store(i) ? c.global_sectors : 0)},
    {"memory_l2_theoretical_sectors_global", VALUE(c.global_sectors)},
    {"memory_l2_theoretical_sectors_global_ideal", VALUE(c.global_sectors_ideal)},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     VALUE(is_load(i) ? c.shared_wavefronts : 0)},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     VALUE(is_store(i) ? c.shared_wavefronts : 0)},
    {"memory_l1_wavefronts_shared", VALUE(c.shared_wavefronts)},
    {"memory_l1_wavefronts_shared_ideal", VALUE(c.shared_wavefronts_ideal)},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     VALUE(is_load(i) ? c.shared_wavefronts - c.shared_wavefronts_ideal : 0)},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     VALUE(is_store(i) ? c.shared_wavefronts - c.shared_wavefronts_ideal : 0)},
    {"l1tex__t_requests_pipe_lsu_mem_local.sum", VALUE(c.local_requests)},
    {"l1tex__t_sectors_pipe_lsu_mem_local.sum", VALUE(c.local_sectors)},
};
#undef VALUE

void add(Metrics& to, const InstructionInfo& info, const InstructionCounters& counters) {
  for (const auto& metric : kMetrics)
    to[metric.name] += static_cast<double>(metric.value(info, counters));
}

}  // namespace

Metrics metrics(const LaunchCounters& counters) {
  Metrics totals;
  for (const auto& metric : kMetrics) totals[metric.name] = 0;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i)
    add(totals, counters.info[i], counters.instructions[i]);
  return totals;
}

std::vector<LineMetrics> line_metrics(const LaunchCounters& counters) {
  std::map<std::pair<std::string, std::uint32_t>, Metrics> by_line;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const auto& info = counters.info[i];
    add(by_line[{info.file, info.line}], info, counters.instructions[i]);
  }
  std::vector<LineMetrics> lines;
  lines.reserve(by_line.size());
  for (auto& [where, values] : by_line)
    lines.push_back({{where.first, where.second}, std::move(values)});
  return lines;
}

namespace {

/// When a warp began its cp.async and when it waited for them, in its own instructions.
class WarpCopies {
 public:
  /// Of a wait whose youngest copy has had less than half of the time since the wait before. The first one is not.
  bool is_exposed(const simt::AsyncEvent& event) {
    using Kind = simt::AsyncEvent::Kind;
    switch (event.kind) {
      case Kind::copy:
        last_ = event.issued;
        has_copy_ = true;
        return false;
      case Kind::commit:
        groups_.push_back(has_copy_ ? last_ : kNone);
        has_copy_ = false;
        return false;
      case Kind::wait:
        break;
      case Kind::arrive:
        return false;
    }
    std::uint64_t youngest = kNone;
    if (event.groups == simt::AsyncEvent::kAll && std::exchange(has_copy_, false)) youngest = last_;
    const std::uint64_t left = event.groups == simt::AsyncEvent::kAll ? 0 : event.groups;
    for (; groups_.size() > left; groups_.pop_front())
      if (groups_.front() != kNone && (youngest == kNone || groups_.front() > youngest))
        youngest = groups_.front();
    if (youngest == kNone) return false;
    const std::uint64_t before = std::exchange(waited_, event.issued);
    return before != kNone && 2 * (event.issued - youngest) < event.issued - before;
  }

 private:
  static constexpr std::uint64_t kNone = ~0ull;
  std::deque<std::uint64_t> groups_;  ///< not waited for: when the last copy of each began
  std::uint64_t last_ = 0, waited_ = kNone;
  bool has_copy_ = false;  ///< in no group yet
};

/// 0 where all lanes have the same.
std::uint64_t distinct_addresses(const simt::Access& access) {
  std::array<std::uint64_t, simt::kLanes> addresses{};
  std::size_t count = 0;
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
    addresses[count++] = access.addresses[std::countr_zero(rest)];
  const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(count);
  if (std::all_of(addresses.begin(), end, [&](std::uint64_t one) { return one == addresses[0]; }))
    return 0;
  std::sort(addresses.begin(), end);
  return static_cast<std::uint64_t>(std::unique(addresses.begin(), end) - addresses.begin());
}

class CountingObserver final : public simt::Observer {
 public:
  explicit CountingObserver(std::span<const simt::InstructionFacts> facts)
      : counters(facts.size()), costs_(facts) {}

  void on_access(const simt::Access& access) override {
    if (access.is_repeated_poll) return;
    auto& counter = counters[access.instruction];
    switch (access.space) {
      case ptx::Space::global:
        return on_global(access, counter);
      case ptx::Space::shared:
        return on_shared(access, counter);
      case ptx::Space::local:
        ++counter.local_requests;
        counter.local_sectors += AccessCosts::local_sectors(access).count;
        return;
      case ptx::Space::constant:
        counter.constant_addresses += distinct_addresses(access) * access.repeats;
        return;
      default:
        return;
    }
  }
  bool wants_each_shared_access() const override { return false; }
  bool wants_each_global_access() const override { return false; }
  bool wants_blocks_apart() const override { return false; }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override { ++barriers; }
  void on_async(const simt::AsyncEvent& event) override {
    if (copies_[{event.block, event.warp}].is_exposed(event))
      ++counters[event.instruction].exposed_waits;
  }
  void on_block_end(std::uint64_t block) override {
    copies_.erase(copies_.lower_bound({block, 0}), copies_.lower_bound({block + 1, 0}));
  }

  std::vector<InstructionCounters> counters;
  std::uint64_t barriers = 0;

 private:
  void on_global(const simt::Access& access, InstructionCounters& counter) {
    const AccessCost cost = costs_.sectors(access);
    counter.global_requests += access.repeats;
    counter.global_sectors += cost.count * access.repeats;
    counter.global_sectors_ideal += cost.ideal * access.repeats;
    counter.global_partial_sectors += cost.partial * access.repeats;
    counter.global_bytes +=
        access.repeats * simt::lane_count(access.active) * access.bytes_per_lane;
  }

  void on_shared(const simt::Access& access, InstructionCounters& counter) {
    const AccessCosts::SharedView view = costs_.shared_view(access);
    if (view.bytes == 0) return;
    const AccessCost cost = costs_.wavefronts(access, view);
    counter.shared_requests += access.repeats;
    counter.shared_wavefronts += cost.count * access.repeats;
    counter.shared_wavefronts_ideal += cost.ideal * access.repeats;
  }

  AccessCosts costs_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, WarpCopies> copies_;  ///< by block and warp
};

AccessKind access_kind(const simt::InstructionFacts& facts) {
  if (facts.is_atomic) return AccessKind::atomic;
  if (facts.is_load) return AccessKind::load;
  return facts.is_store ? AccessKind::store : AccessKind::none;
}

/// Of the instructions of one function, the first of which is `begin`.
void describe_flow(std::span<InstructionInfo> all, const ptx::Function& function,
                   std::size_t begin) {
  const auto flow = ptx::control_flow(function);
  const auto depth = ptx::latency_depth(function, flow);
  const auto links = ptx::dependence_links(function, flow);
  const auto costs = ptx::machine_costs(function, flow);
  const auto issued_with = ptx::issued_with(function, flow);
  const auto loops = ptx::loops_around(function, flow);
  const auto reductions = ptx::reductions(function);
  for (std::size_t at = 0; at < all.size(); ++at) {
    auto& info = all[at];
    info.serial_loads = depth.serial_loads_at[at];
    info.serial_shared_loads = depth.serial_shared_loads_at[at];
    info.turns_in_flight = depth.turns_in_flight_at[at];
    info.links = links[at];
    info.is_reduction = reductions[at];
    info.cost = costs[at];
    info.issued_with = issued_with[at] - static_cast<std::int32_t>(at);
    if (loops[at].last <= loops[at].first) continue;
    info.loop_first =
        static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(loops[at].first);
    info.loop_last = static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(loops[at].last);
  }
}

std::vector<InstructionInfo> describe(const simt::Program& program) {
  const auto facts = simt::instructions(program);
  const auto& files = simt::module_of(program).files;
  std::vector<InstructionInfo> all(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    auto& info = all[i];
    // of what another file brings in, as CUDA's headers do atomicAdd(), the line that calls it
    const bool is_of_another =
        facts[i].inlined_at.line != 0 && facts[i].inlined_at.file != facts[i].location.file;
    const auto& where = is_of_another ? facts[i].inlined_at : facts[i].location;
    info.line = where.line;
    if (where.file < files.size()) info.file = files[where.file];
    info.spelling = std::string(facts[i].text().spelling);
    info.access = access_kind(facts[i]);
    info.bytes_per_lane = facts[i].bytes_per_lane;
  }
  for (std::size_t begin = 0; begin < facts.size();) {
    const auto& function = *facts[begin].function;
    describe_flow(std::span(all).subspan(begin, function.body.size()), function, begin);
    begin += function.body.size();
  }
  // What ptxas merges into another access is no instruction.
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (facts[i].space == ptx::Space::shared && facts[i].bytes_per_lane > 0 &&
        facts[i].counted_bytes == 0)
      all[i].cost = {.issue = 0, .latency = 0};
  return all;
}

void add(InstructionCounters& to, const InstructionCounters& from) {
  to.global_requests += from.global_requests;
  to.global_sectors += from.global_sectors;
  to.global_sectors_ideal += from.global_sectors_ideal;
  to.global_partial_sectors += from.global_partial_sectors;
  to.global_bytes += from.global_bytes;
  to.shared_requests += from.shared_requests;
  to.shared_wavefronts += from.shared_wavefronts;
  to.shared_wavefronts_ideal += from.shared_wavefronts_ideal;
  to.exposed_waits += from.exposed_waits;
  to.constant_addresses += from.constant_addresses;
  to.local_requests += from.local_requests;
  to.local_sectors += from.local_sectors;
}

}  // namespace

Counting::Counting(const simt::Program& program) : program_(program) {
  counters_.info = describe(program);
  counters_.instructions.resize(counters_.info.size());
}

std::unique_ptr<simt::Observer> Counting::make() {
  return std::make_unique<CountingObserver>(simt::instructions(program_));
}

void Counting::collect(simt::Observer& observer, const simt::Executions& executions) {
  const auto& counted = static_cast<CountingObserver&>(observer);
  counters_.barriers_executed += counted.barriers;
  for (std::size_t i = 0; i < executions.of_warps.size(); ++i) {
    auto& total = counters_.instructions[i];
    add(total, counted.counters[i]);
    total.warp_executions += executions.of_warps[i];
    total.thread_executions += executions.of_threads[i];
    counters_.warp_instructions += executions.of_warps[i];
    counters_.thread_instructions += executions.of_threads[i];
  }
}

}  // namespace labkit::observe
