#include "explain/line_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace labkit::explain {
namespace {

double to_double(std::uint64_t value) { return static_cast<double>(value); }

bool matches(const observe::InstructionSamples& one, Memory memory, Accesses accesses) {
  const bool shared = one.space == ptx::Space::shared;
  if (memory != Memory::any && shared != (memory == Memory::shared)) return false;
  if (accesses == Accesses::any || one.is_atomic) return true;
  return one.is_store == (accesses == Accesses::stores);
}

/// Excess first, then all that it moves.
std::pair<std::uint64_t, std::uint64_t> waste_of(const observe::LaunchCounters& counters,
                                                 const observe::InstructionSamples& one) {
  const observe::InstructionCounters& c = counters.instructions[one.instruction];
  if (one.space == ptx::Space::shared)
    return {c.shared_wavefronts - c.shared_wavefronts_ideal, c.shared_wavefronts};
  if (one.space == ptx::Space::local) return {0, c.local_sectors};
  return {c.global_sectors - c.global_sectors_ideal, c.global_sectors};
}

template <typename Wanted>
const observe::InstructionSamples* worst(const observe::LaunchCounters& counters,
                                         const observe::AccessSamples& samples,
                                         const Wanted& wanted) {
  const observe::InstructionSamples* found = nullptr;
  for (const observe::InstructionSamples& one : samples.instructions) {
    if (one.instruction >= counters.info.size() || !wanted(one)) continue;
    if (!found || waste_of(counters, one) > waste_of(counters, *found)) found = &one;
  }
  return found;
}

}  // namespace

std::vector<LineCost> line_costs(const observe::LaunchCounters& counters) {
  std::map<std::pair<std::string, std::uint32_t>, LineCost> lines;
  for (std::size_t i = 0; i < counters.info.size(); ++i) {
    const observe::InstructionInfo& info = counters.info[i];
    const observe::InstructionCounters& c = counters.instructions[i];
    LineCost& line = lines[{info.file, info.line}];
    line.where = {info.file, info.line};
    line.global_requests += to_double(c.global_requests);
    line.global_sectors += to_double(c.global_sectors);
    line.global_sectors_ideal += to_double(c.global_sectors_ideal);
    line.shared_requests += to_double(c.shared_requests);
    line.shared_wavefronts += to_double(c.shared_wavefronts);
    line.shared_wavefronts_ideal += to_double(c.shared_wavefronts_ideal);
    line.local_sectors += to_double(c.local_sectors);
    line.warp_instructions += to_double(c.warp_executions);
  }
  std::vector<LineCost> costs;
  for (auto& [where, line] : lines)
    if (line.global_sectors + line.shared_wavefronts + line.local_sectors > 0)
      costs.push_back(std::move(line));
  std::stable_sort(costs.begin(), costs.end(), [](const LineCost& a, const LineCost& b) {
    const auto rank = [](const LineCost& line) {
      return std::tuple(line.where.line == 0, -(line.excess_sectors() + line.bank_conflicts()));
    };
    return rank(a) < rank(b);
  });
  return costs;
}

const observe::InstructionSamples* worst_of_line(const observe::LaunchCounters& counters,
                                                 const observe::AccessSamples& samples,
                                                 const launch::SourceLine& where, Memory memory,
                                                 Accesses accesses) {
  return worst(counters, samples, [&](const observe::InstructionSamples& one) {
    const observe::InstructionInfo& info = counters.info[one.instruction];
    return info.line == where.line && info.file == where.file && matches(one, memory, accesses);
  });
}

const observe::InstructionSamples* worst_of_launch(const observe::LaunchCounters& counters,
                                                   const observe::AccessSamples& samples) {
  return worst(counters, samples, [](const observe::InstructionSamples&) { return true; });
}

}  // namespace labkit::explain
