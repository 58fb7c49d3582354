#include "report/explain_page.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/words.h"
#include "report/html_page.h"
#include "words/render.h"

namespace labkit::report {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;
using words::Id;

namespace {

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

}  // namespace

Markup section(const char* id, Id title, const Markup& inside) {
  if (inside.empty()) return {};
  return element("section", {{"id", id}}, element("h2", {}, words::row_of(title)), inside);
}

html::Places places_of(const std::string& file, const std::string& source) {
  if (source.empty()) return {};
  return {.file = file, .listing = kListing, .lines = html::listed_lines(source)};
}

Markup begin_section(const std::string& kind, const Markup& inside) {
  return tag("div", kind, element("h2", {}, words::row_of(Id::page_begin)), inside);
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

std::string kind_of(const ExplainView& view) { return view.is_wrong() ? "faulty" : ""; }

void erase_slow_marks(ExplainView& view) {
  std::erase_if(view.marks, [](const auto& mark) { return mark.standing == Standing::slow; });
}

std::string page_of(const std::string& title, const Markup& head, const std::string& kind,
                    const Markup& main, const Markup& footer) {
  const html::Assets& assets = html::assets();
  html::Page page;
  page.title = title;
  page.styles = {assets.base_css, assets.student_css, assets.explain_css, assets.film_css};
  page.scripts = {assets.base_js, assets.pictures_js, assets.film_js, assets.explain_js};
  page.body = html::glyph_sheet() + head + element("main", {{"class", kind}}, main) +
              (footer.empty() ? Markup() : element("footer", {}, footer));
  return page_text(page);
}

void set_fault(ExplainView& view, const std::vector<launch::Finding>& findings,
               const launch::Dim3& block) {
  const launch::Finding* found = explain::first_error(findings);
  if (found == nullptr) return;
  erase_slow_marks(view);
  if (auto picture = explain::picture_of(*found, block))
    view.fault = Fault{*found, std::move(*picture)};
}

Markup describe_fault(const Fault& fault, const grade::TestResult* test,
                      const std::vector<std::string>& all, const html::Places& places,
                      const Markup& quoted) {
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

}  // namespace labkit::report
