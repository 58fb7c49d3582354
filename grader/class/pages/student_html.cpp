#include <fmt/format.h>

#include "class/pages/pages.h"
#include "explain/words.h"
#include "report/explain_html.h"
#include "report/html_page.h"
#include "report/html_source.h"
#include "report/source_marks.h"
#include "words/render.h"

namespace labkit::course {

namespace {

/// The verdict as the terminal says it; a grade that somebody decided has a word of its own.
std::string words_of(const StudentLab& lab) {
  const bool is_measured = lab.result && lab.grade.verdict == lab.result->verdict.text();
  return is_measured ? explain::verdict_words(*lab.result) : lab.grade.verdict;
}

using html::element;
using html::Markup;
using html::Standing;
using html::tag;

std::string anchor(const StudentLab& lab) { return "lab-" + html::id_of(lab.id); }

html::Places places_of(const StudentLab& lab) {
  html::Places places;
  if (!lab.result) return places;
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
                        {{"class", "tile " + std::string(html::name_of(standing_of(lab.grade)))},
                         {"href", html::fragment(anchor(lab))}},
                        tag("span", "id", html::glyph(standing_of(lab.grade)), lab.id),
                        html::points_of(lab.grade.points, lab.max_points, 2, lab.grade.verdict),
                        tag("span", "dim", lab.grade.points ? words_of(lab) : "")));
  Markup how;
  for (const std::string& line : page.how) how += element("li", {}, line);
  return element("nav", {{"aria-label", "Labs"}}, tag("ul", "tiles", tiles)) +
         (how.empty()
              ? how
              : element("section", {{"class", "how"}, {"aria-label", "The total"}},
                        tag("p", "dim", "How the total came about:"), tag("ul", "facts", how)));
}

/// Where points came from, in sentences.
Markup facts(const StudentLab& lab) {
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
  const Grade& grade = lab.grade;
  if (grade.late_days > 0 || grade.taken_off > 0)
    line(html::text(fmt::format("{} day{} late: {} points earned, {} taken off",
                                points_text(grade.late_days), grade.late_days == 1 ? "" : "s",
                                points_text(grade.measured), points_text(grade.taken_off))));
  for (const StudentLab::Word& word : lab.words)
    line(tag("span", "decision", tag("b", "label", word.label), " ", word.text,
             tag("span", "dim", " " + word.when)));
  for (const std::string& note : lab.notes) line(html::text(note));
  return lines.empty() ? Markup() : tag("ul", "facts", lines);
}

Markup source(const StudentLab& lab) {
  if (lab.source.empty()) return {};
  std::vector<html::LineMark> marks;
  if (lab.result) marks = report::line_marks(*lab.result);
  std::string title = "Source";
  if (!marks.empty())
    title += fmt::format(", {} remark{} on its lines", marks.size(), marks.size() == 1 ? "" : "s");
  return element("details", {{"class", "code"}, {"open", standing_of(lab.grade) != Standing::pass}},
                 element("summary", {}, title),
                 html::source_listing(anchor(lab) + "-source", lab.source, marks));
}

Markup section(const StudentLab& lab) {
  const html::Places places = places_of(lab);
  Markup inside =
      element("header", {}, element("h2", {}, tag("span", "id", lab.id), " ", lab.title),
              html::points_of(lab.grade.points, lab.max_points, 2, "no points"),
              html::badge(standing_of(lab.grade), words_of(lab)));
  inside += tag("p", "idea", lab.idea);
  inside += facts(lab);
  if (!lab.trouble.empty()) inside += tag("p", "trouble", html::glyph(Standing::open), lab.trouble);
  if (lab.result) {
    inside += report::begin_of(*lab.result, places);
    if (const Markup tests = report::test_list(*lab.result, places, true); !tests.empty())
      inside += element("h3", {}, "Tests") + tests;
  }
  inside += source(lab);
  return element("section", {{"class", "lab"}, {"id", anchor(lab)}}, inside);
}

}  // namespace

std::string student_html(const StudentPage& page) {
  const html::Assets& assets = html::assets();
  Markup labs;
  for (const StudentLab& lab : page.labs) labs += section(lab) + html::text("\n");
  html::Page shell;
  shell.title = page.name.empty() ? page.id : page.name;
  shell.styles = {assets.base_css, assets.student_css};
  shell.scripts = {assets.base_js};
  shell.body =
      html::glyph_sheet() +
      tag("header", "top",
          element("div", {}, element("h1", {}, html::name(shell.title)),
                  shell.title == page.id ? Markup() : tag("p", "dim", html::name(page.id))),
          tag("p", "total", html::points_of(page.total, page.total_max, 2, "no points yet"))) +
      element("main", {}, overview(page), labs) +
      element("footer", {}, element("p", {}, page.graded_with));
  return page_text(shell);
}

}  // namespace labkit::course
