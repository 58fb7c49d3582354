#include "lab/figures.h"

#include <algorithm>

namespace labkit::lab {
namespace {

using observe::AccessKind;
using observe::InstructionCounters;
using observe::InstructionInfo;

/// What a figure sums over instructions, or the ratio of two such sums.
using Part = double (*)(const InstructionInfo&, const InstructionCounters&);

double excess(std::uint64_t actual, std::uint64_t ideal) {
  return static_cast<double>(actual) - static_cast<double>(ideal);
}
bool loads(const InstructionInfo& info) { return info.access == AccessKind::load; }
bool stores(const InstructionInfo& info) { return info.access == AccessKind::store; }

constexpr struct Row {
  std::string_view name;
  Part numerator;
  Part denominator;  ///< null: a plain sum
} kRows[] = {
    {"global_load_sectors",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? static_cast<double>(c.global_sectors) : 0;
     },
     nullptr},
    {"global_store_sectors",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? static_cast<double>(c.global_sectors) : 0;
     },
     nullptr},
    {"load_sectors_per_request",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? static_cast<double>(c.global_sectors) : 0;
     },
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? static_cast<double>(c.global_requests) : 0;
     }},
    {"store_sectors_per_request",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? static_cast<double>(c.global_sectors) : 0;
     },
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? static_cast<double>(c.global_requests) : 0;
     }},
    {"excess_global_sectors",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return excess(c.global_sectors, c.global_sectors_ideal);
     },
     nullptr},
    {"excess_global_load_sectors",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? excess(c.global_sectors, c.global_sectors_ideal) : 0;
     },
     nullptr},
    {"excess_global_store_sectors",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? excess(c.global_sectors, c.global_sectors_ideal) : 0;
     },
     nullptr},
    {"excess_shared_wavefronts",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return excess(c.shared_wavefronts, c.shared_wavefronts_ideal);
     },
     nullptr},
    {"excess_shared_load_wavefronts",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? excess(c.shared_wavefronts, c.shared_wavefronts_ideal) : 0;
     },
     nullptr},
    {"excess_shared_store_wavefronts",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? excess(c.shared_wavefronts, c.shared_wavefronts_ideal) : 0;
     },
     nullptr},
    {"thread_instructions",
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.thread_executions);
     },
     nullptr},
};

constexpr std::string_view kTimeFigures[] = {"ratio",   "best_ratio",   "time_us",
                                             "copy_us", "best_copy_us", "bandwidth_gbps"};

const Row* find_row(std::string_view name) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

double quotient(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

}  // namespace

Figures counter_figures(const observe::LaunchCounters& counters) {
  Figures figures = observe::metrics(counters);
  for (const Row& row : kRows) {
    double numerator = 0, denominator = 0;
    for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
      numerator += row.numerator(counters.info[i], counters.instructions[i]);
      if (row.denominator)
        denominator += row.denominator(counters.info[i], counters.instructions[i]);
    }
    figures[std::string(row.name)] = row.denominator ? quotient(numerator, denominator) : numerator;
  }
  return figures;
}

bool is_figure(std::string_view name) {
  if (find_row(name)) return true;
  if (std::find(std::begin(kTimeFigures), std::end(kTimeFigures), name) != std::end(kTimeFigures))
    return true;
  // The names that metrics() gives do not depend on the launch.
  static const observe::Metrics names = observe::metrics({});
  return names.count(std::string(name)) > 0;
}

Culprit worst_line(std::string_view figure, const observe::LaunchCounters& counters) {
  const Row* row = find_row(figure);
  if (!row) return {};
  // By line; a line's instruction is the one of its instructions that contributes most.
  struct Sum {
    double numerator = 0, denominator = 0, most = 0;
    std::string instruction;
  };
  std::map<std::pair<std::string, std::uint32_t>, Sum> lines;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const InstructionInfo& info = counters.info[i];
    if (info.line == 0) continue;
    Sum& sum = lines[{info.file, info.line}];
    const double part = row->numerator(info, counters.instructions[i]);
    sum.numerator += part;
    if (row->denominator) sum.denominator += row->denominator(info, counters.instructions[i]);
    if (part > sum.most) {
      sum.most = part;
      sum.instruction = info.spelling;
    }
  }
  Culprit worst;
  for (const auto& [where, sum] : lines) {
    const double value =
        row->denominator ? quotient(sum.numerator, sum.denominator) : sum.numerator;
    if (sum.most > 0 && value > worst.value)
      worst = {
          .where = {where.first, where.second}, .instruction = sum.instruction, .value = value};
  }
  return worst;
}

}  // namespace labkit::lab
