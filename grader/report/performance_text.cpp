#include "report/performance_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "explain/line_costs.h"
#include "explain/words.h"
#include "grade/slowness.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::number;
using words::Id;

constexpr std::size_t kMostLines = 5;  ///< beside a verdict

struct Column {
  Id title;
  double (*of)(const explain::LineCost&);
};
/// Shown where a line has any of the first, with what they are called elsewhere.
struct Columns {
  Id names;
  Column first, second;
};
constexpr Columns kColumns[] = {
    {Id::metrics_of_sectors,
     {Id::column_global_sectors, [](const explain::LineCost& line) { return line.global_sectors; }},
     {Id::column_excess, [](const explain::LineCost& line) { return line.excess_sectors(); }}},
    {Id::metrics_of_wavefronts,
     {Id::column_shared_wavefronts,
      [](const explain::LineCost& line) { return line.shared_wavefronts; }},
     {Id::column_bank_conflicts,
      [](const explain::LineCost& line) { return line.bank_conflicts(); }}},
    {Id::metrics_of_local,
     {Id::column_local_sectors, [](const explain::LineCost& line) { return line.local_sectors; }},
     {}},
};

/// Whether the access is of the kind that the diagnosis is about.
bool is_about(const launch::Diagnosis& slow, const observe::InstructionSamples& one) {
  constexpr struct {
    Id what;
    bool shared, store;
  } kKinds[] = {{Id::slow_uncoalesced_load, false, false},
                {Id::slow_uncoalesced_store, false, true},
                {Id::slow_bank_conflict_load, true, false},
                {Id::slow_bank_conflict_store, true, true}};
  if (!slow.evidence.empty() && slow.evidence.front().id == Id::slow_same_bytes_again)
    return one.space == ptx::Space::global;
  for (const auto& kind : kKinds)
    if (!slow.evidence.empty() && slow.evidence.front().id == kind.what)
      return kind.shared == (one.space == ptx::Space::shared) &&
             (one.is_atomic || one.is_store == kind.store);
  return true;
}

std::string place_text(const launch::SourceLine& where) {
  return where.line == 0 ? words::text(Id::without_line)
                         : fmt::format("{}:{}", printable(where.file), where.line);
}

}  // namespace

const observe::InstructionSamples* access_at_fault(const grade::TestResult& test) {
  if (!test.detail || !test.detail->samples) return nullptr;
  const grade::LaunchDetail& detail = *test.detail;
  const observe::InstructionSamples* found = nullptr;
  if (test.slow && grade::is_specific(*test.slow))
    for (const observe::InstructionSamples& each : detail.samples->instructions)
      if (detail.counters.info[each.instruction].line == test.slow->where.line &&
          is_about(*test.slow, each) && (!found || each.worst.excess() > found->worst.excess()))
        found = &each;
  if (found) return found->worst.excess() > 0 ? found : nullptr;  // of a right access no picture
  for (const grade::GateResult& gate : test.gates) {
    if (gate.passed || gate.culprit.where.line == 0) continue;
    const auto is_of = [&](const char* what) {
      return gate.figure.find(what) != std::string::npos;
    };
    if (const auto* worst =
            explain::worst_of_line(detail.counters, *detail.samples, gate.culprit.where,
                                   is_of("shared") || is_of("wavefront") ? explain::Memory::shared
                                                                         : explain::Memory::global,
                                   is_of("load")    ? explain::Accesses::loads
                                   : is_of("store") ? explain::Accesses::stores
                                                    : explain::Accesses::any))
      return worst;
  }
  const auto* worst = explain::worst_of_launch(detail.counters, *detail.samples);
  return worst && worst->worst.excess() > 0 ? worst : nullptr;
}

std::string line_costs_text(const observe::LaunchCounters& counters, const Style& style,
                            std::string_view indent, std::size_t most, bool only_waste) {
  std::vector<explain::LineCost> lines = explain::line_costs(counters);
  if (only_waste)
    std::erase_if(lines, [](const explain::LineCost& line) {
      return line.excess_sectors() + line.bank_conflicts() + line.local_sectors == 0;
    });
  if (lines.empty()) return {};
  std::vector<std::vector<std::string>> rows(1, {words::text(Id::column_line)});
  for (std::size_t i = 0; i < lines.size() && i < most; ++i)
    rows.push_back({place_text(lines[i].where)});
  std::string names;
  for (const Columns& group : kColumns) {
    if (std::ranges::none_of(lines, [&](const auto& line) { return group.first.of(line) > 0; }))
      continue;
    names += style.dim(words::text(group.names)) + "\n";
    for (const Column& column : {group.first, group.second}) {
      if (column.of == nullptr) continue;
      rows[0].push_back(words::text(column.title));
      for (std::size_t i = 1; i < rows.size(); ++i)
        rows[i].push_back(number(column.of(lines[i - 1])));
    }
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = false;
  std::string text = table(rows, right);
  const auto lines_of_table = split_lines(text);
  if (style.columns != 0 && std::ranges::any_of(lines_of_table, [&](std::string_view line) {
        return indent.size() + width(line) > style.columns;
      })) {  // a file's long name: the line's number says enough
    for (std::size_t i = 1; i < rows.size(); ++i)
      rows[i][0] = fmt::format("{}", lines[i - 1].where.line);
    text = table(rows, right);
  }
  text += names;
  std::string out;
  for (const std::string_view line : split_lines(text)) out += fmt::format("{}{}\n", indent, line);
  return out;
}

std::string worst_access_text(const observe::LaunchCounters& counters,
                              const observe::AccessSamples& samples,
                              const observe::InstructionSamples& instruction, const Style& style,
                              std::string_view indent) {
  const observe::InstructionInfo& info = counters.info[instruction.instruction];
  const observe::WarpAccess& worst = instruction.worst;
  std::string spelling = printable(info.spelling);
  if (spelling.starts_with("cp.async"))  // which is two accesses
    spelling = words::text(instruction.is_store ? Id::access_the_store : Id::access_the_load,
                           {{"access", spelling}});
  const std::string head = fmt::format("{}, {}: ", place_text({info.file, info.line}), spelling);
  const std::string which =
      words::text(instruction.accesses == 1 ? Id::access_of_warp : Id::access_worst,
                  {{"accesses", number(static_cast<double>(instruction.accesses))},
                   {"block", fmt::format("{}", worst.block)},
                   {"warp", fmt::format("{}", worst.warp)}});
  return fmt::format("{}{}{}\n", indent, style.bold(head), which) +
         lane_picture_text(explain::picture_of(instruction, worst, samples.ranges, info.spelling),
                           style, indent);
}

std::string performance_text(const grade::TestResult& test, const Style& style,
                             std::string_view indent) {
  if (test.verdict.kind != "gate" && !test.verdict.inconclusive()) return {};
  std::string text;
  if (test.detail) {
    text += line_costs_text(test.detail->counters, style, indent, kMostLines, true);
    if (const auto* culprit = access_at_fault(test)) {
      if (!text.empty()) text += "\n";
      text +=
          worst_access_text(test.detail->counters, *test.detail->samples, *culprit, style, indent);
    }
  }
  if (const auto figures = explain::tell_comparison(test); !figures.empty())
    text += (text.empty() ? "" : "\n") + lines_text(figures, style, indent);
  return text.empty() ? text : "\n" + text;
}

}  // namespace labkit::report
