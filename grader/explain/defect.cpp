#include "explain/defect.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "explain/told_cause.h"
#include "explain/words.h"
#include "grade/result.h"
#include "grade/slowness.h"
#include "launch/cause.h"

namespace labkit::explain {

namespace {

using launch::Cause;

std::uint64_t scalar_of(const grade::TestResult& test, const std::string& name) {
  if (!test.launch.empty())
    for (const auto& [key, value] : test.launch.front().scalars)
      if (key == name) return std::strtoull(value.c_str(), nullptr, 10);
  return ~std::uint64_t{0};
}

/// The first byte after the end of what lies nearest.
bool is_just_past(const launch::Finding& finding) {
  return std::ranges::any_of(finding.evidence, [](const auto& message) {
    const words::Value* bytes = message.find("bytes");
    return (message.id == words::Id::bounds_after ||
            message.id == words::Id::bounds_after_memory) &&
           *bytes == words::count(1);
  });
}

std::string bounds_id(const launch::Finding& finding, const grade::TestResult& test,
                      const ExtentsOf& extents) {
  const bool before = static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
  if (!finding.array.name.empty() && before) return "out_of_bounds.negative_index";
  if (finding.space == "shared") return "out_of_bounds.shared";
  constexpr std::uint32_t kWidestElement = 8;  // bytes
  if (finding.access_bytes > kWidestElement) return "out_of_bounds.vector";
  const launch::Dim3 block = block_size_of(test);
  const auto at = extents.find(test.kernel);
  const Extents known = at == extents.end() ? Extents{} : at->second;
  const std::uint64_t x = std::uint64_t{finding.block.x} * block.x + finding.thread.x,
                      y = std::uint64_t{finding.block.y} * block.y + finding.thread.y;
  if (test.right_where == "square") return "out_of_bounds.wrong_index";
  // along one dimension a comparison that lets one too many through does so with one lane; without any the whole rest of
  // a warp goes on
  const bool just_past = is_just_past(finding);
  if (just_past && block.y == 1 && std::has_single_bit(finding.lanes))
    return "out_of_bounds.one_past";
  if (x >= scalar_of(test, known.x) || y >= scalar_of(test, known.y)) return "out_of_bounds.tail";
  if (just_past && finding.lanes == 0) return "out_of_bounds.one_past";
  return known.x.empty() ? "out_of_bounds.tail" : "out_of_bounds.wrong_index";
}

/// The elements that are right are those of one block of several, from the first on.
bool only_first_block(const grade::Mismatch& m, const grade::TestResult& test) {
  if (test.launch.empty() || m.never_written_count != m.wrong || m.wrong == m.total) return false;
  const auto grid = launch::parse_dim3(test.launch.front().grid).value_or(launch::Dim3{});
  const launch::Dim3 block = block_size_of(test);
  const std::uint64_t right = m.total - m.wrong, edge = m.row == 0 ? m.col : m.row;
  const std::uint64_t threads = grid.count() * block.count(),
                      each = (m.total + threads - 1) / threads;  // elements
  // Where a thread has a row of its own, the last block may have so few that `each` says little.
  const bool rows_of_block = m.row == block.x && m.col == 0 && right == m.row * m.cols;
  return grid.count() > 1 && right * grid.count() >= m.total &&
         (right <= block.count() * each || rows_of_block) && (edge == block.x || edge == block.y);
}

/// Of a vector that the threads of a grid share out along x: how many threads there are; 0 where it is not so.
std::uint64_t threads_for(const grade::Mismatch& m, const grade::TestResult& test) {
  if (!m.is_vector || test.launch.empty()) return 0;
  const grade::LaunchText& launch = test.launch.front();
  const bool is_size = std::ranges::any_of(
      launch.scalars,
      [size = std::to_string(m.total)](const auto& scalar) { return scalar.second == size; });
  const auto grid = launch::parse_dim3(launch.grid).value_or(launch::Dim3{});
  const launch::Dim3 block = block_size_of(test);
  if (!is_size || grid.x != grid.count() || block.x != block.count()) return 0;
  return grid.count() * block.count();
}

/// Of `size` rows (or columns) those that are stored where blocks of `own` threads begin `step` apart.
std::uint64_t covered(std::uint64_t size, std::uint64_t own, std::uint64_t step) {
  return size / step * own + std::min(size % step, own);
}

/// Blocks are as far apart in one dimension as they are long in the other: blockIdx.y * blockDim.x.
bool is_other_block_dimension(const grade::Mismatch& m, const grade::TestResult& test) {
  const launch::Dim3 block = block_size_of(test);
  const std::uint64_t right = m.total - m.wrong;
  const auto gap = [&](std::uint64_t at, std::uint64_t size, std::uint64_t other) {
    for (const auto& [own, step] : {std::pair(block.x, block.y), std::pair(block.y, block.x)})
      if (own < step && at == own && right == covered(size, own, step) * other) return true;
    return false;
  };
  return !m.is_vector && block.y > 1 &&
         ((m.row == 0 && gap(m.col, m.cols, m.rows)) || (m.col == 0 && gap(m.row, m.rows, m.cols)));
}

/// Elements that nobody wrote, by which they are; "" where that says nothing more.
std::string unwritten_id(const grade::Mismatch& m, const grade::TestResult& test) {
  const std::uint64_t threads = threads_for(m, test), written = m.total - m.wrong;
  constexpr std::uint64_t kFew = 2;  // of so few elements nothing can be told
  if (threads != 0 && m.total > kFew && written > 0) {
    if (m.col == 1 && block_size_of(test).x > 1) return "wrong_result.threads_not_adjacent";
    if (m.col == threads && written > threads) return "wrong_result.loop_step";
  }
  if (is_other_block_dimension(m, test)) return "wrong_result.other_block_dimension";
  if (!m.is_vector && m.rows > 1 && m.wrong < m.total) {
    if (m.row == 0 && m.col > 0 && m.wrong == m.rows * (m.cols - m.col))
      return "wrong_result.row_ends";
    if (m.row > 0 && m.col == 0 && m.wrong == (m.rows - m.row) * m.cols)
      return "wrong_result.last_rows";
  }
  const bool is_tail = m.row * m.cols + m.col + m.wrong == m.total && m.wrong < m.total;
  if (!is_tail) return "wrong_result.never_written";
  return threads >= m.total ? "wrong_result.guard" : "wrong_result.tail";
}

/// "out[32][0]" -> (32, 0).
std::optional<std::pair<std::uint64_t, std::uint64_t>> place_of(const std::string& element) {
  const auto first = element.find('['), second = element.find("][");
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  return std::pair(std::strtoull(element.c_str() + first + 1, nullptr, 10),
                   std::strtoull(element.c_str() + second + 2, nullptr, 10));
}

/// What belongs to the block on the other side of the diagonal, at the very same place inside it.
bool is_block_turned(const grade::Mismatch& m, const grade::TestResult& test) {
  const auto owner = place_of(m.belongs_to);
  const std::uint64_t edge = block_size_of(test).x;
  if (!owner || edge < 2) return false;
  const auto [row, col] = *owner;
  return m.row / edge != m.col / edge && m.row / edge == col / edge && m.col / edge == row / edge &&
         m.row % edge == row % edge && m.col % edge == col % edge;
}

std::string mismatch_id(const grade::Mismatch& m, const grade::TestResult& test) {
  if (!test.input_written.empty()) return "wrong_result.input_written";
  if (m.constant) return "wrong_result.constant";
  const bool all_missing = m.never_written_count == m.wrong;
  if (test.right_where == "square")
    return all_missing ? "wrong_result.square_missing" : "wrong_result.square";
  // what fills no whole piece is fewer elements than there are threads
  const std::uint64_t threads = threads_for(m, test);
  const bool is_rest = !all_missing || threads == 0 || m.wrong < threads || m.wrong == m.total;
  if (!test.right_where.empty() && is_rest) return "wrong_result.multiples";
  if (only_first_block(m, test)) return "wrong_result.first_block";
  if (all_missing) return unwritten_id(m, test);
  if (m.belongs_to.empty() && grade::right_digits(m) != 0) return "wrong_result.digits";
  if (is_block_turned(m, test)) return "wrong_result.blocks_exchanged";
  if (!m.belongs_to.empty()) return "wrong_result.other_element";
  if (!m.unread || m.unread.id == words::Id::unread_array) return "wrong_result.value";
  return m.unread.id == words::Id::unread_sum || m.unread.id == words::Id::unread_sums
             ? "wrong_result.unread_shared"
             : "wrong_result.unread_input";
}

std::string idle_id(const device::IdleStatement& idle) {
  const words::Id what = idle.what.id;
  if (what == words::Id::idle_rounding || what == words::Id::idle_float)
    return "wrong_result.digits";
  return std::string(
      launch::id_of(what == words::Id::idle_parameter_order ? Cause::source_parameter_order
                    : what == words::Id::idle_left_early    ? Cause::barrier_after_early_return
                                                            : Cause::source_no_effect));
}

/// Of found_cause(); "" of what is not decided or has a limit's id.
std::string found_id(const grade::TestResult& test, const ExtentsOf& extents) {
  using enum ToldBy;
  const ToldCause found = found_cause(test);
  switch (found.by) {
    case slip:
      return idle_id(test.idle.front());
    case finding:
      return finding_id(*found.finding, test, extents);
    case warning:
      return found.finding == doubled_elements(test) ? "race.same_element"
                                                     : finding_id(*found.finding, test, extents);
    case verdict:
    case unreached:
    case unread:
    case mismatch:
      return test.verdict.kind == "wrong_result" ? wrong_result_id(test) : test.verdict.kind;
    default:
      return {};
  }
}

/// A warning, for it is not known whether that line was executed; of a wrong result it is the likely cause.
const launch::Finding* unset_variable(const grade::TestResult& test) {
  for (const launch::Finding& finding : test.findings)
    if (finding.kind == launch::FindingKind::uninitialized && finding.space == "local")
      return &finding;
  return nullptr;
}

}  // namespace

std::string finding_id(const launch::Finding& finding, const grade::TestResult& test,
                       const ExtentsOf& extents) {
  if (finding.cause != Cause::none) return std::string(launch::id_of(finding.cause));
  if (finding.kind == launch::FindingKind::out_of_bounds) return bounds_id(finding, test, extents);
  return std::string(name_of(finding.kind));
}

std::string cause_id(const grade::TestResult& test) {
  if (found_cause(test).by != ToldBy::gate) return found_id(test, {});
  return test.slow && grade::is_specific(*test.slow) ? std::string(launch::id_of(test.slow->cause))
                                                     : "gate." + test.verdict.gate;
}

const launch::Finding* doubled_elements(const grade::TestResult& test) {
  const bool some_missing = std::ranges::any_of(test.mismatches, [](const grade::Mismatch& m) {
    return m.wrong != 0 && m.never_written_count == m.wrong && m.wrong < m.total;
  });
  if (!some_missing || first_error(test) != nullptr) return nullptr;
  for (const launch::Finding& finding : test.findings)
    if (finding.kind == launch::FindingKind::race && finding.space == "global" &&
        launch::has_evidence(finding, words::Id::race_repeated_work))
      return &finding;
  return nullptr;
}

std::string_view missed_gate_id(const grade::GateResult& gate, const grade::TestResult& test) {
  if (gate.passed || gate.missing) return {};
  if (gate.figure == "ratio" || gate.figure == "best_ratio")
    return test.time_bound == "barriers"  ? "gate.barriers"
           : test.time_bound == "atomics" ? "gate.atomics"
                                          : "";
  constexpr double kFullRequest = 4;  // sectors: 32 lanes with 4 bytes each, side by side
  const auto figure = [&](const char* name) { return figure_of(test.figures, name, -1); };
  const bool is_moved_again = gate.figure == "excess_global_sectors" &&
                              figure("excess_global_load_sectors") == 0 &&
                              figure("excess_global_store_sectors") == 0 &&
                              figure("load_sectors_per_request") >= kFullRequest &&
                              figure("store_sectors_per_request") >= kFullRequest;
  return is_moved_again ? "gate.moved_again" : "";
}

std::string wrong_result_id(const grade::TestResult& test) {
  return test.mismatches.empty() ? "wrong_result" : mismatch_id(test.mismatches.front(), test);
}

bool misses_some(const grade::TestResult& test) {
  constexpr std::string_view kInPart[] = {
      "row_ends",      "last_rows",           "tail", "guard", "loop_step",
      "never_written", "threads_not_adjacent"};
  if (test.verdict.kind != "wrong_result" || test.mismatches.empty() ||
      !test.mismatches.front().unreached)
    return false;
  const std::string id = wrong_result_id(test);
  return std::ranges::count(kInPart, std::string_view(id).substr(id.find('.') + 1)) != 0;
}

const launch::Finding* likely_cause(const grade::TestResult& test) {
  if (test.verdict.kind != "wrong_result" || first_error(test) != nullptr) return nullptr;
  if (const auto* unset = unset_variable(test)) return unset;
  if (const auto* doubled = doubled_elements(test)) return doubled;
  // who has left, or does another's work, makes nothing wrong that others store: most is missing then
  const bool most_missing = std::ranges::any_of(test.mismatches, [](const grade::Mismatch& m) {
    return m.never_written_count != 0 && 2 * m.never_written_count >= m.wrong;
  });
  for (const launch::Finding& finding : test.findings) {
    const bool leaves_out = finding.cause == Cause::barrier_after_early_return ||
                            launch::has_evidence(finding, words::Id::race_repeated_work);
    if (!leaves_out || most_missing) return &finding;
  }
  return nullptr;
}

bool is_no_source(const grade::LabResult& result) {
  return result.verdict.kind == "compile_error" && result.compile_log.empty() &&
         result.where.line == 0;
}

std::optional<Defect> first_defect(const grade::LabResult& result, const ExtentsOf& extents) {
  Defect defect;
  defect.test = grade::first_to_tell(result.tests);
  if (result.verdict.passed() && !defect.test) {
    const auto empty = std::ranges::find_if(result.tests, [](const grade::TestResult& test) {
      return test.verdict.kind == "not_attempted";
    });
    if (empty == result.tests.end()) return std::nullopt;
    defect.test = &*empty;
  }
  const grade::Verdict& verdict = defect.test ? defect.test->verdict : result.verdict;
  if (verdict.inconclusive() || verdict.kind == "not_run") return std::nullopt;
  defect.id = verdict.kind;
  if (is_no_source(result)) defect.id = "compile_error.no_source";
  if (is_slip_of_meaning(result)) defect.id = "compile_error.meaning";
  if (!defect.test) return defect;
  const grade::TestResult& test = *defect.test;
  defect.finding = first_error(test);
  if (!test.mismatches.empty()) defect.mismatch = &test.mismatches.front();
  if (verdict.kind == "gate") {
    const auto gate = std::ranges::find(test.gates, verdict.gate, &grade::GateResult::name);
    defect.id = "gate." + verdict.gate;
    if (gate != test.gates.end()) {
      defect.gate = &*gate;
      defect.figure_id = "gate." + gate->figure;
      if (const std::string_view id = missed_gate_id(*gate, test); !id.empty()) {
        defect.id = id;
        defect.figure_id.clear();
      }
    }
  } else if (const ToldCause found = found_cause(test); found.by != ToldBy::nothing) {
    defect.id = found_id(test, extents);
    if (found.by == ToldBy::slip) defect.idle = &test.idle.front();
    if (found.finding) defect.finding = found.finding;
  }
  return defect;
}

bool is_defect_id(std::string_view id) {
  constexpr std::string_view kOwn[] = {
#define DEFECT(own) own,
#include "explain/defects.def"
#undef DEFECT
  };
  return id.starts_with("gate.") || launch::cause_from_id(id).has_value() ||
         std::ranges::count(kOwn, id) != 0 || std::ranges::count(grade::verdict_kinds(), id) != 0;
}

}  // namespace labkit::explain
