// Which text is a directive depends on where comments and raw strings begin, and there a reader of the
// text and the compiler can be made to disagree (`#if 0`, a lone quote, `/*`). So nothing here follows
// them through the file: whatever the compiler could take for a line directive is one. What NVRTC takes
// for one was tried with 11.8 and 13.0:
//
// - `#` or `%:` (trigraphs are off in C++17), first on its line: behind blanks, closed comments, and the
//   end of a comment that began on an earlier line, also where code stands before that comment;
// - then `line` or a digit, behind blanks and comments; a macro's name there is none;
// - all of it across spliced lines (a backslash, the line's end).
//
// An earlier line may have left a comment open if its last `/*` has no `*/` behind it. That takes some
// for directives that are none: in a comment, where it does not matter, and in a raw string, whose text
// then loses such a line.
#include "compile/line_directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "compile/tokens.h"

namespace labkit::compile {
namespace {

/// The text without splices, and where each character of it is in the source.
struct Unspliced {
  std::string text;
  std::vector<std::size_t> at;
};

Unspliced unsplice(std::string_view source) {
  Unspliced result;
  result.text.reserve(source.size());
  result.at.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view rest = source.substr(i, 3);
    if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
      i += rest[1] == '\n' ? 1 : 2;
      continue;
    }
    result.text += source[i];
    result.at.push_back(i);
  }
  return result;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }
/// Behind blanks and the comments that end on this line.
std::size_t skip_blanks(std::string_view line, std::size_t at) {
  while (at < line.size()) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    if (!line.substr(at).starts_with("/*")) return at;
    const std::size_t close = line.find("*/", at + 2);
    if (close == std::string_view::npos) return at;
    at = close + 2;
  }
  return at;
}

/// Where the line directive begins whose first character is the first of `line` behind `at`; or npos.
std::size_t directive_at(std::string_view line, std::size_t at) {
  const std::size_t begin = skip_blanks(line, at);
  const std::string_view rest = line.substr(std::min(begin, line.size()));
  const std::size_t mark = rest.starts_with('#') ? 1 : rest.starts_with("%:") ? 2 : 0;
  if (mark == 0) return std::string_view::npos;
  const std::size_t word = skip_blanks(line, begin + mark);
  const std::string_view what = line.substr(word);
  // A comment that goes on to another line may have `line` behind it. Nobody else writes that.
  if (what.starts_with("/*")) return begin;
  const bool is_line =
      what.starts_with("line") && (what.size() == 4 || !is_word_character(what[4]));
  return is_line || (!what.empty() && is_digit(what[0])) ? begin : std::string_view::npos;
}

/// Whether a comment may be open behind `line`, if one may be before it.
bool may_be_open_after(std::string_view line, bool open) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '/' && line[i + 1] == '*') {
      open = true;
      ++i;  // "/*/" closes nothing
    } else if (line[i] == '*' && line[i + 1] == '/') {
      open = false;
    }
  }
  return open;
}

/// Blanks `line` out from `begin` on, but for its comments between /* and */: one may go on below, or come from above.
template <typename Blank>
void blank_out(std::string_view line, std::size_t begin, Blank blank) {
  for (std::size_t i = begin; i < line.size();) {
    std::size_t end = i + 1;
    if (line.substr(i).starts_with("*/")) {
      i += 2;
      continue;
    }
    if (line[i] == '"') {
      end = std::min(line.find('"', i + 1), line.size() - 1) + 1;
    } else if (line.substr(i).starts_with("//")) {
      end = line.size();
    } else if (line.substr(i).starts_with("/*")) {
      const std::size_t close = line.find("*/", i + 2);
      if (close == std::string_view::npos) return;
      i = close + 2;
      continue;
    }
    for (; i < end; ++i)
      if (line[i] != '\r') blank(i);
  }
}

}  // namespace

std::vector<std::uint32_t> blank_line_directives(std::string& source) {
  Unspliced unspliced = unsplice(source);
  const std::string_view text = unspliced.text;
  std::vector<std::uint32_t> lines;
  std::uint32_t line_number = 1;  // of source[counted]
  std::size_t counted = 0;
  bool open = false;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    const std::string_view line = text.substr(first, end - first);
    const auto blank_from = [&](std::size_t begin) {
      if (begin == std::string_view::npos) return;
      const std::size_t place = unspliced.at[first + begin];
      for (; counted < place; ++counted) line_number += source[counted] == '\n';
      if (lines.empty() || lines.back() != line_number) lines.push_back(line_number);
      blank_out(line, begin, [&](std::size_t i) {
        unspliced.text[first + i] = source[unspliced.at[first + i]] = ' ';
      });
    };
    // Both, each as the text is then: in `#line 5 /*/ #line 6` the second is one behind an open comment.
    blank_from(directive_at(line, 0));
    if (const std::size_t close = open ? line.find("*/") : line.npos; close != line.npos)
      blank_from(directive_at(line, close + 2));
    open = may_be_open_after(line, open);  // as the compiler reads it
    first = end + 1;
  }
  return lines;
}

words::Message line_directives_note(const std::vector<std::uint32_t>& lines,
                                    const std::string& name) {
  constexpr std::size_t kMost = 4;
  const std::size_t listed = std::min(lines.size(), kMost);
  return {words::Id::note_line_directives,
          {{"file", name},
           {"count", words::count(lines.size())},
           {"lines", fmt::format("{}{}", fmt::join(lines.data(), lines.data() + listed, ", "),
                                 lines.size() > kMost ? ", ..." : "")}}};
}

namespace {

bool is_ptx_word(char c) { return is_word_character(c) || c == '.' || c == '%'; }

/// End of the token at `at`, which is no word: a comment, a text in quotes, or one character.
std::size_t end_of(std::string_view ptx, std::size_t at) {
  if (ptx.substr(at).starts_with("//")) return std::min(ptx.find('\n', at), ptx.size());
  if (ptx.substr(at).starts_with("/*")) {
    const std::size_t close = ptx.find("*/", at + 2);
    return close == std::string_view::npos ? ptx.size() : close + 2;
  }
  if (ptx[at] != '"') return at + 1;
  const std::size_t close = ptx.find_first_of("\"\n", at + 1);
  return close == std::string_view::npos ? ptx.size() : close + 1;
}

}  // namespace

std::string with_known_files(std::string_view ptx, const std::string& name,
                             const std::string& directory,
                             const std::map<std::string, std::string>& headers) {
  const std::string before = directory.ends_with('/') ? directory : directory + "/";
  const auto known = [&](std::string_view file) {
    if (file.starts_with(before)) file.remove_prefix(before.size());
    const std::string text(file);
    return headers.contains(text) ? text : name;
  };
  enum class Seen : std::uint8_t { nothing, file, index } seen = Seen::nothing;
  std::string result;
  result.reserve(ptx.size());
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t begin = at;
    if (is_ptx_word(ptx[at])) {
      while (at < ptx.size() && is_ptx_word(ptx[at])) ++at;
      const std::string_view word = ptx.substr(begin, at - begin);
      const bool is_index = seen == Seen::file && is_digit(word[0]);
      seen = word.ends_with(".file") ? Seen::file : is_index ? Seen::index : Seen::nothing;
      result += word;
      continue;
    }
    at = end_of(ptx, begin);
    const std::string_view token = ptx.substr(begin, at - begin);
    if (token.size() > 1 && token[0] == '"' && token.back() == '"' && seen == Seen::index)
      result += '"' + known(token.substr(1, token.size() - 2)) + '"';
    else
      result += token;
    const bool is_blank = static_cast<unsigned char>(token[0]) <= ' ' || token.starts_with("//") ||
                          token.starts_with("/*");
    if (!is_blank) seen = Seen::nothing;
  }
  return result;
}

}  // namespace labkit::compile
