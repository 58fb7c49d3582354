#include "grade/own_elements.h"

#include <set>
#include <string>
#include <vector>

#include "compile/tokens.h"

namespace labkit::grade {

std::size_t reads_of_own_elements(std::string_view source) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::set<std::string_view> arrays, stored;
  std::vector<std::string_view> read;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i)
    if (tokens.is(i, "__shared__") && tokens.is(i + 3, "[")) arrays.insert(tokens[i + 2].spelling);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!arrays.contains(tokens[i].spelling) || !tokens.is(i + 1, "[")) continue;
    std::size_t end = i + 1;
    while (tokens.is(end, "[") && tokens.close_of(end) < tokens.size())
      end = tokens.close_of(end) + 1;
    if (end == i + 1) continue;
    const std::string_view element = tokens.text(i, end);
    if (tokens.is(end, "="))
      stored.insert(element);
    else
      read.push_back(element);
  }
  std::size_t own = 0;
  for (const std::string_view element : read) own += stored.contains(element) ? 1 : 0;
  return own;
}

}  // namespace labkit::grade
