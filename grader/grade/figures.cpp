#include "grade/figures.h"

#include <algorithm>

namespace labkit::grade {
namespace {

using observe::AccessKind;
using observe::InstructionCounters;
using observe::InstructionInfo;
using words::Id;

/// What a figure sums over instructions, or the ratio of two such sums.
using Part = double (*)(const InstructionInfo&, const InstructionCounters&);

double excess(std::uint64_t actual, std::uint64_t ideal) {
  return static_cast<double>(actual) - static_cast<double>(ideal);
}
// An atomic reads and writes: it counts on both sides, or scattered accesses could hide in it.
bool reads(const InstructionInfo& info) {
  return info.access == AccessKind::load || info.access == AccessKind::atomic;
}
bool writes(const InstructionInfo& info) {
  return info.access == AccessKind::store || info.access == AccessKind::atomic;
}

/// That so many bytes fill.
std::uint64_t sectors_of(std::uint64_t bytes) { return (bytes + 31) / 32; }
/// Times that a right kernel may ask for the sectors that its useful bytes fill: an input that is read again in a loop, an
/// output that is cleared first. One lane a request asks 4 times (doubles) or 8 times (floats). The same holds of wavefronts
/// beside the bytes that lanes ask of shared memory: half a warp at a time asks twice, one lane 32 times.
constexpr double kMostMoved = 2.5;

/// Sectors beyond what the instruction's own bytes fill, over all its requests together. A warp of
/// which one thread loads wastes nothing by the ideal of its one request, and 28 bytes of 32 by
/// this.
double unfilled_sectors(const InstructionInfo&, const InstructionCounters& c) {
  return std::max(0.0, excess(c.global_sectors, sectors_of(c.global_bytes)));
}

constexpr std::uint64_t kWavefrontBytes = 128;

/// The wavefronts that the bytes an instruction asked of shared memory fill. One that ptxas joins to another has bytes and no
/// requests of its own.
double filled_wavefronts(const InstructionInfo& info, const InstructionCounters& c) {
  if (c.shared_requests == 0 && info.spelling.find(".shared") == std::string::npos) return 0;
  const std::uint64_t bytes = c.thread_executions * info.bytes_per_lane;
  return static_cast<double>((bytes + kWavefrontBytes - 1) / kWavefrontBytes);
}
/// Wavefronts beyond those. A tile that is read one lane at a time meets no bank twice and wastes 31 of 32 by this.
double unfilled_wavefronts(const InstructionInfo& info, const InstructionCounters& c) {
  return std::max(0.0, static_cast<double>(c.shared_wavefronts) - filled_wavefronts(info, c));
}

enum class Side : std::uint8_t { loads, stores, both };

bool is_on(Side side, const InstructionInfo& info) {
  return side == Side::both || (side == Side::loads ? reads(info) : writes(info));
}

using Count = std::uint64_t InstructionCounters::*;

template <Side kSide, Count kCount>
double sum(const InstructionInfo& info, const InstructionCounters& c) {
  return is_on(kSide, info) ? static_cast<double>(c.*kCount) : 0;
}
template <Side kSide, Count kActual, Count kIdeal>
double beyond(const InstructionInfo& info, const InstructionCounters& c) {
  return is_on(kSide, info) ? excess(c.*kActual, c.*kIdeal) : 0;
}

/// An atomic is on one side or the other, whichever its addresses turned out to be in.
double global_atomics(const InstructionInfo& info, const InstructionCounters& c) {
  if (info.access != AccessKind::atomic || info.bytes_per_lane == 0) return 0;
  return static_cast<double>(c.global_bytes) / info.bytes_per_lane;
}
double shared_atomics(const InstructionInfo& info, const InstructionCounters& c) {
  if (info.access != AccessKind::atomic || c.shared_requests == 0) return 0;
  return static_cast<double>(c.thread_executions) - global_atomics(info, c);
}

/// Bytes that cp.async moves from global to shared memory.
double copied_bytes(const InstructionInfo& info, const InstructionCounters& c) {
  return info.spelling.starts_with("cp.async") ? static_cast<double>(c.global_bytes) : 0;
}
double exposed_waits(const InstructionInfo&, const InstructionCounters& c) {
  return static_cast<double>(c.exposed_waits);
}

double at_barriers(const InstructionInfo& info, const InstructionCounters& c) {
  return is_block_barrier(info) ? static_cast<double>(c.warp_executions) : 0;
}

using enum Side;
using C = InstructionCounters;

struct Row {
  FigureInfo info;
  Part numerator = nullptr;    ///< null: of a time, which no instruction has
  Part denominator = nullptr;  ///< null: a plain sum
  Id without = Id::none;       ///< what the launch lacks where the denominator is 0
};

constexpr Row kRows[] = {
    {{"ratio", "", Id::figure_ratio}},
    {{"best_ratio", "", Id::figure_best_ratio}},
    {{"time_us", "us", Id::figure_time}},
    {{"copy_us", "us", Id::figure_copy_time}},
    {{"best_copy_us", "us", Id::figure_best_copy_time}},
    {{"driver_copy_us", "us", Id::figure_driver_copy_time}},
    {{"bandwidth_gbps", "GB/s", Id::figure_bandwidth}},
    {{"share_of_peak", "", Id::figure_share_of_peak}},
    {{"global_load_sectors", "sectors", Id::figure_global_load_sectors},
     sum<loads, &C::global_sectors>},
    {{"global_store_sectors", "sectors", Id::figure_global_store_sectors},
     sum<stores, &C::global_sectors>},
    {{"load_sectors_per_request", "sectors", Id::figure_load_sectors},
     sum<loads, &C::global_sectors>,
     sum<loads, &C::global_requests>,
     Id::figure_without_global_loads},
    {{"store_sectors_per_request", "sectors", Id::figure_store_sectors},
     sum<stores, &C::global_sectors>,
     sum<stores, &C::global_requests>,
     Id::figure_without_global_stores},
    {{"excess_global_sectors", "sectors", Id::figure_excess_sectors},
     beyond<both, &C::global_sectors, &C::global_sectors_ideal>},
    {{"excess_global_load_sectors", "sectors", Id::figure_excess_load_sectors},
     beyond<loads, &C::global_sectors, &C::global_sectors_ideal>},
    {{"excess_global_store_sectors", "sectors", Id::figure_excess_store_sectors},
     beyond<stores, &C::global_sectors, &C::global_sectors_ideal>},
    {{"excess_shared_wavefronts", "wavefronts", Id::figure_excess_wavefronts},
     beyond<both, &C::shared_wavefronts, &C::shared_wavefronts_ideal>},
    {{"excess_shared_load_wavefronts", "wavefronts", Id::figure_excess_load_wavefronts},
     beyond<loads, &C::shared_wavefronts, &C::shared_wavefronts_ideal>},
    {{"excess_shared_store_wavefronts", "wavefronts", Id::figure_excess_store_wavefronts},
     beyond<stores, &C::shared_wavefronts, &C::shared_wavefronts_ideal>},
    {{"shared_wavefronts", "wavefronts", Id::figure_shared_wavefronts},
     sum<both, &C::shared_wavefronts>},
    {{"shared_load_wavefronts_per_request", "wavefronts", Id::figure_load_wavefronts},
     sum<loads, &C::shared_wavefronts>,
     sum<loads, &C::shared_requests>,
     Id::figure_without_shared_loads},
    {{"shared_store_wavefronts_per_request", "wavefronts", Id::figure_store_wavefronts},
     sum<stores, &C::shared_wavefronts>,
     sum<stores, &C::shared_requests>,
     Id::figure_without_shared_stores},
    {{"global_atomics", "atomics", Id::figure_global_atomics}, global_atomics},
    {{"shared_atomics", "atomics", Id::figure_shared_atomics}, shared_atomics},
    {{"barriers", "barriers", Id::figure_barriers}, at_barriers},
    {{"async_copied_bytes", "bytes", Id::figure_async_copied_bytes}, copied_bytes},
    {{"exposed_waits", "waits", Id::figure_exposed_waits}, exposed_waits},
    {{"thread_instructions", "instructions", Id::figure_thread_instructions},
     sum<both, &C::thread_executions>},
};

/// What a GPU alone measures, and no gate may ask for.
constexpr std::string_view kMeasuredOnly[] = {"driver_copy_us", "share_of_peak"};

const Row* find_row(std::string_view id) {
  const auto* const row =
      std::ranges::find(kRows, id, [](const Row& each) { return each.info.id; });
  return row == std::end(kRows) ? nullptr : row;
}

double quotient(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

/// Over all instructions of the launch.
double total(Part part, const observe::LaunchCounters& counters) {
  double sum = 0;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i)
    sum += part(counters.info[i], counters.instructions[i]);
  return sum;
}

Culprit worst_line_of(const Row& row, const observe::LaunchCounters& counters) {
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
    const double part = row.numerator(info, counters.instructions[i]);
    sum.numerator += part;
    if (row.denominator) sum.denominator += row.denominator(info, counters.instructions[i]);
    if (part > sum.most) {
      sum.most = part;
      sum.instruction = info.spelling;
    }
  }
  Culprit worst;
  for (const auto& [where, sum] : lines) {
    const double value = row.denominator ? quotient(sum.numerator, sum.denominator) : sum.numerator;
    if (sum.most > 0 && value > worst.value)
      worst = {
          .where = {where.first, where.second}, .instruction = sum.instruction, .value = value};
  }
  return worst;
}

double at_atomics(const InstructionInfo& info, const InstructionCounters& c) {
  return info.access == AccessKind::atomic ? static_cast<double>(c.warp_executions) : 0;
}

}  // namespace

Figures counter_figures(const observe::LaunchCounters& counters, std::uint64_t useful_bytes) {
  Figures figures = observe::metrics(counters);
  for (const Row& row : kRows) {
    if (!row.numerator) continue;
    const double sum = total(row.numerator, counters);
    figures[std::string(row.info.id)] =
        row.denominator ? quotient(sum, total(row.denominator, counters)) : sum;
  }
  // However little each access wastes by itself: what all of them move beyond what is needed.
  const auto waste = [&](const std::string& figure, double moved, double needed) {
    if (needed > 0 && moved > kMostMoved * needed)
      figures[figure] = std::max(figures[figure], moved - needed);
  };
  waste("excess_shared_wavefronts", total(sum<both, &C::shared_wavefronts>, counters),
        total(filled_wavefronts, counters));
  waste("excess_global_sectors", total(sum<both, &C::global_sectors>, counters),
        static_cast<double>(sectors_of(useful_bytes)));
  return figures;
}

words::Message missing_basis(std::string_view figure, const observe::LaunchCounters& counters) {
  const Row* row = find_row(figure);
  if (!row || !row->denominator || total(row->denominator, counters) > 0) return {};
  return {row->without};
}

const FigureInfo* find_figure(std::string_view id) {
  const Row* row = find_row(id);
  return row ? &row->info : nullptr;
}

bool is_counted(std::string_view id) {
  if (const Row* row = find_row(id)) return row->numerator != nullptr;
  // The names that metrics() gives do not depend on the launch.
  static const observe::Metrics names = observe::metrics({});
  return names.contains(std::string(id));
}

bool is_figure(std::string_view id) {
  return (find_row(id) && std::ranges::count(kMeasuredOnly, id) == 0) || is_counted(id);
}

bool is_block_barrier(const InstructionInfo& info) {
  const std::string_view name = info.spelling;
  return (name.starts_with("bar.") && !name.starts_with("bar.warp")) ||
         name.starts_with("barrier.");
}

Culprit bounding_line(std::string_view time_bound, const observe::LaunchCounters& counters) {
  if (time_bound == "barriers") return worst_line_of({{}, at_barriers}, counters);
  if (time_bound == "atomics") return worst_line_of({{}, at_atomics}, counters);
  return {};
}

Culprit worst_line(std::string_view figure, const observe::LaunchCounters& counters,
                   std::uint64_t useful_bytes) {
  const Row* row = find_row(figure);
  if (!row || !row->numerator) return {};
  Culprit worst = worst_line_of(*row, counters);
  if (figure == "excess_shared_wavefronts" && worst.where.line == 0 &&
      counter_figures(counters).at("excess_shared_wavefronts") > 0)
    return worst_line_of({{}, unfilled_wavefronts}, counters);
  if (figure != "excess_global_sectors" || worst.where.line != 0 || useful_bytes == 0) return worst;
  // No request wastes anything by its own ideal: half empty requests, else the same bytes again.
  if (counter_figures(counters, useful_bytes).at("excess_global_sectors") <= 0) return worst;
  worst = worst_line_of({{}, unfilled_sectors}, counters);
  return worst.where.line != 0 ? worst
                               : worst_line_of({{}, sum<both, &C::global_sectors>}, counters);
}

}  // namespace labkit::grade
