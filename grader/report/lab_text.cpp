#include <fmt/format.h>

#include <algorithm>

#include "base/command_name.h"
#include "base/text.h"
#include "explain/sanitizer_words.h"
#include "explain/words.h"
#include "report/performance_text.h"
#include "report/printed_text.h"
#include "report/text.h"

namespace labkit::report {
namespace {

using explain::number;

std::string points(double got, double most) {
  return fmt::format("{} of {} points", number(got), number(most));
}

/// Wrapped at `columns`, unless a line has its own indent (code, a log) or `columns` is 0.
std::string indented(const std::vector<std::string>& lines, std::string_view by,
                     std::size_t columns = 0) {
  std::string out;
  for (const std::string& line : lines)
    if (line.empty())
      out += "\n";
    else if (columns == 0 || line.starts_with(' '))
      out += fmt::format("{}{}\n", by, line);
    else
      out += wrapped(line, columns, by);
  return out;
}

/// What held, for a test that passed: "ratio 0.91 (at least 0.40)".
std::string gates_in_short(const lab::TestResult& test) {
  std::string text;
  for (const lab::GateResult& gate : test.gates)
    text +=
        fmt::format("{} {} {} ({} {})", text.empty() ? ":" : ",", gate.figure, number(gate.value),
                    gate.is_minimum ? "at least" : "at most", number(gate.threshold));
  return text;
}

std::string printed_text(const lab::TestResult& test) {
  return test.printed.empty() ? "" : "  The kernel printed:\n" + printed_lines(test.printed, 10);
}

/// Of a lab's tests the first that printed: the others mostly print the same.
std::string first_printed(const std::string& label, const lab::LabResult& result) {
  for (const lab::TestResult& test : result.tests)
    if (!test.printed.empty())
      return fmt::format("{} {}: the kernel printed:\n", label, test.name) +
             printed_lines(test.printed, 5);
  return {};
}

/// What is no fault today: shown, and costs nothing.
std::string warnings_text(const lab::TestResult& test) {
  std::string text;
  for (const launch::Finding& finding : test.findings) {
    if (finding.severity != launch::Severity::warning) continue;
    std::vector<std::string> lines;
    for (const std::string_view line : explain::finding_lines(finding))
      lines.push_back(printable(line));
    text += "  Warning, which costs no points:\n" + indented(lines, "    ");
  }
  return text;
}

std::string measured_text(const lab::TestResult& test) {
  if (!test.measured) return {};
  std::vector<std::string> lines = explain::tell_measured(*test.measured);
  for (std::string& line : lines) line = printable(line);
  return indented(lines, "  ");
}

/// The ratio to the copy of the same shape; "" for a test that is held against the best copy only.
std::string ratio_text(const lab::TestResult& test) {
  if (test.measured)
    return test.measured->ratio ? fmt::format("{:.2f}", test.measured->ratio->value) : "";
  const auto at = test.figures.find("ratio");
  return at == test.figures.end() ? "" : fmt::format("{:.2f}", at->second);
}

/// What a GPU measured where it did, else what was counted or predicted.
double figure(const lab::TestResult& test, const std::string& name) {
  if (test.measured) {
    if (name == "best_ratio") return test.measured->best_ratio->value;
    const auto at = test.measured->figures.find(name);
    if (at != test.measured->figures.end()) return at->second;
  }
  const auto at = test.figures.find(name);
  return at == test.figures.end() ? 0 : at->second;
}

std::string points_cell(double got, double most, double undecided) {
  std::string cell = fmt::format("{}/{}", number(got), number(most));
  if (undecided > 0) cell += fmt::format(" ({} not decided)", number(undecided));
  return cell;
}

std::string ratio_cell(const lab::LabResult& result) {
  std::string cell;
  for (const lab::TestResult& test : result.tests)
    if (!test.figures.empty())
      cell += (cell.empty() ? "" : " ") + (ratio_text(test).empty()
                                               ? fmt::format("{:.2f}", figure(test, "best_ratio"))
                                               : ratio_text(test));
  return cell.empty() ? "-" : cell;
}

/// The one that hints and pages begin with first, then the others as lab.toml has them.
std::vector<const lab::TestResult*> in_order_of_telling(const lab::LabResult& result) {
  std::vector<const lab::TestResult*> tests;
  const lab::TestResult* const first = lab::first_to_tell(result.tests);
  if (first != nullptr) tests.push_back(first);
  for (const lab::TestResult& test : result.tests)
    if (&test != first) tests.push_back(&test);
  return tests;
}

/// A few lines for each failure; what an earlier test of the file has told already is not told again.
std::string failures_text(const GradedFile& file, const Style& style) {
  std::string text;
  std::vector<std::string> told;  // by lines of the source: tests differ in addresses
  for (const lab::TestResult* const one : in_order_of_telling(file.result)) {
    const lab::TestResult& test = *one;
    if (test.verdict.passed() || test.verdict.neutral()) continue;
    const std::string head =
        fmt::format("{} {}: {}: ", file.label, test.name,
                    style.bold(test.decided() ? test.verdict.text() : "INCONCLUSIVE"));
    const launch::Finding* const error = explain::first_error(test.findings);
    const std::string key =
        error && error->where.line != 0
            ? fmt::format("{} {}:{} {}", launch::name_of(error->kind), error->where.file,
                          error->where.line, error->other.line)
            : "";
    if (!key.empty() && std::find(told.begin(), told.end(), key) != told.end()) {
      text +=
          head + fmt::format("the same ({}:{})\n", printable(error->where.file), error->where.line);
      continue;
    }
    told.push_back(key);
    if (test.verdict.kind == "wrong_result" && !test.mismatches.empty() && !test.launch.empty()) {
      const std::string which = "wrong_result of " + test.kernel;
      if (std::find(told.begin(), told.end(), which) != told.end()) {
        text += head + fmt::format("{} ({})\n",
                                   printable(explain::tell_element(test.mismatches.front())),
                                   printable(explain::tell_launch(test.launch.front())));
        continue;
      }
      told.push_back(which);
    }
    std::vector<std::string> lines = explain::tell_test_in_short(test);
    for (std::string& line : lines) line = printable(line);
    if (style.columns != 0) {
      text += head.substr(0, head.size() - 2) + "\n";
    } else {
      text += head + lines.front() + "\n";
      lines.erase(lines.begin());
    }
    text += indented(lines, "  ", style.columns);
  }
  return text;
}

/// One line for each warning of a test that passed: `labkit grade` has no room for more.
std::string passed_with_warnings(const GradedFile& file, const Style& style) {
  std::string text;
  std::vector<std::string> told;
  for (const lab::TestResult& test : file.result.tests) {
    if (!test.verdict.passed()) continue;
    for (const launch::Finding& finding : test.findings) {
      if (finding.severity != launch::Severity::warning) continue;
      const std::string where =
          finding.where.line == 0 ? ""
                                  : fmt::format(" ({}:{})", finding.where.file, finding.where.line);
      const std::string key = std::string(launch::name_of(finding.kind)) + where;
      if (std::find(told.begin(), told.end(), key) != told.end()) continue;
      told.push_back(key);
      text += fmt::format(
          "{} {}: passed, with a {}: {}{}; `{} explain {}{}` has the rest\n", file.label, test.name,
          style.bold("warning"), launch::name_of(finding.kind), printable(where), command_name(),
          file.result.lab, file.file.empty() ? "" : " --file " + printable(file.file));
    }
  }
  return text;
}

}  // namespace

std::string test_text(const std::string& lab, const lab::TestResult& test, const Style& style) {
  const std::string head = fmt::format("{} {}", lab, test.name);
  if (test.verdict.passed())
    return fmt::format("{}  {}, {}{}\n", style.good("pass"), head,
                       points(test.points, test.max_points), gates_in_short(test)) +
           warnings_text(test) + measured_text(test) + printed_text(test);
  if (test.verdict.kind == "not_attempted")
    return fmt::format("skipped  {}: {} It is optional, for {} bonus points.\n", head, test.message,
                       number(test.max_points));
  if (!test.decided()) {
    std::vector<std::string> why = explain::tell_test(test);
    for (std::string& line : why) line = printable(line);
    return fmt::format("{}  {}, {} points not decided\n", style.bad("INCONCLUSIVE"), head,
                       number(test.max_points)) +
           indented(why, "  ") + measured_text(test) + printed_text(test) +
           performance_text(test, style, "  ");
  }
  // What is optional fails nothing.
  const std::string mark = test.bonus ? style.dim("no bonus") : style.bad("FAIL");
  std::string text =
      fmt::format("{}  {}, {}: {}\n", mark, head, points(test.points, test.max_points),
                  style.bold(test.verdict.text()));
  std::vector<std::string> lines = explain::tell_test(test);
  for (std::string& line : lines) line = printable(line);
  return text + indented(lines, "  ", style.columns) + warnings_text(test) + measured_text(test) +
         printed_text(test) + performance_text(test, style, "  ");
}

std::string ready_text(const lab::LabResult& result, const Style& style) {
  std::string notes;
  for (const std::string& note : result.notes) notes += "  Note: " + printable(note) + "\n";
  if (!result.device_note.empty()) notes += "  Note: " + printable(result.device_note) + "\n";
  if (result.verdict.passed() || result.message.empty())
    return fmt::format("{}  {} compiles ({})\n", style.good("ok"), printable(result.file),
                       result.compiler) +
           notes;
  std::vector<std::string> lines = explain::tell_lab(result);
  for (std::string& line : lines) line = printable(line);
  return fmt::format("{}  {}: {}\n", style.bad("FAIL"), result.lab,
                     style.bold(result.verdict.text())) +
         indented(lines, "  ") + notes;
}

std::string figures_text(const std::vector<lab::TestResult>& tests, const Style& style,
                         std::size_t at_least) {
  std::vector<std::vector<std::string>> rows = {
      {"graded launch", "time", "GB/s", "of copy", "of best copy", "sectors/request", "excess",
       "excess"},
      {"", "us", "", "", "", "load  store", "sectors", "wavefronts"}};
  bool predicted = false;
  std::string measured_on;
  for (const lab::TestResult& test : tests) {
    if (test.figures.empty()) continue;
    predicted |= test.time_is_predicted && !test.measured;
    if (test.measured) measured_on = test.measured->gpu;
    rows.push_back({test.name, fmt::format("{:.1f}", figure(test, "time_us")),
                    fmt::format("{:.0f}", figure(test, "bandwidth_gbps")), ratio_text(test),
                    fmt::format("{:.2f}", figure(test, "best_ratio")),
                    fmt::format("{:.1f}  {:5.1f}", figure(test, "load_sectors_per_request"),
                                figure(test, "store_sectors_per_request")),
                    number(figure(test, "excess_global_sectors")),
                    number(figure(test, "excess_shared_wavefronts"))});
  }
  if (rows.size() - 2 < std::max<std::size_t>(at_least, 1)) return {};
  std::string text = table(rows, {false, true, true, true, true, true, true, true});
  if (predicted) text += style.dim("times are predicted") + "\n";
  if (!measured_on.empty())
    text += style.dim("times are measured on " + printable(measured_on) +
                      "; sectors and wavefronts are the simulator's, at its sizes") +
            "\n";
  return text;
}

std::string details_text(const GradedFile& file, const Style& style, bool alone) {
  const lab::LabResult& result = file.result;
  if (!result.message.empty() && !result.verdict.passed()) {
    std::vector<std::string> lines = explain::tell_lab(result);
    for (std::string& line : lines) line = printable(line);
    return fmt::format("{}: {}\n", file.label, style.bold(explain::verdict_words(result))) +
           indented(lines, "  ");
  }
  std::string text = failures_text(file, style) + passed_with_warnings(file, style);
  // One lab has room for pictures; of many, the lines above must do.
  if (alone)
    for (const lab::TestResult& test : result.tests)
      if (const std::string why = performance_text(test, style, "  "); !why.empty())
        text += fmt::format("\n{}\n", style.bold(file.label + " " + test.name)) + why.substr(1);
  return text + first_printed(file.label, result);
}

std::string devices_text(const lab::LabResult& result, const Style& style) {
  std::string text = style.dim(printable(result.device)) + "\n";
  if (!result.measured_on.empty())
    text += style.dim(fmt::format("ratios are measured on {} (driver {}); counters are the "
                                  "simulator's",
                                  printable(result.measured_on), printable(result.gpu_driver))) +
            "\n";
  if (!result.device_note.empty()) text += "Note: " + printable(result.device_note) + "\n";
  return text;
}

std::string grade_text(const std::vector<GradedFile>& files, const Style& style) {
  std::vector<std::vector<std::string>> rows = {
      {"lab", "verdict", "points", "bonus", "of the copy", "what"}};
  std::string below;
  double got = 0, most = 0;
  for (const GradedFile& file : files) {
    const lab::LabResult& result = file.result;
    got += result.points;
    most += result.max_points;
    const std::string verdict = explain::verdict_words(result);
    rows.push_back({file.label, result.verdict.passed() ? style.good(verdict) : style.bad(verdict),
                    points_cell(result.points, result.max_points, result.undecided),
                    result.max_bonus > 0
                        ? "+" + points_cell(result.bonus, result.max_bonus, result.undecided_bonus)
                        : "-",
                    ratio_cell(result), result.title});
    below += details_text(file, style, files.size() == 1);
  }
  if (files.size() > 1)
    rows.push_back({"", "", fmt::format("{}/{}", number(got), number(most)), "", "", ""});
  std::string text = table(rows, {false, false, true, true, false, false});
  if (!below.empty()) text += "\n" + below;
  if (!files.empty()) text += "\n" + devices_text(files.front().result, style);
  return text;
}

}  // namespace labkit::report
