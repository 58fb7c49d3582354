#include "report/style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace labkit::report {
namespace {

std::string paint(bool colour, const char* code, std::string_view text) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

/// Columns on a terminal: UTF-8 continuation bytes and escape sequences take none.
std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) ++columns;
  }
  return columns;
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

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const bool fits = column > 0 && column + 1 + word.size() <= width;
    if (column > 0) out += fits ? " " : "\n";
    if (!fits) {
      out += indent;
      column = indent.size();
    } else {
      column += 1;
    }
    out += word;
    column += word.size();
  }
  if (column > 0) out += '\n';
  return out;
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

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& right) {
  std::vector<std::size_t> widths(right.size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += right[i] ? padding + row[i] : row[i] + padding;
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace labkit::report
