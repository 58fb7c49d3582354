#include "compile/index_comma.h"

#include <cctype>

#include "base/text.h"

namespace labkit::compile {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Found {
  IndexWithComma index;
  std::size_t close = 0;
};

/// The pair of brackets that opens at `open`, if a comma is between its two indices.
std::optional<Found> at_bracket(std::string_view line, std::size_t open) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t begin = open, comma = kNone, close = kNone;
  while (begin > 0 && is_name(line[begin - 1])) --begin;
  int depth = 0;
  for (std::size_t i = open; i < line.size() && close == kNone; ++i) {
    if (line[i] == '[' || line[i] == '(') ++depth;
    if (line[i] == ']' || line[i] == ')') --depth;
    if (line[i] == ',' && depth == 1) comma = i;
    if (depth == 0) close = i;
  }
  if (begin == open || comma == kNone || close == kNone || line[close] != ']') return std::nullopt;
  const std::string name(line.substr(begin, open - begin)),
      first(trim(line.substr(open + 1, comma - open - 1))),
      last(trim(line.substr(comma + 1, close - comma - 1)));
  return Found{{std::string(line.substr(begin, close + 1 - begin)), name + "[" + last + "]",
                name + "[" + first + "][" + last + "]"},
               close};
}

}  // namespace

std::optional<IndexWithComma> index_with_comma(std::string_view line, std::size_t at) {
  for (std::size_t open = line.find('['); open < at && open < line.size();
       open = line.find('[', open + 1)) {
    const auto found = at_bracket(line, open);
    if (found && (at == std::string_view::npos || at < found->close)) return found->index;
  }
  return std::nullopt;
}

}  // namespace labkit::compile
