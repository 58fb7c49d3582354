#include "report/explain_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "explain/words.h"
#include "report/explain_page.h"
#include "report/source_marks.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;
using words::Id;

ExplainView view_of(const grade::LabResult& result) {
  ExplainView view;
  view.file = graded_file_name(result);
  view.source = result.source;
  view.marks = line_marks(result);
  view.places = places_of(view.file, view.source);
  const grade::TestResult* const leading = grade::first_to_tell(result.tests);
  if (leading && leading->verdict.kind != "gate")
    set_fault(view, leading->findings, explain::block_size_of(*leading));
  if (view.fault && !leading->idle.empty()) view.fault->finding.fix = {};  // theirs is another one
  if (leading && !view.fault && leading->verdict.kind == "wrong_result" &&
      !leading->mismatches.empty()) {
    view.mismatch = leading->mismatches.front();
    erase_slow_marks(view);
  }
  for (const grade::TestResult& test : result.tests) {
    view.findings.insert(view.findings.end(), test.findings.begin(), test.findings.end());
    if (!test.detail) continue;
    LaunchView launch{.name = test.name, .detail = test.detail, .test = &test};
    if (!test.launch.empty()) {
      launch.words = explain::tell_launch(test.launch.front());
      launch.grid = launch::parse_dim3(test.launch.front().grid).value_or(launch::Dim3{});
      launch.block = explain::block_size_of(test);
    }
    if (&test == leading) view.first = view.launches.size();
    view.launches.push_back(std::move(launch));
  }
  if (leading && !leading->verdict.passed() && !leading->detail && !view.launches.empty()) {
    view.without_figures = leading->name;
    const auto same = std::ranges::find_if(view.launches, [&](const LaunchView& launch) {
      return launch.test->kernel == leading->kernel;
    });
    if (same != view.launches.end())
      view.first = static_cast<std::size_t>(same - view.launches.begin());
  }
  if (leading && leading->detail && leading->detail->is_stopped()) view.stopped = leading->name;
  return view;
}

constexpr std::size_t kMostQuoted = 200;  ///< bytes of a line

/// Those lines of the source, each leading to its place in the listing.
Markup quoted_lines(const ExplainView& view, const std::vector<explain::LineAtFault>& lines) {
  const auto all = split_lines(view.source);
  Markup out;
  for (const explain::LineAtFault& each : lines)
    if (each.line != 0 && each.line <= all.size())
      out += tag("p", "quoted",
                 html::linked(words::text(Id::one_line, {{"line", std::to_string(each.line)}}),
                              view.places),
                 " ", element("code", {}, trim(all[each.line - 1]).substr(0, kMostQuoted)));
  return out;
}

/// The first thing to look at.
Markup begin_here(const grade::LabResult& result, const ExplainView& view,
                  const std::string& hint) {
  const html::Places& places = view.places;
  const grade::TestResult* const test = grade::first_to_tell(result.tests);
  const Markup passed =
      result.verdict.passed()
          ? tag("p", "calm", html::glyph(Standing::pass),
                words::row_of(test ? Id::page_all_holds_bonus : Id::page_all_holds))
          : Markup();
  if (result.verdict.passed() && !test) return passed;
  if (!result.message.empty())
    return begin_section("begin",
                         html::explanation(explain::tell_lab(result), places, html::Indented::log,
                                           result.verdict.kind == "untouched"
                                               ? Markup()
                                               : quoted_lines(view, {{result.where.line, ""}})));
  if (!test) return {};
  const Markup more =
      hint.empty() ? Markup()
                   : tag("p", "hint", words::text(Id::page_stuck) + " ", element("code", {}, hint));
  // The terminal's words; all that is known stands under "Tests".
  const std::vector<std::string> lines = view.fault || test->verdict.inconclusive()
                                             ? explain::tell_test(*test)
                                             : explain::tell_test_in_short(*test);
  const Markup quoted = quoted_lines(view, explain::lines_at_fault(*test));
  const Markup said = view.fault
                          ? describe_fault(*view.fault, test, lines, places, quoted)
                          : html::explanation(lines, places, html::Indented::remarks, quoted);
  const Standing standing = html::standing_of(test->verdict.text());
  return passed + begin_section("begin " + std::string(html::name_of(standing)), said + more);
}

/// As the terminal has it; `with_gates`: and every limit, those that were missed first.
Markup test_body(const grade::TestResult& test, const html::Places& places, bool with_gates) {
  Markup inside = html::explanation(explain::tell_test(test), places);
  std::vector<grade::GateResult> gates;
  if (with_gates) gates = test.gates;
  std::ranges::stable_partition(gates, [](const auto& gate) { return !gate.passed; });
  for (const grade::GateResult& gate : gates)
    inside +=
        tag("div", "gate",
            tag("p", "lead", html::glyph(standing_of(gate)), explain::tell_gate(gate).front()),
            gate_picture(gate, {}));
  if (test.measured)
    for (const std::string& line : explain::tell_measured(*test.measured))
      inside += tag("p", "dim", trim(line));
  return inside + printed_block(test.printed);
}

}  // namespace

Markup test_list(const grade::LabResult& result, const html::Places& places, bool with_gates) {
  Markup list;
  bool is_open = with_gates;  // of the first that failed; the others often fail for the same reason
  for (const grade::TestResult& test : result.tests) {
    if (test.verdict.kind == "not_run") continue;
    const Standing standing = html::standing_of(test.verdict.text());
    const Markup head = html::glyph(standing) +
                        tag("span", "what", element("b", {}, test.name), " ",
                            tag("span", "dim", words::translated(test.about))) +
                        tag("span", "verdict", explain::verdict_words(test)) +
                        html::points_of(test.decided() ? std::optional(test.points) : std::nullopt,
                                        test.max_points, 2, words::row_of(Id::page_not_decided));
    const Markup inside = test_body(test, places, with_gates);
    const bool failed = !test.verdict.passed() && !test.verdict.neutral();
    list += inside.empty()
                ? element("li", {}, tag("div", "head", head))
                : element("li", {},
                          element("details", {{"open", is_open && failed}},
                                  tag("summary", "head", head), tag("div", "body", inside)));
    is_open &= !failed;
  }
  return list.empty() ? list : tag("ul", "tests", list);
}

Markup begin_of(const grade::LabResult& result, const html::Places& places) {
  ExplainView view = view_of(result);
  view.places = places;
  return begin_here(result, view, "");
}

Markup finding_item(const launch::Finding& finding, const html::Places& places,
                    const Markup& about) {
  const bool error = finding.severity == launch::Severity::error;
  std::vector<std::string> lines = explain::finding_lines(finding);
  if (finding.count > 1)
    lines.push_back(
        words::text(Id::page_seen, {{"times", explain::number(double(finding.count))}}));
  return element(
      "li", {},
      html::badge(error ? Standing::wrong : Standing::slow,
                  error ? std::string(launch::name_of(finding.kind))
                        : words::text(Id::page_warning, {{"kind", launch::name_of(finding.kind)}})),
      about, html::explanation(lines, places));
}

Markup printed_block(const std::string& printed) {
  if (printed.empty()) return {};
  return tag("div", "printed", element("h4", {}, words::row_of(Id::page_kernel_printed)),
             element("pre", {{"class", "log"}, {"tabindex", 0}}, printed));
}

std::string explain_html(const grade::LabResult& result, const ExplainOptions& options) {
  const ExplainView view = view_of(result);
  Markup findings;
  Reported reported;
  if (view.fault) add(reported, view.fault->finding);
  for (const grade::TestResult& test : result.tests)
    findings += findings_list(test.findings, view.places, test.name, reported);
  Markup main;
  if (!options.idea.empty()) main += tag("p", "idea", options.idea);
  main += begin_here(result, view, options.hint);
  Markup predicted;
  for (const std::string& line : explain::tell_predictions(result))
    predicted += element("li", {}, line);
  if (!predicted.empty())
    main += section("predictions", Id::predictions_title, tag("ul", "plain", predicted));
  main += lines_section(view);
  main += findings_section(Id::page_also_found, findings);
  main += launch_sections(view, options, result.gpu);
  main += section("tests", Id::page_tests, test_list(result, view.places, false));
  return page_of(
      result.lab + ": " + explain::verdict_words(result),
      top(result.lab, words::translated(result.title), html::standing_of(result.verdict.text()),
          explain::verdict_words(result), result.file),
      kind_of(view), main,
      footer_of(options, explain::device_words(result.device, result.gpu), result.compiler));
}

}  // namespace labkit::report
