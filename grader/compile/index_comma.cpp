#include "compile/index_comma.h"

#include <cctype>
#include <vector>

#include "base/text.h"

namespace labkit::compile {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::size_t kNone = std::string_view::npos;

/// A bracket that is open, and the last comma directly in it.
struct Open {
  std::size_t at = 0, comma = kNone;
};

IndexWithComma index_of(std::string_view line, const Open& open, std::size_t begin,
                        std::size_t close) {
  const std::string name(line.substr(begin, open.at - begin)),
      first(trim(line.substr(open.at + 1, open.comma - open.at - 1))),
      last(trim(line.substr(open.comma + 1, close - open.comma - 1)));
  return {std::string(line.substr(begin, close + 1 - begin)), name + "[" + last + "]",
          name + "[" + first + "][" + last + "]"};
}

}  // namespace

std::optional<IndexWithComma> index_with_comma(std::string_view line, std::size_t at) {
  std::vector<Open> open;
  Open first{kNone, kNone};  // the outermost so far, with where it closes
  std::size_t first_close = kNone;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '[' || line[i] == '(') open.push_back({i, kNone});
    if (open.empty()) continue;
    if (line[i] == ',') open.back().comma = i;
    if (line[i] != ']' && line[i] != ')') continue;
    const Open closed = open.back();
    open.pop_back();
    const bool is_index = line[i] == ']' && line[closed.at] == '[' && closed.at > 0 &&
                          is_name(line[closed.at - 1]) && closed.comma != kNone;
    if (!is_index || closed.at >= at || (at != kNone && at >= i) || closed.at >= first.at) continue;
    first = closed;
    first_close = i;
  }
  if (first.at == kNone) return std::nullopt;
  std::size_t begin = first.at;
  while (begin > 0 && is_name(line[begin - 1])) --begin;
  return index_of(line, first, begin, first_close);
}

}  // namespace labkit::compile
