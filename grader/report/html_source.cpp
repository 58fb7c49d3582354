#include "report/html_source.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "compile/tokens.h"

namespace labkit::report::html {
namespace {

/// A source's lines with its comments, literals, directives and keywords in colours.
class Painter {
 public:
  explicit Painter(std::string_view source) : source_(source), tokens_(source, Tokens::Keep::all) {}

  /// A line, or its first part: a view into the source, and behind the last one.
  Markup line(std::string_view code) {
    std::size_t at = static_cast<std::size_t>(code.data() - source_.data());
    const std::size_t end = at + code.size();
    Markup out;
    for (; next_ < tokens_.size() && tokens_[next_].begin < end; ++next_) {
      const Token& token = tokens_[next_];
      if (token.end() <= at) continue;
      const char* colour = colour_of(token);
      if (colour != nullptr) {
        if (token.begin > at) out += text(source_.substr(at, token.begin - at));
        at = std::max(at, token.begin);
        const std::size_t stop = std::min(token.end(), end);
        out += tag("span", colour, source_.substr(at, stop - at));
        at = stop;
      }
      if (token.end() > end) return at < end ? out + text(source_.substr(at, end - at)) : out;
    }
    return out + text(source_.substr(at, end - at));
  }

 private:
  using Token = compile::Token;
  using Tokens = compile::Tokens;
  static const char* colour_of(const Token& token) {
    switch (token.kind) {
      case Token::Kind::comment:
        return "c-note";
      case Token::Kind::directive:
        return "c-pre";
      case Token::Kind::text:
        return "c-text";
      case Token::Kind::word: {
        const compile::WordKind kind = compile::kind_of_word(token.spelling);
        if (kind == compile::WordKind::own) return nullptr;
        return kind == compile::WordKind::keyword ? "c-key" : "c-cuda";
      }
      default:
        return nullptr;
    }
  }

  std::string_view source_;
  Tokens tokens_;
  std::size_t next_ = 0;
};

Markup remark(const LineMark& mark) {
  Markup words;
  for (const std::string_view part : split_lines(mark.text)) words += tag("span", "part", part);
  return element("div",
                 {{"class", "remark " + std::string(name_of(mark.standing))}, {"role", "note"}},
                 glyph(mark.standing), element("div", {}, words));
}

}  // namespace

std::size_t listed_lines(std::string_view source, const ListingLimits& limits) {
  return std::min(split_lines(source).size(), limits.lines);
}

namespace {

constexpr std::size_t kAround = 20;  ///< lines to either side of one that is kept

/// Which lines are shown: all of a short source; of a long one its beginning and what is around the lines to
/// keep, `limits.lines` in all.
std::vector<bool> shown_lines(std::size_t count, const ListingLimits& limits) {
  if (count <= limits.lines) return std::vector<bool>(count, true);
  std::vector<bool> shown(count, false);
  std::size_t left = limits.lines;
  const auto show = [&](std::size_t line) {  // from 1
    if (left == 0 || line == 0 || line > count || shown[line - 1]) return;
    shown[line - 1] = true;
    --left;
  };
  for (const std::size_t line : limits.keep) show(line);
  for (const std::size_t line : limits.keep) {
    if (left == 0) break;
    if (line == 0 || line > count) continue;
    for (std::size_t near = line - std::min(line - 1, kAround); near <= line + kAround; ++near)
      show(near);
  }
  for (std::size_t line = 1; left > 0 && line <= count; ++line) show(line);
  return shown;
}

Markup left_out(std::size_t lines) {
  return tag("div", "line", tag("span", "cut", std::to_string(lines) + " lines more")) + text("\n");
}

Markup listed_line(const std::string& id, std::size_t n, const std::string& kind,
                   const Markup& code, const LineExtra& extra) {
  const std::string number = std::to_string(n);
  const Markup inside = element("span", {{"class", "no"}, {"data-n", number}}) + extra.before +
                        element("code", {}, code);
  const std::string place = id + "-L" + number;
  return (extra.key.empty()
              ? element("div", {{"class", kind}, {"id", place}}, inside)
              : element("div", {{"class", kind + " has"}, {"id", place}, {"data-key", extra.key}},
                        inside)) +
         text("\n");
}

}  // namespace

Markup source_listing(const std::string& id, std::string_view source,
                      const std::vector<LineMark>& marks, const ListingLimits& limits,
                      const LineExtras& extras) {
  const auto lines = split_lines(source);
  const std::vector<bool> shown = shown_lines(lines.size(), limits);
  std::map<std::size_t, std::vector<const LineMark*>> at;
  for (const LineMark& mark : marks) at[mark.line].push_back(&mark);
  Painter painter(source);
  Markup body;
  std::size_t skipped = 0;
  for (std::size_t n = 1; n <= lines.size(); ++n) {
    if (!shown[n - 1] || body.str().size() > limits.bytes) {
      ++skipped;
      continue;
    }
    if (skipped > 0) body += left_out(std::exchange(skipped, 0));
    const std::string_view whole = lines[n - 1];
    const std::string_view code =  // half a character at the end shows as U+FFFD
        whole.substr(0, limits.characters_a_line);
    std::string kind = "line";
    const auto found = at.find(n);
    if (found != at.end()) {
      Standing worst = found->second.front()->standing;
      for (const LineMark* mark : found->second)
        if (mark->standing == Standing::wrong) worst = Standing::wrong;
      kind += " hit " + std::string(name_of(worst));
    }
    Markup inside = painter.line(code);
    if (code.size() < whole.size())
      inside +=
          tag("span", "cut", " ... ", std::to_string(whole.size() - code.size()), " bytes more");
    body += listed_line(id, n, kind, inside, extras ? extras(n) : LineExtra{});
    if (found != at.end())
      for (const LineMark* mark : found->second) body += remark(*mark);
  }
  if (skipped > 0) body += left_out(skipped);
  return element("div",
                 {{"class", "source"},
                  {"id", id},
                  {"tabindex", 0},
                  {"role", "group"},
                  {"aria-label", "the source, line by line"}},
                 body);
}

}  // namespace labkit::report::html
