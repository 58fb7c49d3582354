// The table of metrics: one counter is one row. Names are Nsight Compute's; the rules behind the counts stand in rules.h.
#include "observe/counters.h"

#include <algorithm>

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

}  // namespace labkit::observe
