// Results of labs on a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "compile/diagnostics.h"
#include "explain/told_cause.h"
#include "explain/words.h"
#include "report/performance_text.h"
#include "report/source_marks.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::number;
using words::Id;

std::string points(double got, double most) {
  return words::text(Id::points_of, {{"points", number(got)}, {"most", number(most)}});
}

std::string note_text(const std::string& note) {
  return words::text(Id::lead_note, {{"note", note}});
}

std::string printed_text(const grade::TestResult& test) {
  if (test.printed.empty()) return {};
  return "  " + words::text(Id::kernel_printed) + "\n" + printed_lines(test.printed, 10);
}

/// What is no fault today: shown, and costs nothing.
std::string warnings_text(const grade::TestResult& test, const Style& style) {
  std::string text;
  for (const launch::Finding& finding : test.findings)
    if (finding.severity == launch::Severity::warning)
      text += "  " + words::text(Id::warning_is_free) + "\n" +
              lines_text(explain::finding_lines(finding), style, "    ");
  return text;
}

std::string measured_text(const grade::TestResult& test, const Style& style) {
  return test.measured ? lines_text(explain::tell_measured(*test.measured), style, "  ") : "";
}

/// The cause, the lines of the source that it is about, the picture, and what follows.
std::string explained_text(const std::vector<std::string>& lines,
                           const std::vector<explain::LineAtFault>& at_fault,
                           const std::string& source, const Style& style,
                           const std::string& picture = {}) {
  if (lines.empty()) return {};
  const std::string rest = lines_text({lines.begin() + 1, lines.end()}, style, "  ");
  return lines_text({lines.front()}, style, "  ") + source_lines(source, at_fault, style, "  ") +
         (at_fault.empty() ? rest + picture : picture + rest);
}

/// Lines that a repair shows as they are and as they must be need no quotation before it.
std::vector<explain::LineAtFault> lines_to_quote(const grade::TestResult& test) {
  std::vector<explain::LineAtFault> lines = explain::lines_at_fault(test);
  const bool is_shown =
      test.repair &&
      (!test.repair->why.empty() ||
       (explain::first_error(test.findings) == nullptr && test.verdict.kind == "wrong_result"));
  if (is_shown && (test.verdict.kind != "gate" || explain::tells_why(test))) lines.clear();
  return lines;
}

std::string test_in_short(const grade::TestResult& test, const std::string& source,
                          const Style& style) {
  return explained_text(explain::tell_test_in_short(test), lines_to_quote(test), source, style);
}

/// The ratio to the copy of the same shape; "" for a test that is held against the best copy only.
std::string ratio_text(const grade::TestResult& test) {
  if (test.measured ? !test.measured->ratio : !test.figures.contains("ratio")) return "";
  return fmt::format("{:.2f}",
                     test.measured ? test.measured->ratio->value : test.figures.at("ratio"));
}

/// What a GPU measured where it did, else what was counted or predicted.
double figure(const grade::TestResult& test, const std::string& name) {
  const double figure = explain::figure_of(test.figures, name);
  if (!test.measured) return figure;
  return name == "best_ratio" ? test.measured->best_ratio->value
                              : explain::figure_of(test.measured->figures, name, figure);
}

std::string points_cell(double got, double most, double undecided) {
  const std::string cell = fmt::format("{}/{}", number(got), number(most));
  if (undecided <= 0) return cell;
  return words::text(Id::points_undecided, {{"points", cell}, {"undecided", number(undecided)}});
}

std::string ratio_cell(const grade::LabResult& result) {
  std::vector<std::string> ratios;
  for (const grade::TestResult& test : result.tests) {
    if (test.figures.empty()) continue;
    const std::string ratio = ratio_text(test);
    ratios.push_back(ratio.empty() ? fmt::format("{:.2f}", figure(test, "best_ratio")) : ratio);
  }
  return ratios.empty() ? "-" : joined(ratios, " ");
}

/// The one that hints and pages begin with first, then the others as lab.toml has them.
std::vector<const grade::TestResult*> by_importance(const grade::LabResult& result) {
  std::vector<const grade::TestResult*> tests;
  const grade::TestResult* const first = grade::first_to_tell(result.tests);
  if (first != nullptr) tests.push_back(first);
  for (const grade::TestResult& test : result.tests)
    if (&test != first) tests.push_back(&test);
  return tests;
}

/// Of what never came to run.
std::string unbuilt_text(const grade::LabResult& result, const Style& style) {
  std::vector<explain::LineAtFault> at_fault;
  if (result.verdict.kind != "untouched") at_fault.push_back({result.where.line, ""});
  return explained_text(explain::tell_lab(result), at_fault, result.source, style);
}

std::string changed_lines(const grade::Repair& repair) {
  std::string changes;
  for (const grade::ChangedLine& one : repair.lines)
    changes += fmt::format("{} {}\n", one.line, one.after);
  return changes;
}

/// Of this kernel a result is wrong: what limits it misses is another question once that is right.
bool is_wrong(const grade::LabResult& result, const std::string& kernel) {
  return std::ranges::any_of(result.tests, [&](const grade::TestResult& test) {
    return test.kernel == kernel && !test.verdict.passed() && !test.verdict.neutral() &&
           !test.verdict.inconclusive() && test.verdict.kind != "gate";
  });
}

/// A few lines for each failure; what an earlier test of the file has said already is not said again.
std::string failures_text(const GradedFile& file, const Style& style) {
  std::string text;
  std::set<std::string> known;  // by lines of the source: tests differ in addresses
  std::vector<std::string> untouched;
  for (const grade::TestResult* const each : by_importance(file.result)) {
    const grade::TestResult& test = *each;
    if (test.verdict.passed() || test.verdict.neutral()) continue;
    if (test.verdict.kind == "untouched") {
      if (std::ranges::count(untouched, test.kernel) == 0) untouched.push_back(test.kernel);
      continue;
    }
    const std::string head =
        fmt::format("{} {}: {}", file.label, test.name,
                    style.bold(test.decided() ? explain::verdict_words(test)
                                              : words::text(Id::mark_inconclusive)));
    if (test.verdict.kind == "gate" && is_wrong(file.result, test.kernel)) {
      text += head + "\n" + lines_text({explain::short_reason(test)}, style, "  ");
      continue;
    }
    if (test.repair && !known.insert("repair " + changed_lines(*test.repair)).second) {
      text += head + "\n" + lines_text({words::text(Id::repair_as_above)}, style, "  ");
      continue;
    }
    const launch::Finding* const error = explain::first_error(test.findings);
    if (error && error->where.line != 0 &&
        !known
             .insert(fmt::format("{} {}:{} {}", launch::name_of(error->kind), error->where.file,
                                 error->where.line, error->other.line))
             .second) {
      const std::string again = words::text(
          Id::as_above,
          {{"place", fmt::format("{}:{}", printable(error->where.file), error->where.line)}});
      const std::string plain =
          fmt::format("{} {}: {}, {}", file.label, test.name, explain::verdict_words(test), again);
      const bool fits = style.columns == 0 || width(plain) <= style.columns;
      text += head + (fits ? ", " : "\n  ") + again + "\n";
      continue;
    }
    const bool is_first = known.insert("wrong kernel " + test.kernel).second;
    if (!is_first && test.verdict.kind == "wrong_result" && !test.mismatches.empty() &&
        !test.launch.empty()) {
      text += head + "\n" +
              lines_text({fmt::format("{} ({})", explain::tell_element(test.mismatches.front()),
                                      explain::tell_launch(test.launch.front()))},
                         style, "  ");
      continue;
    }
    text += head + "\n" + test_in_short(test, file.result.source, style);
  }
  if (!untouched.empty())
    text +=
        fmt::format("{}: {}\n", file.label, style.bold(words::text(Id::verdict_untouched))) +
        lines_text({words::text(Id::not_filled_in, {{"kernels", joined(untouched)}})}, style, "  ");
  return text;
}

/// One line for each warning of a test that passed: `labkit grade` has no room for more.
std::string passed_with_warnings(const GradedFile& file, const Style& style) {
  std::string text;
  std::set<std::string> known;
  for (const grade::TestResult& test : file.result.tests) {
    if (!test.verdict.passed()) continue;
    for (const launch::Finding& finding : test.findings) {
      if (finding.severity != launch::Severity::warning) continue;
      const std::string place = explain::file_and_line(finding.where);
      const std::string where = place.empty() ? "" : " (" + place + ")";
      if (!known.insert(std::string(launch::name_of(finding.kind)) + where).second) continue;
      text +=
          lines_text({words::text(Id::passed_with_warning,
                                  {{"test", file.label + " " + test.name},
                                   {"warning", std::string(words::row_of(fmt::format(
                                                   "verdict_{}", launch::name_of(finding.kind)))) +
                                                   where}})},
                     style, "");
      const std::string plain = explain::finding_in_words(finding, explain::block_size_of(test));
      text += lines_text({plain.empty() ? explain::first_words(finding) : plain}, style, "  ");
    }
  }
  return text;
}

/// The first that printed: the others mostly print the same.
std::string first_printed_text(const GradedFile& file) {
  for (const grade::TestResult& test : file.result.tests)
    if (!test.printed.empty())
      return words::text(Id::test_printed, {{"test", file.label + " " + test.name}}) + "\n" +
             printed_lines(test.printed, 5);
  return {};
}

}  // namespace

std::string test_text(const grade::LabResult& result, const grade::TestResult& test,
                      const Style& style) {
  const std::string head = fmt::format("{} {}", result.lab, test.name);
  if (test.verdict.kind == "not_attempted")
    return lines_text({words::text(Id::mark_skipped) + "  " +
                       words::text(Id::optional_test, {{"test", head},
                                                       {"why", words::render(test.message)},
                                                       {"points", number(test.max_points)}})},
                      style, "");
  const std::string below = measured_text(test, style) + printed_text(test);
  if (test.verdict.passed()) {
    std::vector<std::string> held;
    for (const grade::GateResult& gate : test.gates) held.push_back(explain::limit_text(gate));
    return fmt::format("{}  {}, {}\n", style.good(words::text(Id::mark_pass)), head,
                       points(test.points, test.max_points)) +
           lines_text(held, style, "  ") + warnings_text(test, style) + below;
  }
  if (!test.decided())
    return fmt::format("{}  {}, {}\n", style.bad(words::text(Id::mark_inconclusive)), head,
                       words::text(Id::points_not_decided, {{"points", number(test.max_points)}})) +
           lines_text(explain::tell_test(test), style, "  ") + below +
           performance_text(test, style, "  ");
  // What is optional fails nothing.
  const std::string mark = test.bonus ? style.dim(words::text(Id::mark_no_bonus))
                                      : style.bad(words::text(Id::mark_fail));
  return fmt::format("{}  {}, {}: {}\n", mark, head, points(test.points, test.max_points),
                     style.bold(explain::verdict_words(test))) +
         explained_text(explain::tell_test(test), lines_to_quote(test), result.source, style) +
         warnings_text(test, style) + below + performance_text(test, style, "  ");
}

std::string ready_text(const grade::LabResult& result, const Style& style) {
  std::vector<std::string> notes;
  for (const std::string& note : explain::message_lines(result.notes))
    notes.push_back(note_text(note));
  if (!result.device_note.empty()) notes.push_back(note_text(result.device_note));
  const bool ready = result.verdict.passed() || result.message.empty();
  return (ready ? fmt::format("{}  {}\n", style.good(words::text(Id::mark_ok)),
                              words::text(Id::file_compiles, {{"file", printable(result.file)},
                                                              {"compiler", result.compiler}}))
                : fmt::format("{}  {}: {}\n", style.bad(words::text(Id::mark_fail)), result.lab,
                              style.bold(explain::verdict_words(result))) +
                      unbuilt_text(result, style)) +
         lines_text(notes, style, "  ");
}

std::string figures_text(const std::vector<grade::TestResult>& tests, const Style& style,
                         std::size_t at_least) {
  const auto column = [](Id id) { return words::text(id); };
  std::vector<std::vector<std::string>> rows = {
      {column(Id::column_graded_launch), column(Id::column_time), "GB/s",
       column(Id::column_of_copy), column(Id::column_of_best_copy),
       column(Id::column_sectors_per_request), column(Id::column_excess),
       column(Id::column_excess)},
      {"", "us", "", "", "", column(Id::column_load) + "  " + column(Id::column_store),
       column(Id::column_sectors), column(Id::column_wavefronts)}};
  bool predicted = false;
  std::string measured_on;
  for (const grade::TestResult& test : tests) {
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
  if (predicted) text += style.dim(words::text(Id::times_predicted)) + "\n";
  if (!measured_on.empty())
    text += style.dim(words::text(Id::times_measured, {{"gpu", printable(measured_on)}})) + "\n";
  return text;
}

std::string details_text(const GradedFile& file, const Style& style, bool alone) {
  const grade::LabResult& result = file.result;
  if (!result.message.empty() && !result.verdict.passed())
    return fmt::format("{}: {}\n", file.label, style.bold(explain::verdict_words(result))) +
           unbuilt_text(result, style);
  std::string text = failures_text(file, style) + passed_with_warnings(file, style);
  // One lab has room for pictures; of many, the lines above must do.
  std::set<std::string> repaired;  // what one change is for is pictured once
  for (const grade::TestResult& test : result.tests) {
    if (!alone || is_wrong(result, test.kernel) ||
        (test.repair && !repaired.insert(changed_lines(*test.repair)).second))
      continue;
    if (const std::string why = performance_text(test, style, "  "); !why.empty())
      text += fmt::format("\n{}\n", style.bold(file.label + " " + test.name)) + why.substr(1);
  }
  return text + first_printed_text(file);
}

std::string first_failure_text(const grade::LabResult& result, const Style& style) {
  if (!result.message.empty() && !result.verdict.passed()) return unbuilt_text(result, style);
  const grade::TestResult* const test = grade::first_to_tell(result.tests);
  return test ? test_in_short(*test, result.source, style) : "";
}

std::string pictured_failure_text(const grade::LabResult& result, const Style& style,
                                  bool with_picture) {
  if (!result.message.empty() && !result.verdict.passed()) return unbuilt_text(result, style);
  const grade::TestResult* const test = grade::first_to_tell(result.tests);
  const std::string printed = first_printed_text({result.lab, result});
  if (!test) return printed;
  return fmt::format("{}: {}\n", test->name, style.bold(explain::verdict_words(*test))) +
         explained_text(explain::tell_test_in_short(*test), lines_to_quote(*test), result.source,
                        style, with_picture ? short_picture_text(*test, style, "  ") : "") +
         printed;
}

std::string warnings_text(const grade::LabResult& result, const Style& style) {
  constexpr std::size_t kMostWarnings = 3;
  const std::string file = graded_file_name(result);
  std::vector<std::string> lines;
  for (const compile::Diagnostic& one : compile::diagnostics_of(result.compile_log)) {
    std::string line =
        words::text(Id::warning_at_line, {{"line", std::to_string(one.line)}, {"text", one.text}});
    if (!one.is_error && one.file == file && std::ranges::find(lines, line) == lines.end())
      lines.push_back(std::move(line));
  }
  if (const std::size_t count = lines.size(); count > kMostWarnings) {
    lines.resize(kMostWarnings);
    lines.push_back(
        words::text(Id::warnings_more, {{"count", std::to_string(count - kMostWarnings)}}));
  }
  return passed_with_warnings({result.lab, result}, style) + lines_text(lines, style, "");
}

std::string devices_text(const grade::LabResult& result, const Style& style) {
  std::string text = lines_text({explain::device_words(result.device, result.gpu)}, style, "");
  if (!result.measured_on.empty())
    text += lines_text({words::text(Id::ratios_measured,
                                    {{"gpu", result.measured_on}, {"driver", result.gpu_driver}})},
                       style, "");
  if (!result.device_note.empty()) text += lines_text({note_text(result.device_note)}, style, "");
  return text;
}

std::string grade_text(const std::vector<GradedFile>& files, const Style& style) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Id id : {Id::column_lab, Id::column_verdict, Id::column_points, Id::column_bonus,
                      Id::column_of_the_copy, Id::column_what})
    rows[0].push_back(words::text(id));
  std::string below;
  double got = 0, most = 0;
  for (const GradedFile& file : files) {
    const grade::LabResult& result = file.result;
    got += result.points;
    most += result.max_points;
    const std::string verdict = explain::verdict_words(result);
    rows.push_back({file.label, result.verdict.passed() ? style.good(verdict) : style.bad(verdict),
                    points_cell(result.points, result.max_points, result.undecided),
                    result.max_bonus > 0
                        ? "+" + points_cell(result.bonus, result.max_bonus, result.undecided_bonus)
                        : "-",
                    ratio_cell(result), words::translated(result.title)});
    below += details_text(file, style, files.size() == 1);
  }
  if (files.size() > 1)
    rows.push_back({"", "", fmt::format("{}/{}", number(got), number(most)), "", "", ""});
  std::string text = table(rows, {false, false, true, true, false, false}, style.columns);
  if (!below.empty()) text += "\n" + below;
  if (!files.empty()) text += "\n" + devices_text(files.front().result, style);
  return text;
}

}  // namespace labkit::report
