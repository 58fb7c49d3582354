#include "report/explain_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "explain/words.h"
#include "report/explain_view.h"
#include "report/html_page.h"
#include "report/source_marks.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;
using words::Id;

html::Places places_of(const std::string& file, const std::string& source) {
  if (source.empty()) return {};
  return {.file = file, .listing = kListing, .lines = html::listed_lines(source)};
}

Markup section(const char* id, Id title, const Markup& inside) {
  if (inside.empty()) return {};
  return element("section", {{"id", id}}, element("h2", {}, words::row_of(title)), inside);
}

/// "Sort by launch": which of several launches the page speaks of. The script shows one; without it all are there.
Markup launch_switch(const ExplainView& view) {
  if (view.launches.size() < 2) return {};
  Markup choices;
  for (std::size_t i = 0; i < view.launches.size(); ++i) {
    const std::string id = fmt::format("launch-{}", i);
    const std::string& name = view.launches[i].name;
    choices += radio_choice("launch", id, std::to_string(i), name.substr(name.find('.') + 1),
                            i == view.first);
  }
  return radio_group("switch launches needs-js", words::text(Id::page_which_launch), choices);
}

/// A part of the page for each launch; the script shows that of the launch chosen.
template <typename Part>
Markup of_launches(const ExplainView& view, const Part& part) {
  Markup all;
  for (std::size_t i = 0; i < view.launches.size(); ++i) {
    const Markup inside = part(view.launches[i]);
    if (inside.empty()) continue;
    const Markup head =
        view.launches.size() < 2 ? Markup() : tag("h3", "of-launch", view.launches[i].name);
    all += element("div", {{"class", "per-launch"}, {"data-launch", i}}, head, inside);
  }
  return all;
}

Markup lines_section(const ExplainView& view) {
  if (view.source.empty()) return {};
  const Markup pictures = lane_pictures(view);
  Markup side = view.fault ? finding_panel(view.fault->finding, view.fault->picture, view.places)
                : view.mismatch ? mismatch_panel(*view.mismatch, view.places)
                                : Markup();
  side += pictures;
  Markup left = heat_switch(view) + heated_source(view);
  Markup inside;
  if (!view.without_figures.empty())
    inside += tag("p", "dim",
                  words::text(Id::page_without_figures,
                              {{"test", view.without_figures},
                               {"others", view.launches.size() == 1
                                              ? fmt::format("{} ({})", view.launches[0].name,
                                                            view.launches[0].test->kernel)
                                              : words::text(Id::page_other_tests)}}));
  if (!view.stopped.empty())
    inside += tag("p", "dim", words::text(Id::page_stopped, {{"test", view.stopped}}));
  inside += launch_switch(view);
  inside += element("div", {{"class", side.empty() ? "work alone" : "work"}},
                    tag("div", "lines", left), side.empty() ? side : tag("div", "side", side));
  return element(
      "section", {{"id", "lines"}},
      element("h2", {},
              words::row_of(view.launches.empty() ? Id::page_source : Id::page_line_by_line)),
      pictures.empty() ? Markup() : tag("p", "dim needs-js", words::row_of(Id::page_click_a_line)),
      inside);
}

/// Bounds, and the roofline on the same prediction.
Markup time_part(const LaunchView& launch, const std::string& gpu) {
  const grade::LaunchDetail& detail = *launch.detail;
  if (!detail.prediction) return {};
  Markup inside = element("div", {}, bound_bars(*detail.prediction, detail.registers));
  if (!gpu.empty())
    inside += element("div", {},
                      roofline_chart(explain::roofline_of(detail.counters, &*detail.prediction,
                                                          detail.compulsory_bytes, gpu,
                                                          detail.prediction->time_us, true)));
  return tag("div", "times", inside);
}

Markup launch_sections(const ExplainView& view, const ExplainOptions& options,
                       const std::string& gpu) {
  Markup all = section("gates", Id::page_gates, of_launches(view, [&](const LaunchView& launch) {
                         return gate_ladders(launch, view, options.yardsticks);
                       }));
  all +=
      section("time", Id::page_time,
              of_launches(view, [&](const LaunchView& launch) { return time_part(launch, gpu); }));
  all += section("counters", Id::page_counters, of_launches(view, [](const LaunchView& launch) {
                   const Markup table = counter_table(launch.detail->counters);
                   return table.empty() ? table : tag("p", "dim", launch.words) + table;
                 }));
  return all;
}

/// What the page has reported already: another test finds the same fault again, at other addresses.
using Reported = std::set<
    std::tuple<launch::FindingKind, launch::Severity, std::string, std::uint32_t, std::uint32_t>>;

/// False if it was reported.
bool add(Reported& reported, const launch::Finding& finding) {
  return reported
      .emplace(finding.kind, finding.severity, finding.where.file, finding.where.line,
               finding.other.line)
      .second;
}

Markup findings_list(const std::vector<launch::Finding>& findings, const html::Places& places,
                     const std::string& about, Reported& reported) {
  Markup list;
  for (const launch::Finding& finding : findings)
    if (add(reported, finding))
      list += finding_item(
          finding, places,
          tag("span", "dim",
              about.empty() ? "" : " " + words::text(Id::page_in_test, {{"test", about}})));
  return list;
}

Markup findings_section(Id title, const Markup& list) {
  return list.empty() ? list : section("findings", title, tag("ul", "findings", list));
}

Markup begin_section(const std::string& kind, const Markup& inside) {
  return tag("div", kind, element("h2", {}, words::row_of(Id::page_begin)), inside);
}

std::string page_of(const std::string& title, const Markup& head, const ExplainView& view,
                    const Markup& main, const Markup& footer) {
  const html::Assets& assets = html::assets();
  html::Page page;
  page.title = title;
  page.styles = {assets.base_css, assets.student_css, assets.explain_css, assets.film_css};
  page.scripts = {assets.base_js, assets.pictures_js, assets.film_js, assets.explain_js};
  page.body = html::glyph_sheet() + head +
              element("main", {{"class", view.is_wrong() ? "faulty" : ""}}, main) +
              element("footer", {}, footer);
  return page_text(page);
}

/// Beside what is wrong, remarks on mere slowness would only distract.
void erase_slow_marks(ExplainView& view) {
  std::erase_if(view.marks, [](const auto& mark) { return mark.standing == Standing::slow; });
}

/// The first error becomes what the page begins with.
void set_fault(ExplainView& view, const std::vector<launch::Finding>& findings,
               const launch::Dim3& block) {
  const launch::Finding* found = explain::first_error(findings);
  if (found == nullptr) return;
  erase_slow_marks(view);
  if (auto picture = explain::picture_of(*found, block))
    view.fault = Fault{*found, std::move(*picture)};
}

// ---- of a lab's result

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

/// What was found, in two lines that are enough to fix it; what else is known of it can be opened.
Markup describe_fault(const Fault& fault, const grade::TestResult* test,
                      const std::vector<std::string>& all, const html::Places& places,
                      const Markup& quoted = {}) {
  std::vector<std::string> first = {test ? explain::headline(*test) : fault.picture.headline}, rest;
  explain::append(first,
                  test ? explain::describe_fix(*test) : explain::fix_lines(fault.finding.fix));
  const std::string next = words::text(Id::lead_next, {{"next", ""}});
  for (const std::string& line : all)
    if (std::ranges::count(first, line) == 0 && !line.starts_with(next)) rest.push_back(line);
  return html::explanation(first, places, html::Indented::remarks, quoted) +
         tag("details", "words", element("summary", {}, words::row_of(Id::page_sanitizers_words)),
             html::explanation(rest, places));
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

Markup top(const std::string& eyebrow, const std::string& title, Standing standing,
           const std::string& verdict, const std::string& below) {
  return tag("header", "top",
             element("div", {}, tag("p", "eyebrow", eyebrow), element("h1", {}, html::name(title)),
                     tag("p", "dim", html::name(below))),
             tag("p", "verdict-of", html::badge(standing, verdict)));
}

Markup footer_of(const ExplainOptions& options, const std::string& device,
                 const std::string& compiler) {
  const std::string by =
      compiler.empty()
          ? device
          : words::text(Id::page_compiled_by, {{"device", device}, {"compiler", compiler}});
  Markup all = element("p", {}, words::text(Id::page_graded_on, {{"device", by}}));
  if (!options.command.empty())
    all += element("p", {}, words::text(Id::page_made_by) + " ",
                   element("code", {}, options.command), ".");
  return all;
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
      view, main,
      footer_of(options, explain::device_words(result.device, result.gpu), result.compiler));
}

std::string explain_html(const grade::Profile& profile, const std::string& source,
                         const ExplainOptions& options) {
  ExplainView view;
  view.file = std::filesystem::path(profile.file).filename().string();
  view.source = source;
  view.places = places_of(view.file, source);
  const std::string shape = fmt::format("grid {}, block {}", launch::to_string(profile.grid),
                                        launch::to_string(profile.block));
  const Standing standing = !profile.refusal.empty() ? Standing::not_built
                            : profile.failed()       ? Standing::wrong
                                                     : Standing::none;
  view.findings = profile.outcome.findings;
  for (const launch::Finding& finding : profile.outcome.findings) {
    if (finding.where.line == 0 || finding.where.file != view.file) continue;
    const Standing how =
        finding.severity == launch::Severity::error ? Standing::wrong : Standing::slow;
    view.marks.push_back({finding.where.line, how, explain::first_words(finding)});
    if (finding.other.line != 0 && finding.other.line != finding.where.line)
      view.marks.push_back(
          {finding.other.line, how,
           fmt::format("{}, with line {}", launch::name_of(finding.kind), finding.where.line)});
  }
  set_fault(view, profile.outcome.findings, profile.block);
  const device::Outcome& outcome = profile.outcome;
  if (!outcome.counters && outcome.film && outcome.film->stop)
    view.launches.push_back({.name = profile.kernel,
                             .words = {},
                             .grid = profile.grid,
                             .block = profile.block,
                             .detail = std::make_shared<const grade::LaunchDetail>(
                                 grade::detail_of_stopped(*outcome.film))});
  if (outcome.counters) {
    view.launches.push_back({.name = profile.kernel,
                             .words = profile.kernel + ", " + shape,
                             .grid = profile.grid,
                             .block = profile.block,
                             .detail = std::make_shared<const grade::LaunchDetail>(
                                 grade::LaunchDetail{.counters = *outcome.counters,
                                                     .samples = outcome.samples,
                                                     .film = outcome.film,
                                                     .prediction = outcome.prediction,
                                                     .registers = outcome.registers})});
  }
  Markup main;
  if (!profile.refusal.empty()) {
    std::vector<std::string> lines = explain::message_lines(profile.message);
    for (const std::string_view line : split_lines(profile.compile_log))
      lines.push_back("  " + std::string(line));
    main += begin_section("begin", html::explanation(lines, view.places, html::Indented::log));
  }
  Reported reported;
  if (const launch::Finding* const error = explain::first_error(profile.outcome.findings);
      error && profile.refusal.empty()) {
    const std::vector<std::string> lines = explain::tell_finding(*error, profile.block);
    main += begin_section("begin wrong",
                          view.fault ? describe_fault(*view.fault, nullptr, lines, view.places)
                                     : html::explanation(lines, view.places));
    add(reported, *error);
  }
  for (const std::string& note : explain::profile_notes(profile)) main += tag("p", "calm", note);
  main += lines_section(view);
  main += findings_section(profile.failed() ? Id::page_also_found : Id::page_findings,
                           findings_list(profile.outcome.findings, view.places, "", reported));
  main += launch_sections(view, options, profile.device.gpu);
  main += printed_block(profile.outcome.printed);
  const std::string verdict = !profile.refusal.empty() ? profile.refusal
                              : profile.failed()       ? "findings"
                              : profile.outcome.findings.empty()
                                  ? "ran"
                                  : fmt::format("{} warning{}", profile.outcome.findings.size(),
                                                profile.outcome.findings.size() == 1 ? "" : "s");
  return page_of(profile.kernel, top(view.file, profile.kernel, standing, verdict, shape), view,
                 main, footer_of(options, profile.device.title, profile.compiler));
}

}  // namespace labkit::report
