#include "grade/figures.h"

#include <fmt/format.h>

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
// An atomic reads and writes: it counts on both sides, or scattered accesses could hide in it.
bool loads(const InstructionInfo& info) {
  return info.access == AccessKind::load || info.access == AccessKind::atomic;
}
bool stores(const InstructionInfo& info) {
  return info.access == AccessKind::store || info.access == AccessKind::atomic;
}

constexpr std::uint64_t kSectorBytes = 32;
/// Times that a right kernel may ask for the sectors that its useful bytes fill: an input that is read again in a loop, an
/// output that is cleared first. One lane a request asks 4 times (doubles) or 8 times (floats). The same holds of wavefronts
/// beside the bytes that lanes ask of shared memory: half a warp at a time asks twice, one lane 32 times.
constexpr double kMostMoved = 2.5;

/// Sectors beyond what the instruction's own bytes fill, over all its requests together. A warp of
/// which one thread loads wastes nothing by the ideal of its one request, and 28 bytes of 32 by
/// this.
double unfilled_sectors(const InstructionInfo&, const InstructionCounters& c) {
  const std::uint64_t filled = (c.global_bytes + kSectorBytes - 1) / kSectorBytes;
  return c.global_sectors > filled ? excess(c.global_sectors, filled) : 0;
}

constexpr std::uint64_t kWavefrontBytes = 128;

/// The wavefronts that the bytes an instruction asked of shared memory fill. One that ptxas joins to another has bytes and no
/// requests of its own.
std::uint64_t filled_wavefronts(const InstructionInfo& info, const InstructionCounters& c) {
  if (c.shared_requests == 0 && info.spelling.find(".shared") == std::string::npos) return 0;
  return (c.thread_executions * info.bytes_per_lane + kWavefrontBytes - 1) / kWavefrontBytes;
}
/// Wavefronts beyond those. A tile that is read one lane at a time meets no bank twice and wastes 31 of 32 by this.
double unfilled_wavefronts(const InstructionInfo& info, const InstructionCounters& c) {
  const std::uint64_t filled = filled_wavefronts(info, c);
  return c.shared_wavefronts > filled ? excess(c.shared_wavefronts, filled) : 0;
}

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
    {"shared_load_wavefronts_per_request",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? static_cast<double>(c.shared_wavefronts) : 0;
     },
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return loads(i) ? static_cast<double>(c.shared_requests) : 0;
     }},
    {"shared_store_wavefronts_per_request",
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? static_cast<double>(c.shared_wavefronts) : 0;
     },
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return stores(i) ? static_cast<double>(c.shared_requests) : 0;
     }},
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

Figures counter_figures(const observe::LaunchCounters& counters, std::uint64_t useful_bytes) {
  Figures figures = observe::metrics(counters);
  std::uint64_t sectors = 0, wavefronts = 0, filled = 0;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    sectors += counters.instructions[i].global_sectors;
    wavefronts += counters.instructions[i].shared_wavefronts;
    filled += filled_wavefronts(counters.info[i], counters.instructions[i]);
  }
  for (const Row& row : kRows) {
    double numerator = 0, denominator = 0;
    for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
      numerator += row.numerator(counters.info[i], counters.instructions[i]);
      if (row.denominator)
        denominator += row.denominator(counters.info[i], counters.instructions[i]);
    }
    figures[std::string(row.name)] = row.denominator ? quotient(numerator, denominator) : numerator;
  }
  if (filled > 0 && static_cast<double>(wavefronts) > kMostMoved * static_cast<double>(filled)) {
    double& wasted = figures["excess_shared_wavefronts"];
    wasted = std::max(wasted, excess(wavefronts, filled));
  }
  if (useful_bytes > 0) {
    const std::uint64_t needed = (useful_bytes + kSectorBytes - 1) / kSectorBytes;
    double& wasted = figures["excess_global_sectors"];
    if (static_cast<double>(sectors) > kMostMoved * static_cast<double>(needed))
      wasted = std::max(wasted, excess(sectors, needed));
  }
  return figures;
}

std::string missing_basis(std::string_view figure, const observe::LaunchCounters& counters) {
  const Row* row = find_row(figure);
  if (!row || !row->denominator) return {};
  for (std::size_t i = 0; i < counters.instructions.size(); ++i)
    if (row->denominator(counters.info[i], counters.instructions[i]) > 0) return {};
  const bool shared = figure.starts_with("shared_");
  const bool loads = figure.find("load") != std::string_view::npos;
  return fmt::format("the kernel made no {} {}", shared ? "shared" : "global",
                     loads ? "loads" : "stores");
}

bool is_figure(std::string_view name) {
  if (find_row(name)) return true;
  if (std::find(std::begin(kTimeFigures), std::end(kTimeFigures), name) != std::end(kTimeFigures))
    return true;
  // The names that metrics() gives do not depend on the launch.
  static const observe::Metrics names = observe::metrics({});
  return names.count(std::string(name)) > 0;
}

bool is_counted(std::string_view name) {
  return is_figure(name) && std::find(std::begin(kTimeFigures), std::end(kTimeFigures), name) ==
                                std::end(kTimeFigures);
}

namespace {

Culprit worst_line_of(const Row* row, const observe::LaunchCounters& counters) {
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

constexpr Row kUnfilled = {"", unfilled_sectors, nullptr};
constexpr Row kUnfilledShared = {"", unfilled_wavefronts, nullptr};
constexpr Row kSectors = {"",
                          [](const InstructionInfo&, const InstructionCounters& c) {
                            return static_cast<double>(c.global_sectors);
                          },
                          nullptr};

double at_barriers(const InstructionInfo& info, const InstructionCounters& c) {
  return is_block_barrier(info) ? static_cast<double>(c.warp_executions) : 0;
}
double at_atomics(const InstructionInfo& info, const InstructionCounters& c) {
  return info.access == AccessKind::atomic ? static_cast<double>(c.warp_executions) : 0;
}
constexpr Row kBarriers = {"", at_barriers, nullptr};
constexpr Row kAtomics = {"", at_atomics, nullptr};

}  // namespace

bool is_block_barrier(const InstructionInfo& info) {
  const std::string_view name = info.spelling;
  return (name.starts_with("bar.") && !name.starts_with("bar.warp")) ||
         name.starts_with("barrier.");
}

Culprit bounding_line(std::string_view time_bound, const observe::LaunchCounters& counters) {
  if (time_bound == "barriers") return worst_line_of(&kBarriers, counters);
  if (time_bound == "atomics") return worst_line_of(&kAtomics, counters);
  return {};
}

Culprit worst_line(std::string_view figure, const observe::LaunchCounters& counters,
                   std::uint64_t useful_bytes) {
  const Row* row = find_row(figure);
  if (!row) return {};
  Culprit worst = worst_line_of(row, counters);
  if (figure == "excess_shared_wavefronts" && worst.where.line == 0 &&
      counter_figures(counters).at("excess_shared_wavefronts") > 0)
    return worst_line_of(&kUnfilledShared, counters);
  if (figure != "excess_global_sectors" || worst.where.line != 0 || useful_bytes == 0) return worst;
  // No request wastes anything by its own ideal: half empty requests, else the same bytes again.
  if (counter_figures(counters, useful_bytes).at("excess_global_sectors") <= 0) return worst;
  worst = worst_line_of(&kUnfilled, counters);
  return worst.where.line != 0 ? worst : worst_line_of(&kSectors, counters);
}

}  // namespace labkit::lab
