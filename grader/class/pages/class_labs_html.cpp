#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "class/pages/pages.h"
#include "explain/words.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::Standing;
using html::tag;

struct Taker {
  const ClassStudent* student;
  const ClassCell* cell;
};

using TakersBy = std::map<std::string, std::vector<Taker>>;

/// A line a verdict or cause, passes first, then the most frequent; opens to who and why. `kind`: of the table's filter.
Markup counted_bars(const ClassLab& lab, const TakersBy& all, char kind) {
  std::size_t most = 1;
  for (const auto& [verdict, who] : all) most = std::max(most, who.size());
  std::vector<std::pair<std::string, std::vector<Taker>>> order(all.begin(), all.end());
  std::ranges::stable_sort(order, {}, [](const auto& one) {
    return std::pair(one.first != "pass", -std::ssize(one.second));
  });
  Markup list;
  for (const auto& [verdict, who] : order) {
    const Standing standing = who.front().cell->standing();
    const Markup head =
        html::badge(standing, kind == 'c' ? cause_words(verdict) : verdict) +
        tag("span", "count", std::to_string(who.size())) +
        element("svg",
                {{"class", "meter"},
                 {"viewBox", "0 0 100 8"},
                 {"preserveAspectRatio", "none"},
                 {"aria-hidden", "true"}},
                element("rect", {{"class", "bar " + std::string(html::name_of(standing))},
                                 {"width", 100.0 * double(who.size()) / double(most)},
                                 {"height", 8}}));
    if (verdict == "pass") {
      list += tag("li", "right", head);
      continue;
    }
    Markup names;
    for (const Taker& one : who)
      names +=
          element("li", {}, linked_name(*one.student),
                  one.cell->reason.empty() ? Markup() : tag("span", "dim", " " + one.cell->reason));
    list += element("li", {},
                    element("details", {}, element("summary", {}, head),
                            element("button",
                                    {{"type", "button"},
                                     {"class", "needs-js show"},
                                     {"data-lab", lab.id},
                                     {"data-how", std::string(1, kind) + ":" + verdict}},
                                    "Show them in the table"),
                            tag("ul", "who", names)));
  }
  return tag("ul", "verdicts", list);
}

Markup summary(const ClassLab& lab, const std::vector<Taker>& all) {
  double sum = 0;
  std::size_t have = 0, full = 0;
  for (const Taker& who : all)
    if (const auto points = who.cell->grade.points) {
      sum += *points;
      have += 1;
      full += *points >= lab.max_points;
    }
  if (have == 0) return tag("p", "sum", "No points yet.");
  return tag("p", "sum", element("b", {}, explain::number(sum / static_cast<double>(have))),
             fmt::format(" of {} on average; {} of {} have full marks",
                         explain::number(lab.max_points), full, have));
}

}  // namespace

Markup class_labs(const ClassPage& page) {
  Markup cards;
  for (std::size_t i = 0; i < page.labs.size(); ++i) {
    const ClassLab& lab = page.labs[i];
    std::vector<Taker> all;
    for (const ClassStudent& student : page.students)
      if (i < student.cells.size()) all.push_back({&student, &student.cells[i]});
    TakersBy by_verdict, by_cause;
    for (const Taker& who : all) {
      by_verdict[who.cell->verdict()].push_back(who);
      for (const std::string& cause : who.cell->causes) by_cause[cause].push_back(who);
    }
    Markup causes;
    if (!by_cause.empty())
      causes = tag("p", "counts", "Students by cause; one may show several.") +
               counted_bars(lab, by_cause, 'c');
    cards += element("article", {{"class", "card"}, {"id", "lab-" + html::id_of(lab.id)}},
                     element("h3", {}, tag("span", "id", lab.id), " ", lab.title),
                     summary(lab, all), counted_bars(lab, by_verdict, 'v'), causes);
  }
  return cards;
}

}  // namespace labkit::course
