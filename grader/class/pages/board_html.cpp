// The class's board: who made which lab how fast, by nickname. For students; opt-in, by a column of the roster.
#include <algorithm>

#include "base/text.h"
#include "class/pages/pages.h"
#include "explain/words.h"
#include "report/html_page.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::tag;

Markup table_of(const BoardLab& lab) {
  Markup head, rows;
  for (const char* column :
       {"Place", "Nickname", "Time (us)", "Sectors", "Wavefronts", "Of the copy"})
    head += element("th", {{"scope", "col"}}, column);
  for (std::size_t i = 0, place = 1; i < lab.rows.size(); ++i) {
    const BoardRow& row = lab.rows[i];
    if (i > 0 && row.time_us > lab.rows[i - 1].time_us) place = i + 1;
    rows += element(
        "tr", {}, tag("td", "num", std::to_string(place)),
        element("td", {}, html::name(row.nickname)), tag("td", "num", explain::number(row.time_us)),
        tag("td", "num", joined(row.sectors, " ")), tag("td", "num", joined(row.wavefronts, " ")),
        tag("td", "num", joined(row.ratios, " ")));
  }
  return element(
      "section", {{"aria-labelledby", lab.id}},
      element("h2", {{"id", lab.id}}, lab.id + "  " + lab.title),
      tag("div", "scroll",
          tag("table", "plain", tag("caption", "vh", "The fastest of " + lab.id),
              element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))));
}

}  // namespace

std::string board_html(std::vector<BoardLab> labs) {
  Markup tables;
  for (BoardLab& lab : labs) {
    std::ranges::stable_sort(lab.rows, {}, &BoardRow::time_us);
    tables += table_of(lab);
  }
  const html::Assets& assets = html::assets();
  html::Page shell;
  shell.title = "The class's board";
  shell.styles = {assets.base_css, assets.student_css};
  shell.scripts = {assets.base_js};
  shell.body = tag("header", "top",
                   element("div", {}, element("h1", {}, shell.title),
                           tag("p", "dim",
                               "Labs that passed, the shortest predicted time first. Sectors are "
                               "those of a global load/store, "
                               "wavefronts those of a shared load/store, of each test for points. "
                               "All figures are the "
                               "simulator's, so the same kernel has the same everywhere."))) +
               element("main", {}, tables);
  return page_text(shell);
}

}  // namespace labkit::course
