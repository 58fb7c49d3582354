#include "report/style.h"

#include <fmt/format.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

std::string paint(bool colour, const char* code, std::string_view text) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

constexpr std::size_t kLeastWrapped = 16;  ///< columns, for the last cell of a table
constexpr std::size_t kMostOfALine =
    200;  ///< characters of what a kernel printed, or of a line of source
constexpr std::size_t kMostPrinted = 1u << 20;  ///< bytes that the simulator keeps of a launch

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where "array[...]" stands in a line, its brackets paired: [begin, end), both 0 if not exactly once.
std::pair<std::size_t, std::size_t> access_in(std::string_view line, std::string_view array) {
  std::pair<std::size_t, std::size_t> found{0, 0};
  if (array.empty()) return found;
  for (std::size_t at = line.find(array); at != line.npos; at = line.find(array, at + 1)) {
    std::size_t end = at + array.size();
    if ((at > 0 && is_of_name(line[at - 1])) || end >= line.size() || line[end] != '[') continue;
    int open = 0;
    for (; end < line.size(); ++end) {
      open += (line[end] == '[') - (line[end] == ']');
      if (open == 0 && (end + 1 == line.size() || line[end + 1] != '[')) break;
    }
    if (open != 0 || found.second != 0) return {0, 0};
    found = {at, end + 1};
  }
  return found;
}

/// A line of code, which is never wrapped: "  12 - c[i] = a[i];", or further indented, as the compiler shows it.
bool is_code(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size()),
                    after = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const std::string_view mark = line.substr(after, 3);
  return begin >= 6 || (after > begin && (mark == " - " || mark == " + "));
}

bool set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

/// A character, or an escape sequence, at the beginning of `text`, which is not empty: how long it is, and how wide.
struct Glyph {
  std::size_t bytes = 1, columns = 0;
  char32_t value = 0;
  bool is_wide() const { return columns == 2; }
};

Glyph first_glyph(std::string_view text) {
  if (text[0] == '\x1b') {
    const std::size_t end = text.find('m');
    return {.bytes = end == text.npos ? text.size() : end + 1};
  }
  const auto [value, bytes] = first_code_point(text);
  const int columns = value < 0x80 ? 1 : utf8proc_charwidth(static_cast<utf8proc_int32_t>(value));
  return {.bytes = std::min(bytes, text.size()),
          .columns = static_cast<std::size_t>(std::max(columns, 0)),
          .value = value};
}

utf8proc_category_t category(const Glyph& glyph) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(glyph.value));
}

/// A line may end between the two. Wide punctuation that opens is of the categories Ps and Pi; all other stays behind what it
/// follows.
bool may_break(const Glyph& before, const Glyph& after) {
  if (!before.is_wide() && !after.is_wide()) return false;
  const auto opens = [](const Glyph& glyph) {
    const auto kind = category(glyph);
    return kind == UTF8PROC_CATEGORY_PS || kind == UTF8PROC_CATEGORY_PI;
  };
  const auto kind = category(after);
  const bool is_closing =
      kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO && !opens(after);
  return !opens(before) && !is_closing;
}

/// How much of `text` stays together: up to a blank, or to where a line may end.
std::size_t next_piece(std::string_view text) {
  Glyph before = first_glyph(text);
  for (std::size_t at = before.bytes; at < text.size();) {
    if (text[at] == ' ') return at;
    const Glyph after = first_glyph(text.substr(at));
    if (may_break(before, after)) return at;
    if (text[at] != '\x1b') before = after;
    at += after.bytes;
  }
  return text.size();
}

/// `line` in so many columns, with dots where it is cut, so that [begin, end) stays visible, and where that is then.
std::string cut_to(const std::string& line, std::size_t room, std::size_t& begin,
                   std::size_t& end) {
  constexpr std::string_view kDots = "...";
  if (width(line) <= room) return line;
  std::string shown = line;
  if (begin > 0 && end + kDots.size() > room) {  // the beginning goes
    const std::size_t back = end + (end == line.size() ? 0 : kDots.size()),
                      from = std::min(begin, back + kDots.size() - room);
    shown = std::string(kDots) + line.substr(from);
    begin = begin - from + kDots.size();
    end = end - from + kDots.size();
  }
  if (shown.size() > room) end = std::min(end, room - kDots.size());
  if (shown.size() > room) shown = shown.substr(0, room - kDots.size()) + std::string(kDots);
  begin = std::min(begin, shown.size());
  end = std::min(end, shown.size());
  return shown;
}

}  // namespace

std::string Style::good(std::string_view text) const { return paint(colour, "32", text); }
std::string Style::bad(std::string_view text) const { return paint(colour, "31", text); }
std::string Style::dim(std::string_view text) const { return paint(colour, "2", text); }
std::string Style::bold(std::string_view text) const { return paint(colour, "1", text); }

Style style_for(std::FILE* stream) {
  Style style;
  const char* term = std::getenv("TERM");
  const bool terminal = isatty(fileno(stream)) == 1 && !(term && std::strcmp(term, "dumb") == 0);
  style.colour = terminal && !set("NO_COLOR");
  constexpr std::size_t kColumns = 80;
  style.columns = terminal ? kColumns : 0;
  for (const char* name :
       {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set decides (POSIX, 8.2)
    if (!set(name)) continue;
    std::string locale = std::getenv(name);
    std::transform(locale.begin(), locale.end(), locale.begin(), ::toupper);
    style.unicode = terminal && (locale.find("UTF-8") != std::string::npos ||
                                 locale.find("UTF8") != std::string::npos);
    break;
  }
  return style;
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::string wrapped(std::string_view text, std::size_t most, std::string_view indent) {
  std::string out;
  std::size_t column = 0;
  bool is_apart = false;  // a blank stands before the piece
  while (!text.empty()) {
    if (text[0] == ' ') {
      text.remove_prefix(1);
      is_apart = true;
      continue;
    }
    const std::string_view piece = text.substr(0, next_piece(text));
    text.remove_prefix(piece.size());
    const std::size_t columns = width(piece);
    const bool fits = column > 0 && column + is_apart + columns <= most;
    if (column > 0) out += !fits ? "\n" : is_apart ? " " : "";
    if (!fits) {
      out += indent;
      column = indent.size();
    } else {
      column += is_apart;
    }
    out += piece;
    column += columns;
    is_apart = false;
  }
  if (column > 0) out += '\n';
  return out;
}

std::string clipped(std::string_view line, std::size_t columns) {
  if (width(line) <= columns) return std::string(line);
  std::size_t end = 0, taken = 0;
  while (end < line.size()) {
    const Glyph glyph = first_glyph(line.substr(end));
    taken += glyph.columns;
    if (taken > columns) break;
    end += glyph.bytes;
  }
  const bool is_painted = line.find('\x1b') != line.npos;
  return std::string(line.substr(0, end)) + (is_painted ? "\x1b[0m" : "");
}

std::string lines_text(const std::vector<std::string>& lines, const Style& style,
                       std::string_view indent) {
  std::string out;
  for (const std::string& each : lines) {
    const std::string line = printable(each);
    if (style.columns == 0 || indent.size() + width(line) <= style.columns || is_code(line))
      out += line.empty() ? "\n" : fmt::format("{}{}\n", indent, line);
    else
      out += wrapped(line, style.columns,
                     std::string(indent) + std::string(line.find_first_not_of(' '), ' '));
  }
  return out;
}

std::string error_text(std::string_view lead, const Error& error, const Style& style) {
  std::vector<std::string> lines = {fmt::format("{}: {}", lead, error.what())};
  if (!error.remedy().empty()) lines.push_back("Fix: " + error.remedy());
  return lines_text(lines, style, "");
}

std::string printed_lines(std::string_view printed, std::size_t most, std::string_view rest) {
  const auto lines = split_lines(printed);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most; ++i)
    text += fmt::format("  | {}\n", printable(lines[i].substr(0, kMostOfALine)));
  if (lines.size() <= most) return text;
  using words::Id;
  const auto more = static_cast<double>(lines.size() - most);
  std::string last =
      words::text(printed.size() >= kMostPrinted ? Id::at_least_more_lines : Id::more_lines,
                  {{"count", explain::number(more)}});
  if (!rest.empty()) last = words::text(Id::more_lines_in, {{"text", last}, {"file", rest}});
  return text + "  | " + last + "\n";
}

std::string source_lines(std::string_view source, const std::vector<explain::LineAtFault>& lines,
                         const Style& style, std::string_view indent) {
  const std::vector<std::string_view> all = split_lines(source);
  std::string text;
  for (const auto& [number, array] : lines) {
    if (number == 0 || number > all.size()) continue;
    const std::string line = replace_all(printable(trim(all[number - 1])), "\t", " ");
    const std::string head = fmt::format("{}{:>4} | ", indent, number);
    const std::size_t room =
        style.columns > head.size() + 3 ? style.columns - head.size() : kMostOfALine;
    auto [begin, end] = access_in(line, array);
    const std::string shown = cut_to(line, room, begin, end);
    text += style.dim(head) + shown + "\n";
    if (end != 0)
      text +=
          style.dim(fmt::format("{}     | ", indent)) +
          std::string(width(std::string_view(shown).substr(0, begin)), ' ') +
          style.bad(std::string(width(std::string_view(shown).substr(begin, end - begin)), '^')) +
          "\n";
  }
  return text;
}

std::string printable(std::string_view text) {
  const std::string valid = to_valid_utf8(text);
  std::string out;
  for (std::size_t i = 0; i < valid.size();) {
    const auto [c, bytes] = first_code_point(std::string_view(valid).substr(i));
    if (!is_unseen(c))
      out += valid.substr(i, bytes);
    else if (c < 0x100)
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
    else
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    i += bytes;
  }
  return out;
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                  std::size_t columns) {
  std::vector<std::size_t> widths(right.size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::size_t at = width(line);
      if (i + 1 == right.size() && columns > at + kLeastWrapped && at + width(row[i]) > columns) {
        line += wrapped(row[i], columns, std::string(at, ' ')).substr(at);
        break;
      }
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += right[i] ? padding + row[i] : row[i] + padding;
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '\n')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace labkit::report
