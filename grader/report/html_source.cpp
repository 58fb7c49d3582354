#include "report/html_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "base/text.h"

namespace labkit::report::html {
namespace {

/// Enough of C++ to tell comments, literals and keywords apart; what it gets wrong is coloured wrongly
/// and nothing else. A comment may go on to the next line.
class Painter {
 public:
  Markup line(std::string_view code) {
    Markup out;
    std::size_t at = 0;
    const auto paint = [&](const char* kind, std::size_t end) {
      const std::string_view piece = code.substr(at, end - at);
      out += kind ? element("span", {{"class", kind}}, piece) : text(piece);
      at = end;
    };
    if (!in_comment_ && trim(code).starts_with("#")) {
      paint("c-pre", code.size());
      return out;
    }
    while (at < code.size()) {
      const std::string_view rest = code.substr(at);
      if (in_comment_) {
        const std::size_t end = rest.find("*/");
        in_comment_ = end == std::string_view::npos;
        paint("c-note", in_comment_ ? code.size() : at + end + 2);
      } else if (rest.starts_with("//")) {
        paint("c-note", code.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = rest.find("*/", 2);
        in_comment_ = end == std::string_view::npos;
        paint("c-note", in_comment_ ? code.size() : at + end + 2);
      } else if (rest[0] == '"') {
        paint("c-text", at + literal_end(rest));
      } else if (is_letter(rest[0])) {
        std::size_t end = 1;
        while (end < rest.size() && (is_letter(rest[end]) || is_digit(rest[end]))) ++end;
        paint(kind_of(rest.substr(0, end)), at + end);
      } else {
        std::size_t end = 1;
        while (end < rest.size() && !is_letter(rest[end]) && rest[end] != '"' && rest[end] != '/')
          ++end;
        paint(nullptr, at + end);
      }
    }
    return out;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static std::size_t literal_end(std::string_view rest) {
    for (std::size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest[i] == rest[0])
        return i + 1;
    }
    return rest.size();
  }
  static const char* kind_of(std::string_view word) {
    static constexpr auto kKeywords = std::to_array<std::string_view>({"__device__",
                                                                       "__forceinline__",
                                                                       "__global__",
                                                                       "__host__",
                                                                       "__launch_bounds__",
                                                                       "__restrict__",
                                                                       "__shared__",
                                                                       "alignas",
                                                                       "auto",
                                                                       "bool",
                                                                       "break",
                                                                       "case",
                                                                       "char",
                                                                       "const",
                                                                       "constexpr",
                                                                       "continue",
                                                                       "default",
                                                                       "do",
                                                                       "double",
                                                                       "else",
                                                                       "enum",
                                                                       "extern",
                                                                       "false",
                                                                       "float",
                                                                       "float2",
                                                                       "float4",
                                                                       "for",
                                                                       "if",
                                                                       "inline",
                                                                       "int",
                                                                       "long",
                                                                       "namespace",
                                                                       "return",
                                                                       "short",
                                                                       "size_t",
                                                                       "sizeof",
                                                                       "static",
                                                                       "static_assert",
                                                                       "struct",
                                                                       "switch",
                                                                       "template",
                                                                       "true",
                                                                       "typename",
                                                                       "uint32_t",
                                                                       "unsigned",
                                                                       "using",
                                                                       "void",
                                                                       "volatile",
                                                                       "while"});
    static constexpr auto kCuda =
        std::to_array<std::string_view>({"__syncthreads", "__syncwarp", "blockDim", "blockIdx",
                                         "gridDim", "threadIdx", "warpSize"});
    if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) return "c-key";
    if (std::find(kCuda.begin(), kCuda.end(), word) != kCuda.end()) return "c-cuda";
    return nullptr;
  }

  bool in_comment_ = false;
};

Markup remark(const LineMark& mark) {
  Markup words;
  for (const std::string_view part : split_lines(mark.text))
    words += element("span", {{"class", "part"}}, part);
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
  return element("div", {{"class", "line"}},
                 element("span", {{"class", "cut"}}, std::to_string(lines) + " lines more")) +
         text("\n");
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
  Painter painter;
  Markup body;
  std::size_t skipped = 0;
  for (std::size_t n = 1; n <= lines.size(); ++n) {
    if (!shown[n - 1]) {
      ++skipped;
      continue;
    }
    if (skipped > 0) body += left_out(std::exchange(skipped, 0));
    std::string code(lines[n - 1]);
    const bool cut = code.size() > limits.characters_a_line;
    if (cut) code.resize(limits.characters_a_line);  // half a character at the end shows as U+FFFD
    std::string kind = "line";
    const auto found = at.find(n);
    if (found != at.end()) {
      Standing worst = found->second.front()->standing;
      for (const LineMark* mark : found->second)
        if (mark->standing == Standing::wrong) worst = Standing::wrong;
      kind += " hit " + std::string(name_of(worst));
    }
    Markup inside = painter.line(code);
    if (cut)
      inside += element("span", {{"class", "cut"}}, " ... ",
                        std::to_string(lines[n - 1].size() - code.size()), " bytes more");
    body += listed_line(id, n, kind, inside, extras ? extras(n) : LineExtra{});
    if (found != at.end())
      for (const LineMark* mark : found->second) body += remark(*mark);
  }
  if (skipped > 0) body += left_out(skipped);
  return element("div",
                 {{"class", "source"},
                  {"id", id},
                  {"tabindex", 0},
                  {"role", "region"},
                  {"aria-label", "the source, line by line"}},
                 body);
}

}  // namespace labkit::report::html
