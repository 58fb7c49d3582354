#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/enum_names.h"
#include "base/error.h"
#include "base/text.h"
#include "class/pages/pages.h"
#include "report/html_page.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;

/// A list longer than this is folded up behind its first lines.
constexpr std::size_t kListedOpenly = 12;
constexpr std::size_t kNamed = 6;

Markup join(const std::vector<Markup>& parts, const Markup& between) {
  Markup out;
  for (const Markup& part : parts) out += out.empty() ? part : between + part;
  return out;
}

Markup section(const char* id, std::string_view title, const Markup& inside) {
  return element("section", {{"id", id}, {"aria-labelledby", std::string(id) + "-title"}},
                 element("h2", {{"id", std::string(id) + "-title"}}, title), inside);
}

Markup cell_of(const Markup& cell) { return cell; }
Markup cell_of(const std::string& text) { return element("td", {}, text); }
/// Cells as they are; a text becomes one.
template <typename... Cells>
Markup row(const Cells&... cells) {
  return element("tr", {}, cell_of(cells)...);
}

/// Rows of a table, those past the first dozen folded up.
Markup folded_table(std::string_view caption, const std::vector<std::string>& columns,
                    const std::vector<Markup>& rows) {
  Markup head;
  for (const std::string& column : columns) head += element("th", {{"scope", "col"}}, column);
  const auto table = [&](std::string_view title, std::span<const Markup> some) {
    return tag("div", "scroll",
               tag("table", "plain", tag("caption", "vh", title),
                   element("thead", {}, element("tr", {}, head)),
                   element("tbody", {}, join({some.begin(), some.end()}, {}))));
  };
  const std::span<const Markup> all = rows;
  if (rows.size() <= kListedOpenly) return table(caption, all);
  return table(caption, all.first(kListedOpenly)) +
         element("details", {},
                 element("summary", {}, fmt::format("{} more", rows.size() - kListedOpenly)),
                 table(std::string(caption) + ", the rest", all.subspan(kListedOpenly)));
}

/// "A; B; C and 3 more", each with the way to the page.
Markup named(const std::vector<Who>& all) {
  std::vector<Markup> who;
  for (std::size_t i = 0; i < std::min(all.size(), kNamed); ++i) who.push_back(linked_name(all[i]));
  Markup names = join(who, html::text("; "));
  if (all.size() > kNamed) names += html::text(fmt::format(" and {} more", all.size() - kNamed));
  return names;
}

Markup review(const ClassPage& page) {
  if (page.review.empty())
    return section("review", "To review",
                   tag("p", "calm", html::glyph(Standing::pass), "Nothing to review."));
  std::vector<Markup> rows;
  std::map<std::string, std::string> advice;
  std::size_t cases = 0;  // as on the terminal
  for (const ReviewItem& item : page.review) {
    cases += item.who.size();
    advice[item.what] = item.advice;
    rows.push_back(row(tag("td", "who", named(item.who)), item.lab,
                       tag("td", "what", html::badge(Standing::open, item.what)),
                       tag("td", "why", item.why)));
  }
  Markup what_to_do;
  for (const auto& [what, text] : advice)
    if (!text.empty()) what_to_do += tag("p", "dim", element("b", {}, what), ": ", text);
  return section("review", fmt::format("To review ({})", cases),
                 folded_table("What a teacher should review", {"Who", "Lab", "What", "Why"}, rows) +
                     what_to_do);
}

/// A button that copies a command line of the kit; {DIR} in it becomes the folder that the page lies in.
Markup copy_button(std::string_view words, const std::string& line) {
  return element("button", {{"type", "button"}, {"class", "copy needs-js"}, {"data-line", line}},
                 words);
}

Markup waiting(const ClassPage& page) {
  if (!page.waiting) return {};
  const std::size_t changed = page.waiting->changed.size(), added = page.waiting->added;
  std::vector<Markup> rows;
  for (const std::string& one : page.waiting->changed) rows.push_back(row(one));
  return section(
      "waiting", "An import waits",
      element(
          "p", {},
          fmt::format("{} grade{} would change and {} would be new. Nothing below counts it yet. "
                      "It counts after ",
                      changed, changed == 1 ? "" : "s", added),
          element("code", {}, command_name() + " class merge DIR --yes"), ". ",
          copy_button("Copy the line", "class merge {DIR} --yes")) +
          folded_table("Grades that would change", {"Change"}, rows));
}

Markup decided(const ClassPage& page) {
  if (page.decided.empty()) return {};
  std::vector<Markup> rows;
  for (const Decision& one : page.decided)
    rows.push_back(row(tag("td", "who", linked_name(page.who(one.student))), one.lab,
                       tag("td", "what", decided_text(one)), tag("td", "why", one.reason),
                       element("td", {}, html::name(one.by))));
  return section(
      "decided", "Decided by a teacher",
      tag("p", "dim",
          "Of several decisions of one kind, the last one counts. The student reads its reason, "
          "but not who made it.") +
          folded_table("Decisions in their order", {"Who", "Lab", "Decision", "Reason", "By"},
                       rows));
}

/// Points with their shape, or a blank that says why it is one.
Markup cell(const ClassCell& cell) {
  const Grade& grade = cell.grade;
  const std::string kind(html::name_of(cell.standing())), verdict = cell.verdict();
  std::string why = verdict;
  if (!cell.reason.empty()) why += ": " + cell.reason;
  Markup inside;
  if (!grade.points) {
    inside = tag("span", "word", verdict);
  } else {
    if (grade.late_days > 0 || grade.taken_off > 0)
      inside += element(
          "abbr",
          {{"class", "mark"},
           {"title", fmt::format("{} days late, {} points taken off", points_text(grade.late_days),
                                 points_text(grade.taken_off))}},
          "late");
    if (grade.decided)
      inside += element("abbr", {{"class", "mark"}, {"title", "set by a teacher"}}, "set");
    inside += html::glyph(cell.standing()) + tag("span", "vh", verdict + ", ") +
              tag("span", "n", points_text(*grade.points));
  }
  return element("td",
                 {{"class", (grade.points ? "cell " : "cell blank ") + kind},
                  {"data-v", grade.points ? fmt::format("{}", *grade.points) : ""},
                  {"data-k", kind},
                  {"data-verdict", verdict},
                  {"data-causes", joined(cell.causes, " ")},
                  {"title", why}},
                 inside);
}

/// The row that opens under a student: each lab that is not simply right.
Markup more(const ClassPage& page, const ClassStudent& student) {
  Markup list;
  for (std::size_t i = 0; i < student.cells.size() && i < page.labs.size(); ++i) {
    const ClassCell& cell = student.cells[i];
    const Grade& grade = cell.grade;
    std::vector<std::string> notes = all_notes(grade);
    if (!grade.comment.empty()) notes.push_back("comment: " + grade.comment);
    const bool plain = cell.standing() == Standing::pass && notes.empty() && grade.taken_off == 0;
    if (plain) continue;
    Markup lines;
    if (!cell.reason.empty()) lines += element("p", {}, cell.reason);
    if (grade.taken_off > 0)
      lines += element("p", {},
                       fmt::format("{} points taken off, {} days late",
                                   points_text(grade.taken_off), points_text(grade.late_days)));
    for (const std::string& note : notes) lines += tag("p", "dim", note);
    list += element("dt", {}, page.labs[i].id);
    list +=
        element("dd", {}, element("p", {}, html::badge(cell.standing(), cell.verdict())), lines);
  }
  Markup buttons;
  for (const ClassLab& lab : page.labs)
    buttons +=
        element("button", {{"type", "button"}, {"class", "copy"}, {"data-lab", lab.id}}, lab.id);
  return (list.empty() ? tag("p", "dim", "Every lab passes, on time.") : element("dl", {}, list)) +
         tag("p", "set needs-js", tag("span", "dim", "Copy the line that decides "), buttons);
}

Markup students(const ClassPage& page) {
  const std::size_t columns = page.labs.size() + 2;
  const auto header = [](std::string_view title, const char* kind, const std::string& hint) {
    return element("th", {{"scope", "col"}, {"class", kind}, {"aria-sort", "none"}},
                   element("button", {{"type", "button"}, {"title", hint}}, title));
  };
  Markup head = header("Student", "name", "Sort by name");
  for (const ClassLab& lab : page.labs)
    head += header(lab.id, "number",
                   fmt::format("{}: sort by points of {}", lab.title, points_text(lab.max_points)));
  head += header("Total", "number", "Sort by total");
  Markup bodies;
  for (const ClassStudent& student : page.students) {
    const bool look = student.review || std::ranges::any_of(student.cells, &ClassCell::review);
    const Markup person =
        element("details", {}, element("summary", {}, tag("span", "vh", "Why, for ", student.name)),
                tag("span", "vh", "In the row below.")) +
        linked_name(student) +
        (look ? element("span", {{"class", "look"}, {"title", "to review"}},
                        html::glyph(Standing::open), tag("span", "vh", "to look at"))
              : Markup());
    Markup row = element("th", {{"scope", "row"}, {"class", "name"}}, tag("div", "person", person));
    for (const ClassCell& one : student.cells) row += cell(one);
    row += element(
        "td",
        {{"class", "total"}, {"data-v", student.total ? fmt::format("{}", *student.total) : ""}},
        student.total ? points_text(*student.total) : "");
    bodies +=
        element(
            "tbody",
            {{"data-id", student.id}, {"data-look", look ? "1" : ""}, {"data-mail", student.email}},
            tag("tr", "row", row),
            tag("tr", "more", element("td", {{"colspan", columns}}, more(page, student)))) +
        html::text("\n");
  }

  std::map<std::string, std::size_t> verdicts, by_cause;
  for (const ClassStudent& student : page.students)
    for (const ClassCell& one : student.cells) {
      ++verdicts[one.verdict()];
      for (const std::string& cause : one.causes) ++by_cause[cause];
    }
  const auto option = [](const std::string& value, std::string_view words) {
    return element("option", {{"value", value}}, words);
  };
  Markup labs = option("", "any lab"), standings, exact, causes;
  for (const ClassLab& lab : page.labs) labs += option(lab.id, lab.id + " " + lab.title);
  for (const Standing standing : html::kStandings)
    standings += option("k:" + std::string(html::name_of(standing)), words_of(standing));
  for (const auto& [verdict, count] : verdicts)
    exact += option("v:" + verdict, fmt::format("{} ({})", verdict, count));
  for (const auto& [cause, count] : by_cause)
    causes += option("c:" + cause, fmt::format("{} ({})", cause_words(cause), count));
  const Markup controls = element(
      "div", {{"class", "controls needs-js"}, {"role", "search"}},
      element("label", {}, element("span", {}, "Find"),
              element("input", {{"type", "search"},
                                {"id", "find"},
                                {"autocomplete", "off"},
                                {"placeholder", "name or id"}})),
      element("label", {}, element("span", {}, "Lab"), element("select", {{"id", "lab"}}, labs)),
      element("label", {}, element("span", {}, "Result"),
              element("select", {{"id", "how"}}, option("", "any"),
                      element("optgroup", {{"label", "state"}}, standings),
                      element("optgroup", {{"label", "verdict"}}, exact),
                      element("optgroup", {{"label", "cause"}}, causes))),
      tag("label", "tick", element("input", {{"type", "checkbox"}, {"id", "look"}}),
          "only to review"),
      element("button", {{"type", "button"}, {"id", "clear"}}, "Show all"),
      element("button",
              {{"type", "button"},
               {"id", "mail"},
               {"title", "of the students that are shown, for a mail's address line"}},
              "Copy e-mail addresses"),
      element("output", {{"id", "shown"}, {"aria-live", "polite"}},
              fmt::format("{} students", page.students.size())));
  return section(
      "students", "Students",
      controls +
          tag("div", "scroll",
              element("table", {{"class", "students"}, {"id", "table"}},
                      element("caption", {},
                              "Points of each student and lab. A blank is not graded, which "
                              "is not 0; the triangle before a name opens the reasons."),
                      element("thead", {}, element("tr", {}, head)), bodies)) +
          element("p", {{"id", "none"}, {"class", "dim"}, {"hidden", true}},
                  "No student matches."));
}

Markup similar(const ClassPage& page) {
  if (page.similar.empty() && page.same.empty()) return {};
  std::vector<Markup> pairs, same;
  for (const SameSource& one : page.same) {
    std::vector<Who> who;
    for (const std::string& student : one.students) who.push_back(page.who(student));
    same.push_back(row(one.lab, tag("td", "who", named(who)),
                       one.solution.empty() ? "one and the same text" : "equals " + one.solution));
  }
  for (const SimilarPair& pair : page.similar)
    pairs.push_back(
        row(element("td", {},
                    element("a", {{"href", html::link_to({"similar", pair.page})}}, pair.lab)),
            element("td", {}, linked_name(page.who(pair.first))),
            tag("td", "num", percent_text(pair.share_first)),
            element("td", {}, linked_name(page.who(pair.second))),
            tag("td", "num", percent_text(pair.share_second)), pair.note));
  return section(
      "similar", "Alike",
      tag("p", "dim",
          "A list to look at, not a verdict: no grade depends on it. Percent: how much of what "
          "one's code computes the other's computes too; hardly anybody else's does.") +
          (same.empty() ? Markup()
                        : folded_table("The same text, letter for letter",
                                       {"Lab", "Who", "Letter for letter"}, same)) +
          folded_table("Pairs of similar submissions",
                       {"Side by side", "One", "of it", "The other", "of it", "Note"}, pairs));
}

Markup files(const ClassPage& page) {
  if (page.files.empty()) return {};
  std::vector<Markup> rows;
  for (const Remark& file : page.files)
    rows.push_back(row(tag("td", "path", html::name(file.path)),
                       element("td", {}, html::name(page.who(file.student).name)),
                       replace_all(std::string(name_in(kRemarks, file.kind)), "_", " "),
                       text_of(file)));
  return section(
      "files", "Files that were not graded",
      folded_table("Files that were not graded", {"File", "Student", "What", "Why"}, rows));
}

Markup uploads(const ClassPage& page) {
  if (page.uploads.empty()) return {};
  std::vector<Markup> rows;
  for (const std::string& one : page.uploads) rows.push_back(row(one));
  return section("uploads", "Uploads", folded_table("What is not in an upload", {"File"}, rows));
}

struct Part {
  const char *id, *words;  ///< words: in the contents
  Markup text;
};
Markup contents(const std::vector<Part>& parts) {
  Markup links;
  for (const Part& part : parts)
    if (!part.text.empty())
      links += element("li", {}, element("a", {{"href", html::fragment(part.id)}}, part.words));
  return element("nav", {{"aria-label", "On this page"}}, element("ul", {}, links));
}

}  // namespace

Markup linked_name(const Who& who) {
  if (who.page.empty()) return html::name(who.name);
  return element("a", {{"href", who.page}}, html::name(who.name));
}

Standing standing_of(const Grade& grade) {
  using State = Grade::State;
  if (grade.has_result())
    return grade.state == State::too_late ? Standing::none : html::standing_of(grade.verdict);
  const bool is_open = grade.state == State::not_graded || grade.state == State::unreadable ||
                       grade.state == State::inconclusive || grade.state == State::maybe_missing;
  return is_open && !grade.decided ? Standing::open : Standing::none;
}

Who ClassPage::who(const std::string& id) const {
  const auto found = std::ranges::find(students, id, &ClassStudent::id);
  if (found == students.end()) return {id, {}};
  return *found;
}

std::string cause_words(const std::string& id) {
  std::string words = id.substr(id.starts_with("performance.") ? id.find('.') + 1 : 0);
  std::ranges::replace(words, '_', ' ');
  return replace_all(words, ".", ": ");
}

std::string class_html(const ClassPage& page) {
  const html::Assets& assets = html::assets();
  const std::vector<Part> parts = {
      {"waiting", "Waiting", waiting(page)},
      {"review", "To review", review(page)},
      {"decided", "Decided", decided(page)},
      {"labs", "Labs", section("labs", "Labs", tag("div", "labs", class_labs(page)))},
      {"students", "Students", students(page)},
      {"similar", "Alike", similar(page)},
      {"uploads", "Uploads", uploads(page)},
      {"files", "Files", files(page)}};
  Markup all;
  for (const Part& part : parts) all += part.text;
  std::string under = page.graded_with;
  if (!page.graded_at.empty()) under += (under.empty() ? "" : "; last result ") + page.graded_at;
  html::Page shell;
  shell.title = "Class: " + page.from;
  shell.styles = {assets.base_css, assets.class_css};
  shell.scripts = {assets.base_js, assets.class_js};
  shell.body =
      html::glyph_sheet() +
      element("a", {{"class", "skip"}, {"href", html::fragment("students")}},
              "Skip to the students") +
      tag("header", "top",
          element("div", {}, tag("p", "eyebrow", "Class"), element("h1", {}, html::name(page.from)),
                  tag("p", "dim", under)),
          contents(parts)) +
      element("main", {{"data-kit", command_name()}}, all) +
      element("p", {{"class", "copied"}, {"id", "copied"}, {"hidden", true}},
              element("label", {}, element("span", {}, "Copied"),
                      element("input", {{"type", "text"}, {"readonly", true}}))) +
      element("footer", {},
              element("p", {},
                      "Points are what counts, after lateness and decisions. What could not be "
                      "graded or decided is blank and listed to look at, never 0."));
  return page_text(shell);
}

}  // namespace labkit::course
