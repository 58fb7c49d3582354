#include "report/explain_heat.h"

#include <algorithm>
#include <string_view>

namespace labkit::report {
namespace {

using observe::InstructionCounters;
using observe::InstructionInfo;

/// What of an instruction's work loads each bound of the time model (timing/model.cpp). Where none of them does
/// (launches, latency), sectors say best where the waiting comes from.
struct Load {
  std::string_view bound, words;
  double (*of)(const InstructionInfo&, const InstructionCounters&);
};
constexpr Load kLoads[] = {
    {"stores", "store packets",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return i.access == observe::AccessKind::load
                  ? 0.0
                  : static_cast<double>(c.global_requests + c.global_sectors);
     }},
    {"shared memory", "shared wavefronts",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.shared_wavefronts);
     }},
    {"issue", "instructions issued",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.warp_executions);
     }},
    {"instructions", "instructions issued",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.warp_executions);
     }},
    {"barriers", "arrivals at barriers",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return lab::is_block_barrier(i) ? static_cast<double>(c.warp_executions) : 0;
     }},
    {"", "global sectors",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.global_sectors + c.local_sectors);
     }},
};

double ideal_local(const InstructionInfo& info, const InstructionCounters& c) {
  return std::min(static_cast<double>(c.local_sectors),
                  static_cast<double>(c.thread_executions) * info.bytes_per_lane / 32);
}

double excess_sectors(const InstructionInfo& info, const InstructionCounters& c) {
  return static_cast<double>(c.global_sectors - c.global_sectors_ideal) +
         static_cast<double>(c.local_sectors) - ideal_local(info, c);
}
double excess_wavefronts(const InstructionCounters& c) {
  return static_cast<double>(c.shared_wavefronts - c.shared_wavefronts_ideal);
}

}  // namespace

std::string name_of(Heat heat) {
  constexpr const char* kNames[] = {"sectors", "wavefronts", "traffic"};
  return kNames[static_cast<std::size_t>(heat)];
}

double LaunchHeat::total(Heat heat) const {
  double sum = 0;
  for (const auto& [line, value] : of(heat)) sum += value;
  return sum;
}

LaunchHeat heat_of(const lab::LaunchDetail& detail, const std::string& file) {
  LaunchHeat heat;
  const std::string bound = detail.prediction ? detail.prediction->bound : "";
  const Load* load = std::begin(kLoads);
  while (!load->bound.empty() && load->bound != bound) ++load;
  heat.traffic = std::string(load->words);
  double all = 0;
  const observe::LaunchCounters& counters = detail.counters;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const InstructionInfo& info = counters.info[i];
    const InstructionCounters& c = counters.instructions[i];
    const double traffic = load->of(info, c);
    all += traffic;
    if (info.line == 0 || info.file != file) continue;
    const auto add = [&](Heat which, double value) {
      if (value > 0) heat.lines[static_cast<std::size_t>(which)][info.line] += value;
    };
    add(Heat::sectors, excess_sectors(info, c));
    add(Heat::wavefronts, excess_wavefronts(c));
    add(Heat::traffic, traffic);
  }
  for (auto& [line, value] : heat.lines[static_cast<std::size_t>(Heat::traffic)]) value /= all;
  return heat;
}

}  // namespace labkit::report
