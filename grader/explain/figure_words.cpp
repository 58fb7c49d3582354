// Figures and what sets a launch's time, in words.
#include <fmt/format.h>

#include <cmath>

#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {

namespace {

/// What a kernel that misses a limit of a figure is. Of what is not listed: over a limit.
constexpr struct {
  std::string_view figure, missed;
} kMissed[] = {
    {"ratio", "too slow"},
    {"best_ratio", "too slow"},
    {"time_us", "too slow"},
    {"bandwidth_gbps", "too slow"},
    {"load_sectors_per_request", "too much traffic"},
    {"store_sectors_per_request", "too much traffic"},
    {"shared_load_wavefronts_per_request", "bank conflicts"},
    {"shared_store_wavefronts_per_request", "bank conflicts"},
    {"excess_global_sectors", "too much traffic"},
    {"excess_global_load_sectors", "too much traffic"},
    {"excess_global_store_sectors", "too much traffic"},
    {"global_load_sectors", "too much traffic"},
    {"global_store_sectors", "too much traffic"},
    {"excess_shared_wavefronts", "bank conflicts"},
    {"excess_shared_load_wavefronts", "bank conflicts"},
    {"excess_shared_store_wavefronts", "bank conflicts"},
    {"thread_instructions", "too many instructions"},
};

std::string with_commas(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}
}  // namespace

std::string_view title_of(std::string_view figure) {
  const grade::FigureInfo* info = grade::find_figure(figure);
  return info ? words::english_of(info->title) : figure;
}

std::string number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::fabs(value) >= 1000 || value == std::floor(value)) {
    const std::string digits = fmt::format("{:.0f}", std::fabs(value));
    return (value < 0 ? "-" : "") + with_commas(digits);
  }
  if (std::fabs(value) >= 100) return fmt::format("{:.1f}", value);
  if (std::fabs(value) >= 0.01) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

std::string interval_text(const grade::Interval& interval) {
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", interval.value, interval.low, interval.high);
}

std::vector<std::string> tell_measured(const grade::Measurement& m) {
  const auto figure = [&](const char* name) {
    const auto at = m.figures.find(name);
    return at == m.figures.end() ? 0 : at->second;
  };
  std::string line = fmt::format("measured on {}: {} GB/s in {:.1f} us", m.gpu,
                                 number(std::round(figure("bandwidth_gbps"))), figure("time_us"));
  if (figure("share_of_peak") > 0)
    line += fmt::format(", {:.0f}% of the memory's peak", 100 * figure("share_of_peak"));
  if (m.ratio) line += fmt::format("; {} of the copy", interval_text(*m.ratio));
  if (m.best_ratio) line += fmt::format("; {} of the best copy", interval_text(*m.best_ratio));
  std::string size;
  for (const auto& [name, value] : m.size)
    size += fmt::format("{}{} = {}", size.empty() ? "" : ", ", name, value);
  line += fmt::format("; {} samples at {}", m.samples, size);
  std::vector<std::string> lines = {line};
  if (m.conditions.disturbed > 0 || m.conditions.waited_seconds >= 1)
    lines.push_back(fmt::format("  {} disturbed rounds were left out, after {:.0f} s of waiting",
                                m.conditions.disturbed, m.conditions.waited_seconds));
  if (m.undecided) lines.push_back("  it decides nothing: " + words::render(m.undecided));
  if (m.information) lines.push_back("  " + words::render(m.information));
  return lines;
}

std::string_view missed_words(std::string_view figure) {
  for (const auto& row : kMissed)
    if (row.figure == figure) return row.missed;
  return "over a limit";
}

std::string limit_text(const grade::GateResult& gate) {
  if (gate.missing) return words::render(gate.missing);
  std::string value = number(gate.value), limit = number(gate.threshold);
  if (!gate.passed && value == limit) {  // 0.698 against 0.70 must not read as 0.70 against 0.70
    value = fmt::format("{:.6g}", gate.value);
    limit = fmt::format("{:.6g}", gate.threshold);
  }
  if (gate.measured) value = "measured " + interval_text(gate.interval);
  const std::string_view of = gate.figure == "ratio"        ? "of the copy's speed"
                              : gate.figure == "best_ratio" ? "of the best copy's speed"
                                                            : title_of(gate.figure);
  return gate.is_minimum ? fmt::format("{} {}, {} needed", value, of, limit)
                         : fmt::format("{} {}, at most {} allowed", value, of, limit);
}

std::vector<std::string> tell_gate(const grade::GateResult& gate) {
  const std::string points =
      gate.max_points > 0
          ? fmt::format(" ({} of {} points)", number(gate.points), number(gate.max_points))
          : "";
  std::vector<std::string> lines = {limit_text(gate) + points};
  if (gate.passed) return lines;
  if (gate.undecided) {
    lines.push_back("  Not decided: " + words::render(gate.undecided));
    return lines;
  }
  const std::string where = file_and_line(gate.culprit.where);
  if (!where.empty() && !gate.culprit.instruction.empty()) {
    const std::string value = number(gate.culprit.value);
    lines.push_back(fmt::format(
        "  at {} ({}): {}", where, gate.culprit.instruction,
        grade::is_counted(gate.figure) ? value : fmt::format("warps reach it {} times", value)));
  }
  if (!gate.reason.empty()) lines.push_back("  Why: " + gate.reason);
  if (!gate.next.empty()) lines.push_back("  Next: " + gate.next);
  return lines;
}

namespace {

constexpr struct {
  std::string_view name, words, advice;
} kShares[] = {
    {"DRAM", "moving the bytes between memory and L2",
     "The memory's bandwidth limits this kernel: only fewer bytes make it faster."},
    {"L2", "handing sectors from L2 to the SMs",
     "L2 hands out sectors all the time: fetch each once, by whole lines, and keep it in shared "
     "memory or registers."},
    {"stores", "taking in stores: one slot a line, and one for each sector of it",
     "The path of the stores takes most of the time here: let a warp's lanes store to neighbouring "
     "addresses, where they do not yet."},
    {"L1", "passing global accesses through L1",
     "L1 passes accesses all the time: let a warp's lanes read neighbouring addresses, or each "
     "thread read more at once."},
    {"shared memory", "passes over the banks of shared memory",
     "Shared memory passes accesses all the time: fewer of them, or fewer bank conflicts, make "
     "this kernel faster."},
    {"issue", "issuing instructions, by all warps together",
     "The schedulers issue instructions all the time: fewer instructions a byte make this kernel "
     "faster."},
    {"latency", "waiting for memory, with too few bytes in flight to fill the wait",
     "Bytes in flight limit this kernel, not coalescing: let each thread load more before it needs "
     "the first, or more warps be "
     "resident."},
    {"instructions", "a warp's own instructions, one after another",
     "A warp's own instructions take longest: more warps, or work that does not depend on what "
     "came just before, fill the gaps."},
    {"barriers", "what barriers cost beside waiting for the last warp",
     "Barriers limit this kernel: fewer of them, or smaller blocks, cost less."},
    {"block starts", "handing blocks out to the SMs",
     "Starting blocks limits this kernel: let each block do more."},
    {"tail", "SMs and block slots that stand empty, at the end or since the grid is small",
     "SMs stand empty: more blocks than fit at once, and many times as many, keep them busy."},
    {"one SM", "the busiest block, which one SM has to do alone",
     "One block does much more than the others: spread its work."},
    {"atomics", "atomics on the same line, one after another",
     "Atomics on one address wait for each other: add up in a warp or block first."},
    {"launch", "what even an empty kernel takes", ""},
};

}  // namespace

std::string_view words_of_share(std::string_view name) {
  for (const auto& share : kShares)
    if (share.name == name) return share.words;
  return {};
}

std::string shares_text(const timing::Prediction& prediction) {
  std::string text;
  int told = 0;
  for (const timing::Share& share : prediction.shares)
    if (share.part >= 0.05 && told++ < 4)
      text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", share.name, 100 * share.part);
  return text;
}

std::string_view advice_of(const timing::Prediction& prediction) {
  if (prediction.shares.empty()) return {};
  for (const auto& share : kShares)
    if (share.name == prediction.shares.front().name) return share.advice;
  return {};
}

std::string registers_text(const device::Registers& registers) {
  if (!registers.by.empty())
    return fmt::format(
        "{} registers a thread{} ({})", registers.per_thread,
        registers.spilled_bytes
            ? fmt::format(" and {} bytes spilled to local memory", registers.spilled_bytes)
            : "",
        registers.by);
  std::string text = fmt::format("about {} registers a thread, estimated", registers.per_thread);
  if (registers.estimate_capped) text += ", and taken for as many as let a block of this size run";
  if (!registers.why_estimated.empty()) text += ": " + registers.why_estimated;
  return text;
}

}  // namespace labkit::explain
