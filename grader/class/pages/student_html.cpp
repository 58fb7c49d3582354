#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
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

/// The first thing to look at: the test that gave the lab its verdict, or what came before any test.
Markup begin_here(const StudentLab& lab, const html::Places& places) {
  const grade::LabResult& result = *lab.result;
  if (result.verdict.passed())
    return tag("p", "calm", html::glyph(Standing::pass), "All requirements are met.");
  Markup inside;
  if (!result.message.empty()) {
    inside = html::explanation(explain::tell_lab(result), places, html::Indented::log);
  } else {
    const grade::TestResult* const test = grade::first_to_tell(result.tests);
    if (test == nullptr) return {};
    const std::vector<std::string> told = explain::tell_test(*test);
    std::vector<std::string> lines = {explain::headline(*test)};
    for (const char* label : {"Fix: ", "Why: ", "Next: "}) {
      const auto found = std::ranges::find_if(
          told, [&](const std::string& line) { return trim(line).starts_with(label); });
      if (found != told.end()) lines.push_back(*found);
    }
    inside = html::explanation(lines, places);
  }
  return tag("div", "begin", element("h3", {}, "Begin here"), inside);
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

/// As the terminal has it, and every limit.
Markup body(const grade::TestResult& test, const html::Places& places) {
  Markup inside;
  if (!test.verdict.passed()) inside += html::explanation(explain::tell_test(test), places);
  std::vector<grade::GateResult> gates = test.gates;  // what was missed comes first
  std::ranges::stable_partition(gates, [](const auto& gate) { return !gate.passed; });
  for (const grade::GateResult& gate : gates)
    inside += tag(
        "div", "gate",
        tag("p", "lead", html::glyph(report::standing_of(gate)), explain::tell_gate(gate).front()),
        report::gate_picture(gate, {}));
  if (test.measured)
    for (const std::string& line : explain::tell_measured(*test.measured))
      inside += tag("p", "dim", trim(line));
  return inside + report::printed_block(test.printed);
}

Markup points(const grade::TestResult& test) {
  const std::string most = points_text(test.max_points);
  const std::string extra = test.bonus ? " bonus" : "";
  if (!test.decided() || test.verdict.kind == "not_run")
    return tag(
        "span", "points blank",
        tag("span", "word",
            fmt::format("{} of {}{}", test.decided() ? "not run" : "undecided", most, extra)));
  return tag("span", "points", element("b", {}, points_text(test.points)),
             tag("span", "of", fmt::format(" of {}{}", most, extra)));
}

Markup student_tests(const StudentLab& lab, const html::Places& places) {
  Markup list;
  bool opened = false;  // the first that failed; the others often fail for the same reason
  for (const grade::TestResult& test : lab.result->tests) {
    const Standing standing = html::standing_of(test.verdict.text());
    const bool failed = !test.verdict.passed() && !test.verdict.neutral();
    const Markup head =
        html::glyph(standing) +
        tag("span", "what", element("b", {}, test.name.substr(test.name.find('.') + 1)), " ",
            tag("span", "dim", test.about)) +
        tag("span", "verdict", explain::verdict_words(test)) + points(test);
    const Markup inside = body(test, places);
    const std::string kind = "test " + std::string(html::name_of(standing));
    list += inside.empty() ? tag("li", kind, tag("div", "head", head))
                           : tag("li", kind,
                                 element("details", {{"open", failed && !opened}},
                                         tag("summary", "head", head), tag("div", "body", inside)));
    opened |= failed;
  }
  if (list.empty()) return {};
  return element("h3", {}, "Tests") + tag("ul", "tests", list);
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
    inside += begin_here(lab, places);
    inside += student_tests(lab, places);
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
