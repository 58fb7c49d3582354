#include "class/pages/student_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explain/words.h"
#include "report/html_page.h"
#include "report/html_source.h"
#include "report/source_marks.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::Standing;

std::string anchor(const StudentLab& lab) { return "lab-" + html::id_of(lab.id); }

html::Places places_of(const StudentLab& lab) {
  html::Places places;
  if (!lab.result || lab.source_changed) return places;
  places.file = report::graded_file_name(*lab.result);
  places.listing = anchor(lab) + "-source";
  places.lines = html::listed_lines(lab.source);
  return places;
}

/// All labs in a row of tiles: the answer to "how did I do".
Markup overview(const StudentPage& page) {
  Markup tiles;
  for (const StudentLab& lab : page.labs)
    tiles +=
        element("li", {},
                element("a",
                        {{"class", "tile " + std::string(html::name_of(lab.standing))},
                         {"href", html::fragment(anchor(lab))}},
                        element("span", {{"class", "id"}}, html::glyph(lab.standing), lab.id),
                        html::points_of(lab.points, lab.max_points, page.decimals, lab.verdict),
                        element("span", {{"class", "dim"}}, lab.points ? lab.verdict : "")));
  return element("nav", {{"aria-label", "Labs"}}, element("ul", {{"class", "tiles"}}, tiles));
}

/// Where points came from, in sentences.
Markup facts(const StudentPage& page, const StudentLab& lab) {
  const auto number = [&](double value) { return html::points_number(value, page.decimals); };
  Markup lines;
  const auto line = [&](const Markup& inside) { lines += element("li", {}, inside); };
  if (!lab.submitted.empty())
    line(html::text("Submitted: ") + element("code", {}, html::name(lab.submitted)) +
         html::text(lab.submitted_at.empty() ? "" : ", " + lab.submitted_at));
  if (!lab.group.empty()) {
    Markup names;
    for (const std::string& name : lab.group)
      names += (names.empty() ? Markup() : html::text(", ")) + html::name(name);
    line(html::text("Together: ") + names);
  }
  if (lab.late_days > 0 || lab.taken_off > 0)
    line(html::text(fmt::format("{} day{} late: {} points earned, {} taken off",
                                number(lab.late_days), lab.late_days == 1 ? "" : "s",
                                number(lab.measured), number(lab.taken_off))));
  for (const StudentLab::Decision& decision : lab.decisions)
    line(element("span", {{"class", "decision"}}, element("b", {{"class", "label"}}, "Decided"),
                 " ", decision.what, ": ", decision.reason,
                 element("span", {{"class", "dim"}}, " " + decision.when)));
  for (const std::string& note : lab.notes) line(html::text(note));
  if (lab.rescored)
    line(
        html::text("The lab's points or limits changed after grading. The points above were "
                   "computed again from "
                   "the same measurements; the tests below are as graded."));
  return lines.empty() ? Markup() : element("ul", {{"class", "facts"}}, lines);
}

/// The first thing to look at: the test that gave the lab its verdict, or what came before any test.
Markup begin_here(const StudentLab& lab, const html::Places& places) {
  const grade::LabResult& result = *lab.result;
  if (result.verdict.passed() && lab.rescored)
    return element("p", {{"class", "calm"}},
                   "All requirements were met when this was graded. The points above use today's "
                   "requirements.");
  if (result.verdict.passed())
    return element("p", {{"class", "calm"}}, html::glyph(Standing::pass),
                   "All requirements are met.");
  Markup inside;
  if (!result.message.empty()) {
    inside = html::explanation(explain::tell_lab(result), places, html::Indented::log);
  } else {
    const grade::TestResult* const test = grade::first_to_tell(result.tests);
    if (test == nullptr) return {};
    const std::vector<std::string> told = explain::tell_test(*test);
    std::vector<std::string> lines = {explain::short_reason(*test)};
    for (const char* label : {"Fix: ", "Why: ", "Next: "}) {
      const auto found = std::find_if(told.begin(), told.end(), [&](const std::string& line) {
        return trim(line).starts_with(label);
      });
      if (found != told.end()) lines.push_back(*found);
    }
    inside = html::explanation(lines, places);
  }
  return element("div", {{"class", "begin"}}, element("h3", {}, "Begin here"), inside);
}

Markup receipt(const StudentLab& lab) {
  if (lab.receipt.empty()) return {};
  Markup rows;
  for (const auto& [what, value] : lab.receipt)
    rows += element("tr", {}, element("th", {{"scope", "row"}}, what),
                    element("td", {}, element("code", {}, value)));
  return element("details", {{"class", "receipt"}},
                 element("summary", {}, "How to reproduce this grade"),
                 element("table", {}, element("caption", {{"class", "vh"}}, "Receipt of " + lab.id),
                         element("tbody", {}, rows)));
}

Markup source(const StudentLab& lab) {
  if (lab.source.empty()) return {};
  std::vector<html::LineMark> marks;
  if (lab.result && !lab.source_changed) marks = report::line_marks(*lab.result);
  Markup note;
  if (lab.source_changed)
    note = element("p", {{"class", "dim"}},
                   "This was submitted after the grading above; its lines are not marked.");
  std::string title = "Source";
  if (!marks.empty())
    title += fmt::format(", {} remark{} on its lines", marks.size(), marks.size() == 1 ? "" : "s");
  return element("details", {{"class", "code"}, {"open", lab.standing != Standing::pass}},
                 element("summary", {}, title), note,
                 html::source_listing(anchor(lab) + "-source", lab.source, marks));
}

Markup section(const StudentPage& page, const StudentLab& lab) {
  const html::Places places = places_of(lab);
  Markup inside = element(
      "header", {}, element("h2", {}, element("span", {{"class", "id"}}, lab.id), " ", lab.title),
      html::points_of(lab.points, lab.max_points, page.decimals, "no points"),
      html::badge(lab.standing, lab.verdict));
  inside += element("p", {{"class", "idea"}}, lab.idea);
  inside += facts(page, lab);
  if (!lab.trouble.empty())
    inside += element("p", {{"class", "trouble"}}, html::glyph(Standing::open), lab.trouble);
  if (lab.result) {
    inside += begin_here(lab, places);
    inside += student_tests(lab, places, page.decimals);
  }
  inside += source(lab);
  inside += receipt(lab);
  return element("section", {{"class", "lab"}, {"id", anchor(lab)}}, inside);
}

}  // namespace

std::string student_html(const StudentPage& page) {
  const html::Assets& assets = html::assets();
  Markup labs;
  for (const StudentLab& lab : page.labs) labs += section(page, lab) + html::text("\n");
  html::Page shell;
  shell.title = page.name.empty() ? page.id : page.name;
  shell.styles = {assets.base_css, assets.student_css};
  shell.scripts = {assets.base_js};
  shell.body =
      html::glyph_sheet() +
      element(
          "header", {{"class", "top"}},
          element("div", {}, element("h1", {}, html::name(shell.title)),
                  shell.title == page.id ? Markup()
                                         : element("p", {{"class", "dim"}}, html::name(page.id))),
          element("p", {{"class", "total"}},
                  html::points_of(page.total, page.total_max, page.decimals, "no points yet"))) +
      element("main", {}, overview(page), labs) +
      element("footer", {}, element("p", {}, page.graded_with));
  return page_text(shell);
}

}  // namespace labkit::course
