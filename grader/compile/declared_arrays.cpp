#include "compile/declared_arrays.h"

#include <utility>

#include "compile/constant_extents.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

/// A source is a student's, and may be anything.
constexpr std::size_t kMostArrays = 64;

}  // namespace

std::vector<DeclaredArray> shared_arrays_of(std::string_view source) {
  const std::vector<Token> tokens = tokens_of(source);
  const Constants constants = constants_of(tokens);
  const Lines lines(source);
  std::vector<DeclaredArray> arrays;
  for (std::size_t i = 0; i < tokens.size() && arrays.size() < kMostArrays; ++i) {
    if (!is_word(tokens[i], "__shared__")) continue;
    std::uint32_t element = 0;
    for (++i; i < tokens.size() && arrays.size() < kMostArrays && !is_mark(tokens[i], ";") &&
              !is_mark(tokens[i], "{");
         ++i) {
      if (tokens[i].kind != Token::Kind::word) continue;
      // "unsigned char": the narrower word says it
      if (const auto bytes = bytes_of_type(tokens[i].spelling); bytes != 0)
        element = element == 0 || tokens[i].spelling != "int" ? bytes : element;
      if (i + 1 >= tokens.size() || !is_mark(tokens[i + 1], "[")) continue;
      DeclaredArray array;
      array.name = tokens[i].spelling;
      array.element_bytes = element;
      const std::size_t name = i;
      std::size_t at = i + 1;
      auto extents = extents_at(tokens, at, constants);
      i = at - 1;
      if (!extents) continue;
      array.line = lines.line_at(tokens[name].begin);
      array.extents = std::move(*extents);
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

std::optional<DeclaredArray> declared_array(const std::vector<DeclaredArray>& arrays,
                                            std::string_view name, std::uint64_t bytes,
                                            std::uint32_t line) {
  std::optional<DeclaredArray> found;
  for (DeclaredArray array : arrays) {
    if (array.name != name || (found && array.line > line)) continue;
    std::uint64_t inner = 1;  // elements in one of the outermost
    for (std::size_t i = 1; i < array.extents.size() && inner <= bytes; ++i)
      inner *= array.extents[i];
    const std::uint64_t outer = array.extents.front();
    if (inner == 0 || inner > bytes || outer > bytes) continue;
    if (outer != 0) {
      if (bytes % (outer * inner) != 0) continue;
      const auto each = static_cast<std::uint32_t>(bytes / (outer * inner));
      if (array.element_bytes != 0 && array.element_bytes != each) continue;
      array.element_bytes = each;
    }
    if (array.element_bytes != 0) found = std::move(array);
  }
  return found;
}

}  // namespace labkit::compile
