#include "report/html_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "words/render.h"

namespace labkit::report::html {
namespace {

// Verdicts of grade/result.h but for "gate NAME", and the states of a grade that has none.
constexpr std::string_view kWrong[] = {
    "wrong_result",  "input_changed", "launch", "out_of_bounds", "misaligned", "race",
    "uninitialized", "barrier",       "budget", "assert",        "trap",       "static_shared"};
constexpr std::string_view kNotBuilt[] = {"untouched",      "compile_error", "compile_limit",
                                          "missing_kernel", "signature",     "unsupported",
                                          "launch_shape"};
constexpr std::string_view kNothing[] = {"not_attempted", "not_run", "missing", "excused"};

/// A number at the front of `text`, and how many digits it has.
std::pair<std::size_t, std::size_t> leading_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {0, 0};
  return {number, static_cast<std::size_t>(end - text.data())};
}

struct Reference {
  std::size_t begin = 0, end = 0, line = 0;
};
/// The next "kernel.cu:9", "kernel.cu(9)" or, in the page's language, "line 9" at or after `from`; line 0: none.
Reference find_reference(std::string_view text, std::size_t from, const Places& places) {
  Reference first;
  const auto consider = [&](std::string_view word, std::string_view between,
                            std::string_view behind = "") {
    for (std::size_t at = text.find(word, from); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
      const std::size_t gap = at + word.size();
      if (gap >= text.size() || between.find(text[gap]) == std::string_view::npos) continue;
      const auto [line, digits] = leading_number(text.substr(gap + 1));
      if (digits == 0 || line == 0 || line > places.lines) continue;
      const std::size_t end = gap + 1 + digits;
      if (!text.substr(end).starts_with(behind)) continue;
      if (first.line == 0 || at < first.begin) first = {at, end + behind.size(), line};
      return;
    }
  };
  if (!places.file.empty()) {
    consider(places.file, ":(");
    const std::string_view row = words::row_of(words::Id::one_line);  // "line {line}"
    consider(trim(row.substr(0, row.find('{'))), " ", row.substr(row.find('}') + 1));
  }
  return first;
}

}  // namespace

std::string_view name_of(Standing standing) {
  constexpr std::string_view kNames[] = {"pass", "slow", "wrong", "not-built", "open", "none"};
  return kNames[static_cast<std::size_t>(standing)];
}

std::string_view words_of(Standing standing) {
  constexpr std::string_view kWords[] = {
      "right",       "right, but over a limit",   "wrong result", "did not run",
      "not decided", "not submitted, or excused",
  };
  return kWords[static_cast<std::size_t>(standing)];
}

Standing standing_of(std::string_view verdict) {
  const auto is_one_of = [&](const auto& kinds) { return std::ranges::count(kinds, verdict) != 0; };
  if (verdict == "pass") return Standing::pass;
  if (verdict == "gate" || verdict.starts_with("gate ")) return Standing::slow;
  if (is_one_of(kWrong)) return Standing::wrong;
  if (is_one_of(kNotBuilt)) return Standing::not_built;
  return is_one_of(kNothing) ? Standing::none : Standing::open;
}

Markup glyph_sheet() {
  const auto symbol = [](Standing standing, const Markup& shape) {
    return element(
        "symbol", {{"id", "g-" + std::string(name_of(standing))}, {"viewBox", "0 0 12 12"}}, shape);
  };
  const auto filled = [](const char* d) { return element("path", {{"class", "fill"}, {"d", d}}); };
  const auto drawn = [](const char* d) { return element("path", {{"class", "draw"}, {"d", d}}); };
  return element(
      "svg", {{"class", "sheet"}, {"width", 0}, {"height", 0}, {"aria-hidden", "true"}},
      symbol(Standing::pass, filled("M6 .5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM5.2 8.9L2.6 "
                                    "6.3l1-1 1.6 1.6L8.4 3.7l1 1z")),
      symbol(Standing::slow, drawn("M6 1.2a4.8 4.8 0 1 0 0 9.6a4.8 4.8 0 1 0 0-9.6z") +
                                 filled("M6 1v10a5 5 0 0 0 0-10z")),
      symbol(Standing::wrong, drawn("M2 2l8 8M10 2l-8 8")),
      symbol(Standing::not_built, drawn("M1.5 1.5h9v9h-9z")),
      symbol(Standing::open, filled("M6 0l6 6-6 6-6-6zM5.3 2.8v4h1.4v-4zM5.3 7.6V9h1.4V7.6z")),
      symbol(Standing::none, drawn("M3 6h6")));
}

Markup glyph(Standing standing) {
  const std::string kind(name_of(standing));
  return element(
      "svg", {{"class", "glyph " + kind}, {"width", 12}, {"height", 12}, {"aria-hidden", "true"}},
      element("use", {{"href", fragment("g-" + kind)}}));
}

Markup badge(Standing standing, std::string_view words) {
  return tag("span", "badge " + std::string(name_of(standing)), glyph(standing), words);
}

Markup linked(std::string_view line, const Places& places) {
  Markup out;
  const auto with_links = [&](std::string_view words) {
    std::size_t at = 0;
    for (;;) {
      const Reference next = find_reference(words, at, places);
      if (next.line == 0) break;
      out += text(words.substr(at, next.begin - at));
      out += element("a", {{"href", fragment(places.listing + "-L" + std::to_string(next.line))}},
                     words.substr(next.begin, next.end - next.begin));
      at = next.end;
    }
    out += text(words.substr(at));
  };
  // `out` is code; an odd backtick is only a backtick.
  for (;;) {
    const std::size_t open = line.find('`');
    const std::size_t close =
        open == std::string_view::npos ? std::string_view::npos : line.find('`', open + 1);
    if (close == std::string_view::npos) break;
    with_links(line.substr(0, open));
    out += element("code", {}, line.substr(open + 1, close - open - 1));
    line.remove_prefix(close + 1);
  }
  with_links(line);
  return out;
}

namespace {

/// How a line begins that gets a label: "Fix: " of "Fix: {fix}".
std::string_view beginning_of(words::Id id) {
  const std::string_view row = words::row_of(id);
  return row.substr(0, row.find('{'));
}

std::string_view without_colon(std::string_view label) {
  for (const std::string_view colon : {": ", "\uff1a"})
    if (label.ends_with(colon)) label.remove_suffix(colon.size());
  return label;
}

/// '-' or '+', of a line of a change: "12 - i <= n".
char sign_of_change(std::string_view line) {
  const std::size_t at = line.find_first_not_of("0123456789");
  const bool is_change = at != 0 && at + 2 < line.size() && line[at] == ' ' &&
                         line[at + 2] == ' ' && (line[at + 1] == '-' || line[at + 1] == '+');
  return is_change ? line[at + 1] : '\0';
}

}  // namespace

Markup explanation(const std::vector<std::string>& lines, const Places& places, Indented indented,
                   const Markup& below_first) {
  Markup out, log;
  const auto end_log = [&] {
    if (!log.empty()) out += element("pre", {{"class", "log"}, {"tabindex", 0}}, log);
    log = {};
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (indented == Indented::log && line.starts_with("  ")) {
      log += linked(line.substr(2), places) + text("\n");
      continue;
    }
    end_log();
    if (i == 1) out += below_first;
    const bool sub = line.starts_with("  ");
    line = trim(line);
    if (line.empty()) continue;
    using words::Id;
    constexpr Id kLabelled[] = {Id::lead_next, Id::lead_fix, Id::lead_why, Id::lead_missed,
                                Id::launch_line};
    const Id* const label =
        std::ranges::find_if(kLabelled, [&](Id id) { return line.starts_with(beginning_of(id)); });
    const bool advice = label < kLabelled + 2;
    if (const auto sign = sub ? sign_of_change(line) : '\0')
      out += tag("p", sign == '+' ? "change added" : "change removed", element("code", {}, line));
    else if (label != std::end(kLabelled))
      out += tag("p", advice ? "advice" : "because",
                 tag("b", "label", without_colon(beginning_of(*label))), text(" "),
                 linked(line.substr(beginning_of(*label).size()), places));
    else
      out += tag("p", sub ? "sub" : out.empty() ? "lead" : "more", linked(line, places));
  }
  end_log();
  if (lines.size() == 1) out += below_first;
  return out.empty() ? out : tag("div", "told", out);
}

std::string points_number(double points, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const double rounded = std::round(points * scale) / scale;
  std::string digits = fmt::format("{:.{}f}", rounded == 0 ? 0.0 : rounded, decimals);
  if (digits.find('.') == std::string::npos) return digits;
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

Markup points_of(const std::optional<double>& points, double most, int decimals,
                 std::string_view word_if_blank) {
  if (!points) return tag("span", "points blank", tag("span", "word", word_if_blank));
  Markup of;
  if (most > 0) of = tag("span", "of", " of " + points_number(most, decimals));
  return tag("span", "points", element("b", {}, points_number(*points, decimals)), of);
}

}  // namespace labkit::report::html
