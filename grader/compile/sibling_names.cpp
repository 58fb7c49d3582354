#include "compile/sibling_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/text.h"

namespace labkit::compile {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
    {"height", "width"}, {"rows", "cols"}, {"rows", "columns"}, {"row", "col"},
    {"row", "column"},   {"y", "x"},       {"r", "c"},          {"h", "w"},
    {"m", "n"},          {"n", "p"},       {"m", "p"},
};

bool is_same(char one, char other) { return to_lower(one) == to_lower(other); }

}  // namespace

bool are_siblings(std::string_view one, std::string_view other) {
  while (!one.empty() && !other.empty() && one.front() == other.front())
    one.remove_prefix(1), other.remove_prefix(1);
  while (!one.empty() && !other.empty() && one.back() == other.back())
    one.remove_suffix(1), other.remove_suffix(1);
  // "row" and "col" end alike with "s" behind, which is then gone from both
  const auto is = [](std::string_view name, std::string_view word) {
    return std::ranges::equal(name, word, is_same);
  };
  return std::ranges::any_of(kPairs, [&](const auto& pair) {
    return (is(one, pair.first) && is(other, pair.second)) ||
           (is(one, pair.second) && is(other, pair.first));
  });
}

}  // namespace labkit::compile
