// What makes a launch slow that misses a gate.
#include "grade/slowness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

#include "compile/declarations.h"
#include "compile/small_edits.h"
#include "device/source_findings.h"
#include "grade/figures.h"

namespace labkit::grade {
namespace {

using launch::Cause;
using observe::AccessKind;
using observe::InstructionCounters;
using observe::InstructionInfo;
using words::Id;
using words::Message;
using words::SourceLine;

enum class Group : std::uint8_t { memory, shared, barriers, atomics, instructions, blocks, launch };

constexpr struct {
  std::string_view share;  ///< one of timing::kShareNames
  Group group;
} kGroups[] = {
    {"DRAM", Group::memory},         {"L2", Group::memory},
    {"stores", Group::memory},       {"L1", Group::memory},
    {"latency", Group::memory},      {"shared memory", Group::shared},
    {"barriers", Group::barriers},   {"atomics", Group::atomics},
    {"issue", Group::instructions},  {"instructions", Group::instructions},
    {"block starts", Group::blocks}, {"tail", Group::blocks},
    {"one SM", Group::blocks},       {"launch", Group::launch},
};

/// The counters of one kind of access in a source line.
struct Line {
  SourceLine where;
  bool stores = false;
  double requests = 0, units = 0, ideal = 0;  ///< sectors, or wavefronts of shared memory
  double bytes = 0;                           ///< that lanes ask for in global memory
  double lanes = 0, executions = 0;           ///< over warp instructions
  std::uint8_t serial = 0;  ///< the deepest chain of loads that depend on one another
  double excess() const { return units - ideal; }
  double active() const { return executions > 0 ? lanes / executions : 0; }
};

/// What each line moves in global memory (sectors), or in shared memory (wavefronts).
std::vector<Line> lines_of(const observe::LaunchCounters& counters, bool shared) {
  // Two accesses of one line with different patterns are two rows: their mean would be neither's.
  std::map<std::tuple<std::string, std::uint32_t, bool, std::uint64_t>, Line> lines;
  for (std::size_t i = 0; i < counters.info.size(); ++i) {
    const InstructionInfo& info = counters.info[i];
    const InstructionCounters& c = counters.instructions[i];
    const std::uint64_t requests = shared ? c.shared_requests : c.global_requests;
    if (requests == 0) continue;
    const bool stores = info.access == AccessKind::store;
    const std::uint64_t units = shared ? c.shared_wavefronts : c.global_sectors;
    Line& line = lines[{info.file, info.line, stores, (units + requests - 1) / requests}];
    line.where = {info.file, info.line};
    line.stores = stores;
    line.requests += static_cast<double>(requests);
    line.units += static_cast<double>(units);
    line.ideal += static_cast<double>(shared ? c.shared_wavefronts_ideal : c.global_sectors_ideal);
    line.bytes += static_cast<double>(c.global_bytes);
    line.lanes += static_cast<double>(c.thread_executions);
    line.executions += static_cast<double>(c.warp_executions);
    line.serial = std::max(line.serial, info.serial_loads);
  }
  std::vector<Line> all;
  for (auto& [key, line] : lines) all.push_back(std::move(line));
  return all;
}

/// `measure`: &Line::units or &Line::excess. Null where it is 0 everywhere. Of two alike the one that says where it stands:
/// what two ways through an `if` have in common the compiler puts before it, without a line.
template <typename Measure>
const Line* largest(const std::vector<Line>& lines, Measure measure) {
  const auto found = std::ranges::max_element(lines, {}, [&](const Line& line) {
    return std::pair(std::invoke(measure, line), line.where.line != 0);
  });
  return found != lines.end() && std::invoke(measure, *found) > 0 ? &*found : nullptr;
}

template <typename Measure>
double total(const std::vector<Line>& lines, Measure measure) {
  double sum = 0;
  for (const Line& line : lines) sum += std::invoke(measure, line);
  return sum;
}

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::llround(value)); }

/// Of all that is moved, so much must be in excess for its pattern to be the cause. Below it the time goes elsewhere.
constexpr double kExcessThatMatters = 0.2;
/// Of all requests to memory.
constexpr double kLocalThatMatters = 0.25;
/// Below it a share says nothing of the time.
constexpr double kShareWorthTelling = 0.1;
/// Lanes of 32: fewer is a pattern of its own.
constexpr double kFewLanes = 12;
constexpr std::int64_t kMostWarps = 64;  ///< of an SM
/// As in grade/figures.cpp: an input that is read twice is no waste that a lab is about.
constexpr double kMovedAgain = 2.5;
constexpr double kBytesOfSector = 32;
constexpr std::int64_t kBanks = 32;
/// Bytes of a source; longer ones are not searched for a swizzle.
constexpr std::size_t kMostScanned = 16384;

/// How many there may be of them, only the author of a limit knows.
bool is_number_of(std::string_view figure) {
  return figure == "shared_wavefronts" || figure == "barriers" || figure.ends_with("_atomics");
}

class Finder {
 public:
  explicit Finder(const Slow& launch) : launch_(launch) {}

  std::optional<launch::Diagnosis> find(std::string_view figure) {
    if (launch_.prediction.shares.empty() || is_number_of(figure)) return std::nullopt;
    std::map<Group, double> parts;
    for (const timing::Share& share : launch_.prediction.shares)
      for (const auto& row : kGroups)
        if (row.share == share.name && row.group != Group::launch) parts[row.group] += share.part;
    if (parts.empty()) return std::nullopt;
    if (of_local_memory()) return std::move(made_);
    const auto most = std::ranges::max_element(parts, {}, [](const auto& at) { return at.second; });
    const Group counted = figure.find("wavefronts") != std::string_view::npos ? Group::shared
                          : counts_sectors(figure)                            ? Group::memory
                                                                              : most->first;
    Group group = counted;
    of_group(group);
    if (counted != most->first && !is_specific(made_)) of_group(group = most->first);
    if (parts[group] >= kShareWorthTelling)
      made_.evidence.push_back({group == Group::memory   ? Id::slow_share_memory
                                : group == Group::shared ? Id::slow_share_shared
                                                         : Id::slow_share,
                                {{"percent", whole(100 * parts[group])}}});
    return std::move(made_);
  }

 private:
  void of_group(Group group) {
    switch (group) {
      case Group::memory:
        return of_memory();
      case Group::shared:
        return of_shared();
      case Group::barriers:
        return of_events("barriers", Cause::performance_barriers, Id::slow_barriers,
                         Id::slow_fix_barriers);
      case Group::atomics:
        return of_events("atomics", Cause::performance_atomics, Id::slow_atomics,
                         Id::slow_fix_atomics);
      case Group::instructions:
        return of_instructions();
      default:
        return put(Cause::performance_low_occupancy, {}, {Id::slow_blocks}, Id::slow_fix_blocks);
    }
  }

  /// An array that each thread indexes with what only the run knows: no register can hold it. What is only stored are the
  /// arguments of a printf.
  bool of_local_memory() {
    double local = 0, loads = 0, all = 0, most = 0;
    SourceLine where;
    for (std::size_t i = 0; i < launch_.counters.info.size(); ++i) {
      const InstructionInfo& info = launch_.counters.info[i];
      const InstructionCounters& c = launch_.counters.instructions[i];
      const auto requests = static_cast<double>(c.local_requests);
      local += requests;
      if (info.access == AccessKind::load) loads += requests;
      all += requests + static_cast<double>(c.global_requests + c.shared_requests);
      if (requests > most)
        std::tie(most, where) = std::pair(requests, SourceLine{info.file, info.line});
    }
    if (loads == 0 || local < kLocalThatMatters * all) return false;
    put(Cause::performance_local_memory, where, {Id::slow_local_memory, {{"where", where}}},
        Id::slow_fix_local_memory);
    return true;
  }

  void of_memory() {
    const std::vector<Line> lines = lines_of(launch_.counters, false);
    const double moved = total(lines, &Line::units), excess = total(lines, &Line::excess);
    const double needed = static_cast<double>(launch_.useful_bytes) / kBytesOfSector;
    const Line* busiest = largest(lines, &Line::units);
    // what is moved again costs more than what is moved in vain, which by itself keeps the limit from being met
    const bool is_repeated = needed > 0 && moved - excess > launch_.limit &&
                             moved - excess > kMovedAgain * needed &&
                             (moved - excess) / needed > moved / (moved - excess);
    if (excess >= kExcessThatMatters * moved && !is_repeated)
      if (const Line* line = largest(lines, &Line::excess)) return uncoalesced(*line, lines);
    if (busiest && needed > 0 && moved > kMovedAgain * needed) {
      // fewer requests, each with all lanes, would move no less where lanes ask for the same bytes again
      const double asked = total(lines, &Line::bytes) / kBytesOfSector;
      if (busiest->active() < kFewLanes && asked <= kMovedAgain * needed)
        return idle_lanes(busiest->where, busiest->active());
      return put(Cause::performance_same_bytes_again, busiest->where,
                 {Id::slow_same_bytes_again,
                  {{"moved", whole(moved)}, {"needed", whole(needed)}, {"where", busiest->where}}},
                 Id::slow_fix_keep);
    }
    if (!busiest || share("latency") < share("DRAM") + share("L2") + share("stores") + share("L1"))
      return put(Cause::performance_memory_bound, busiest ? busiest->where : SourceLine{},
                 {Id::slow_memory_bound}, Id::slow_fix_fewer_bytes);
    of_latency(lines, *busiest);
  }

  void uncoalesced(const Line& line, const std::vector<Line>& lines) {
    const bool has_other = std::ranges::any_of(lines, [&](const Line& other) {
      return other.stores != line.stores && 2 * other.ideal >= line.ideal;
    });
    const bool one_sided = std::ranges::none_of(lines, [&](const Line& other) {
      return other.stores != line.stores && other.excess() > 0;
    });
    put(line.stores ? Cause::performance_uncoalesced_store : Cause::performance_uncoalesced_load,
        line.where,
        {line.stores ? Id::slow_uncoalesced_store : Id::slow_uncoalesced_load,
         {{"where", line.where},
          {"sectors", line.units / line.requests},
          {"ideal", line.ideal / line.requests}}},
        line.stores && !lines_of(launch_.counters, true).empty() ? Id::slow_fix_store_in_order
        : !one_sided || !launch_.may_use_shared                  ? Id::slow_fix_coalesce
        : has_other                                              ? Id::slow_fix_coalesce_this_side
        : line.stores                                            ? Id::slow_fix_stage_stores
                                                                 : Id::slow_fix_coalesce);
  }

  void idle_lanes(const SourceLine& where, double active) {
    put(Cause::performance_idle_lanes, where,
        {Id::slow_idle_lanes,
         {{"where", where}, {"lanes", std::max<std::int64_t>(1, whole(active))}}},
        Id::slow_fix_use_all_lanes);
  }

  /// Nothing is wasted and nothing is full: too little is in flight.
  void of_latency(const std::vector<Line>& lines, const Line& busiest) {
    if (busiest.active() < kFewLanes) return idle_lanes(busiest.where, busiest.active());
    const auto& occupancy = launch_.prediction.occupancy;
    const std::int64_t warps = occupancy.warps_per_sm, most = kMostWarps;
    if (2 * warps <= most) {
      std::vector<words::Parameter> parameters = {{"warps", warps}, {"most", most}};
      Id id = Id::slow_occupancy_block, fix = Id::slow_fix_occupancy;
      if (occupancy.limiter == "shared memory") {
        id = Id::slow_occupancy_shared;
        parameters.push_back({"bytes", static_cast<std::int64_t>(launch_.shared_bytes_per_block)});
      } else if (occupancy.limiter == "registers") {
        id = Id::slow_occupancy_registers;
        parameters.push_back({"registers", std::int64_t{launch_.registers_per_thread}});
      } else if (occupancy.limiter == "grid") {
        id = Id::slow_occupancy_grid;
        fix = Id::slow_fix_grid;
      }
      return put(Cause::performance_low_occupancy, {}, {id, std::move(parameters)}, fix);
    }
    for (const Line& line : lines)
      if (line.serial > 1 && !line.stores)
        return put(Cause::performance_serial_loads, line.where,
                   {Id::slow_serial_loads, {{"where", line.where}}}, Id::slow_fix_in_flight);
    put(Cause::performance_low_occupancy, busiest.where,
        {Id::slow_few_in_flight, {{"where", busiest.where}}}, Id::slow_fix_in_flight);
  }

  void of_shared() {
    const std::vector<Line> lines = lines_of(launch_.counters, true);
    const Line* busiest = largest(lines, &Line::units);
    if (!busiest) return of_instructions();
    if (total(lines, &Line::excess) >= kExcessThatMatters * total(lines, &Line::units)) {
      const Line& line = *largest(lines, &Line::excess);
      // each wavefront serves one word of the busiest bank
      const double wavefronts = line.units / line.requests, ideal = line.ideal / line.requests;
      return put(Cause::performance_bank_conflict, line.where,
                 {line.stores ? Id::slow_bank_conflict_store : Id::slow_bank_conflict_load,
                  {{"where", line.where},
                   {"degree", std::clamp<std::int64_t>(whole(wavefronts), 2, 32)},
                   {"wavefronts", wavefronts},
                   {"ideal", ideal}}},
                 Id::slow_fix_pad);
    }
    if (busiest->active() < kFewLanes) return idle_lanes(busiest->where, busiest->active());
    put(Cause::performance_shared_traffic, busiest->where,
        {Id::slow_shared_traffic, {{"where", busiest->where}}}, Id::slow_fix_shared_traffic);
  }

  void of_events(std::string_view bound, Cause cause, Id evidence, Id fix) {
    const Culprit culprit = bounding_line(bound, launch_.counters);
    put(cause, culprit.where,
        {evidence, {{"where", culprit.where}, {"count", whole(culprit.value)}}}, fix);
  }

  void of_instructions() {
    std::map<std::pair<std::string, std::uint32_t>, double> lines;
    double lanes = 0, executions = 0;
    for (std::size_t i = 0; i < launch_.counters.info.size(); ++i) {
      const InstructionInfo& info = launch_.counters.info[i];
      const InstructionCounters& c = launch_.counters.instructions[i];
      lanes += static_cast<double>(c.thread_executions);
      executions += static_cast<double>(c.warp_executions);
      if (info.line != 0) lines[{info.file, info.line}] += static_cast<double>(c.warp_executions);
    }
    SourceLine where;
    double most = 0;
    for (const auto& [key, count] : lines)
      if (count > most) std::tie(most, where) = std::pair(count, SourceLine{key.first, key.second});
    if (executions > 0 && lanes / executions < kFewLanes)
      return idle_lanes(where, lanes / executions);
    put(Cause::performance_issue, where, {Id::slow_issue, {{"where", where}}}, Id::slow_fix_issue);
  }

  double share(std::string_view name) const {
    for (const timing::Share& one : launch_.prediction.shares)
      if (one.name == name) return one.part;
    return 0;
  }

  void put(Cause cause, const SourceLine& where, Message evidence, Id fix) {
    made_.cause = cause;
    made_.where = where;
    made_.evidence = {std::move(evidence)};
    made_.fix = {fix};
  }

  const Slow& launch_;
  launch::Diagnosis made_;
};

}  // namespace

bool counts_sectors(std::string_view figure) {
  return figure.find("sectors") != std::string_view::npos;
}

std::optional<launch::Diagnosis> diagnose_slowness(const Slow& launch, std::string_view figure) {
  return Finder(launch).find(figure);
}

Message fix_of_conflict(const std::string& source, const std::string& kernel,
                        const launch::Diagnosis& slow) {
  const std::uint32_t line = slow.where.line;
  const std::string array = device::shared_array_on(source, line);
  if (array.empty()) return slow.fix;
  const words::Parameter name = {"array", array};
  const auto number = [&](const char* of) {
    return std::get<double>(*slow.evidence.front().find(of));
  };
  const std::int64_t banks = std::clamp<std::int64_t>(
      std::llround(kBanks * number("ideal") / number("wavefronts")), 1, kBanks);
  if (source.size() <= kMostScanned &&
      compile::is_swizzled(compile::Tokens(source, compile::Tokens::Keep::code), kernel, line))
    return {Id::slow_fix_swizzle, {name, {"banks", banks}}};
  bool is_padded = false, has_rows = true;  // the last declaration before the line counts
  for (const compile::DeclaredArray& declared : compile::shared_arrays_of(source))
    if (declared.name == array && declared.line <= line && !declared.extents.empty()) {
      is_padded = std::popcount(declared.extents.back()) > 1;
      has_rows = declared.extents.size() > 1;
    }
  if (!is_padded && !has_rows) return {Id::slow_fix_neighbouring_words, {name}};
  if (is_padded) return {Id::slow_fix_padding, {name, {"banks", banks}}};
  return {Id::slow_fix_pad_array, {name}};
}

bool is_specific(const launch::Diagnosis& slow) {
  using enum Cause;
  switch (slow.cause) {
    case performance_memory_bound:
    case performance_issue:
    case performance_shared_traffic:
      return false;
    case performance_low_occupancy:  // but for what limits the warps of an SM
      return slow.evidence.front().id != Id::slow_few_in_flight &&
             slow.evidence.front().id != Id::slow_blocks;
    default:
      return true;
  }
}

}  // namespace labkit::grade
