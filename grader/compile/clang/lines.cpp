#include "compile/clang/lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace labkit::compile {
namespace {

constexpr std::string_view kUnknown = "\t.loc\t1 0 0\n";

/// A line of PTX without blanks and comment.
std::string_view words_of(std::string_view line) { return trim(line.substr(0, line.find("//"))); }

/// `.loc 1 12 3 ...`: 12; nothing for other directives.
std::optional<int> line_of_loc(std::string_view words) {
  if (!words.starts_with(".loc\t")) return std::nullopt;
  int line = 0;
  const std::size_t at = std::min(words.find(' '), words.size() - 1) + 1;
  std::from_chars(words.data() + at, words.data() + words.size(), line);
  return line;
}

/// Of memory or between threads: what a finding can be about.
bool is_access(std::string_view words) {
  if (words.starts_with('@')) words.remove_prefix(std::min(words.find('\t') + 1, words.size()));
  constexpr std::array kRoots = {"ld.", "st.", "atom.", "red.", "cp.", "bar.", "shfl.", "vote."};
  return !words.starts_with("ld.param") &&
         std::ranges::any_of(kRoots, [&](const char* root) { return words.starts_with(root); });
}

bool begins_block(std::string_view line) {
  return words_of(line).ends_with(':') || trim(line).starts_with("// %bb.");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

/// The last `.loc` with a line of the block of `lines[first]`, from there on; `known` if there is none.
std::string_view last_of_block(const std::vector<std::string_view>& lines, std::size_t first,
                               std::string_view known) {
  for (std::size_t i = first + 1; i < lines.size() && !begins_block(lines[i]); ++i)
    if (line_of_loc(words_of(lines[i])).value_or(0) != 0) known = lines[i];
  return known;
}

}  // namespace

std::string with_settled_lines(const std::string& ptx) {
  const std::vector<std::string_view> lines = lines_of(ptx);
  std::string result;
  result.reserve(ptx.size());
  std::string_view known, written;  // the last `.loc` with a line; the last in the result
  bool is_known = true;             // clang knows the line of what comes now
  bool is_first = true;             // of its block
  bool begins = true;               // an instruction, which may have several lines of text
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view words = words_of(lines[i]);
    if (const auto line = line_of_loc(words)) {
      is_known = *line != 0;
      if (is_known) known = lines[i];
      continue;
    }
    is_first |= begins_block(lines[i]);
    if (begins && words.size() > 1 && words.front() != '.' && words.back() != ':') {
      if (is_first && !is_known) known = last_of_block(lines, i, known);
      is_first = false;
      const std::string_view place = is_known || !is_access(words) ? known : kUnknown;
      if (place != written) result += written = place;
    }
    if (!words.empty())
      begins = words.front() == '.' || std::string_view(";:{}").find(words.back()) != words.npos;
    result += lines[i];
  }
  return result;
}

}  // namespace labkit::compile
