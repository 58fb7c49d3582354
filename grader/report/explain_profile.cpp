#include <fmt/format.h>

#include "base/text.h"
#include "explain/words.h"
#include "report/explain_html.h"
#include "report/explain_page.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;
using words::Id;

std::string shape_of(const grade::Profile& profile) {
  return fmt::format("grid {}, block {}", launch::to_string(profile.grid),
                     launch::to_string(profile.block));
}

ExplainView view_of(const grade::Profile& profile, const std::string& source) {
  ExplainView view;
  view.file = std::filesystem::path(profile.file).filename().string();
  view.source = source;
  view.places = places_of(view.file, source);
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
                             .words = profile.kernel + ", " + shape_of(profile),
                             .grid = profile.grid,
                             .block = profile.block,
                             .detail = std::make_shared<const grade::LaunchDetail>(
                                 grade::LaunchDetail{.counters = *outcome.counters,
                                                     .samples = outcome.samples,
                                                     .film = outcome.film,
                                                     .prediction = outcome.prediction,
                                                     .registers = outcome.registers})});
  }
  return view;
}

}  // namespace

std::string explain_html(const grade::Profile& profile, const std::string& source,
                         const ExplainOptions& options) {
  const ExplainView view = view_of(profile, source);
  const Standing standing = !profile.refusal.empty() ? Standing::not_built
                            : profile.failed()       ? Standing::wrong
                                                     : Standing::none;
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
  return page_of(profile.kernel,
                 top(view.file, profile.kernel, standing, verdict, shape_of(profile)),
                 kind_of(view), main, footer_of(options, profile.device.title, profile.compiler));
}

std::string film_html(const grade::Profile& profile, const std::string& source) {
  ExplainView view = view_of(profile, source);
  view.marks.clear();
  if (view.launches.empty() || !view.launches.front().detail->film ||
      view.launches.front().detail->film->steps.empty())
    return {};
  const Markup pictures = lane_pictures(view);
  return page_of(
      profile.kernel, {}, "film-alone",
      tag("div", "work", tag("div", "lines", heated_source(view)), tag("div", "side", pictures)),
      {});
}

}  // namespace labkit::report
