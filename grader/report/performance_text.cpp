#include "report/performance_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "explain/comparison.h"
#include "explain/line_costs.h"
#include "explain/words.h"
#include "grade/slowness.h"

namespace labkit::report {
namespace {

using explain::number;

constexpr std::size_t kMostLines = 5;  ///< beside a verdict

std::string place_text(const launch::SourceLine& where) {
  return where.line == 0 ? "(no line)" : fmt::format("{}:{}", printable(where.file), where.line);
}

}  // namespace

const observe::InstructionSamples* access_at_fault(const grade::TestResult& test) {
  if (!test.detail || !test.detail->samples) return nullptr;
  const grade::LaunchDetail& detail = *test.detail;
  const observe::InstructionSamples* found = nullptr;
  if (test.slow && grade::is_specific(*test.slow))
    for (const observe::InstructionSamples& each : detail.samples->instructions)
      if (detail.counters.info[each.instruction].line == test.slow->where.line &&
          (!found || each.worst.excess() > found->worst.excess()))
        found = &each;
  if (found) return found;
  for (const grade::GateResult& gate : test.gates) {
    if (gate.passed || gate.culprit.where.line == 0) continue;
    const bool shared = gate.figure.find("shared") != std::string::npos ||
                        gate.figure.find("wavefront") != std::string::npos;
    const bool loads = gate.figure.find("load") != std::string::npos;
    const bool stores = gate.figure.find("store") != std::string::npos;
    if (const auto* worst =
            explain::worst_of_line(detail.counters, *detail.samples, gate.culprit.where,
                                   shared ? explain::Memory::shared : explain::Memory::global,
                                   loads    ? explain::Accesses::loads
                                   : stores ? explain::Accesses::stores
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
  const auto any = [&](auto value) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const explain::LineCost& line) { return value(line) > 0; });
  };
  const bool global = any([](const auto& line) { return line.global_sectors; });
  const bool shared = any([](const auto& line) { return line.shared_wavefronts; });
  const bool local = any([](const auto& line) { return line.local_sectors; });
  std::vector<std::vector<std::string>> rows(1, {"line"});
  std::vector<bool> right = {false};
  std::vector<std::string> names;
  const auto column = [&](const std::string& title) {
    rows[0].push_back(title);
    right.push_back(true);
  };
  if (global) {
    column("global sectors");
    column("excess");
    names.emplace_back("sectors: memory_l2_theoretical_sectors_global; excess: over its _ideal");
  }
  if (shared) {
    column("shared wavefronts");
    column("bank conflicts");
    names.emplace_back("wavefronts: memory_l1_wavefronts_shared; conflicts: over its _ideal");
  }
  if (local) {
    column("local sectors");
    names.emplace_back("local: l1tex__t_sectors_pipe_lsu_mem_local.sum");
  }
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
    const explain::LineCost& line = lines[i];
    std::vector<std::string> row = {place_text(line.where)};
    if (global) {
      row.push_back(number(line.global_sectors));
      row.push_back(number(line.excess_sectors()));
    }
    if (shared) {
      row.push_back(number(line.shared_wavefronts));
      row.push_back(number(line.bank_conflicts()));
    }
    if (local) row.push_back(number(line.local_sectors));
    rows.push_back(std::move(row));
  }
  std::string text = table(rows, right), out;
  for (const std::string& name : names) text += style.dim(name) + "\n";
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
    spelling += instruction.is_store ? ", the store" : ", the load";
  const std::string head = fmt::format("{}, {}: ", place_text({info.file, info.line}), spelling);
  const std::string which =
      instruction.accesses == 1
          ? fmt::format("block {}, warp {}", worst.block, worst.warp)
          : fmt::format("the worst of {} (block {}, warp {})",
                        number(static_cast<double>(instruction.accesses)), worst.block, worst.warp);
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
  const std::string figures = lines_text(explain::tell_comparison(test), style, indent);
  if (!figures.empty()) text += (text.empty() ? "" : "\n") + figures;
  return text.empty() ? text : "\n" + text;
}

}  // namespace labkit::report
