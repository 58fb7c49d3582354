// Two similar submissions side by side, for a teacher: lines that match are marked, and each leads to its like.
#include <fmt/format.h>

#include <map>

#include "class/pages/pages.h"
#include "report/html_page.h"
#include "report/html_source.h"

namespace labkit::course {
namespace {

using html::element;
using html::Markup;
using html::tag;

/// One of the two; `likes`: line -> the other one's.
Markup side(const PairSide& shown, double share, const char* id, const char* other,
            const std::map<unsigned, unsigned>& likes) {
  const Markup listing =
      html::source_listing(id, shown.source, {}, {}, [&](std::size_t line) -> html::LineExtra {
        const auto at = likes.find(static_cast<unsigned>(line));
        if (at == likes.end()) return {tag("span", "like", ""), ""};
        const std::string to = std::to_string(at->second);
        return {tag("span", "like",
                    element("a",
                            {{"href", html::fragment(std::string(other) + "-L" + to)},
                             {"title", "like line " + to + " of the other"}},
                            to)),
                to};
      });
  return element(
      "section", {{"aria-labelledby", std::string(id) + "-title"}},
      element("h2", {{"id", std::string(id) + "-title"}}, linked_name(shown.who)),
      tag("p", "dim", percent_text(share) + " of what this computes the other computes too"),
      listing);
}

}  // namespace

std::string pair_html(const SimilarPair& pair, const PairSide& first, const PairSide& second) {
  std::map<unsigned, unsigned> in_second, in_first;
  for (const auto& [a, b] : pair.lines) {
    in_second.try_emplace(a, b);
    in_first.try_emplace(b, a);
  }
  const html::Assets& assets = html::assets();
  html::Page shell;
  shell.title = fmt::format("{}: {} and {}", pair.lab, first.who.name, second.who.name);
  shell.styles = {assets.base_css, assets.student_css, assets.class_css};
  shell.scripts = {assets.base_js};
  shell.body =
      tag("header", "top",
          element("div", {},
                  tag("p", "eyebrow",
                      element("a", {{"href", html::link_to({"..", "index.html"}, "similar")}},
                              "Alike")),
                  element("h1", {}, html::name(shell.title)), tag("p", "dim", pair.note),
                  tag("p", "dim",
                      "Marked lines compute the same, whatever their names, order and algebra. "
                      "Each number leads to its like. To look at, not a verdict: short kernels are "
                      "alike by nature."))) +
      element("main", {{"class", "pair"}},
              side(first, pair.share_first, "first", "second", in_second),
              side(second, pair.share_second, "second", "first", in_first));
  return page_text(shell);
}

}  // namespace labkit::course
