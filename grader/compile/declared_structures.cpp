#include "compile/declared_structures.h"

#include <span>

#include "compile/constant_extents.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

/// "Z", of `Z* name`, among the parameters of the kernel; "" where it has none of that name.
std::string_view pointed_type(const std::vector<Token>& tokens, std::string_view kernel,
                              std::string_view name) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_word(tokens[i], kernel) || !is_mark(tokens[i + 1], "(")) continue;
    std::size_t k = i + 2;
    for (; k < tokens.size() && !is_mark(tokens[k], ")"); ++k) {
      if (!is_word(tokens[k], name)) continue;
      std::size_t at = k - 1;  // back over `* __restrict__`, `* const`
      while (at > i && tokens[at].kind == Token::Kind::word &&
             (tokens[at].spelling == "__restrict__" || tokens[at].spelling == "const"))
        --at;
      if (!is_mark(tokens[at], "*") || at < i + 3) return {};
      const Token& type = tokens[at - 1];
      const bool is_plain = type.kind == Token::Kind::word && type.spelling != "const";
      return is_plain ? type.spelling : std::string_view{};
    }
    i = k;  // what begins before it ends there, too, and has no such parameter
  }
  return {};
}

/// The numbers between the braces of a structure, `tokens` from behind the one to before the other.
std::optional<PointedStructure> members_of(std::span<const Token> tokens,
                                           const Constants& constants) {
  PointedStructure made;
  std::string_view type;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // type name [extent] {, name} ;
    const std::uint32_t bytes =
        tokens[i].kind == Token::Kind::word ? bytes_of_type(tokens[i].spelling) : 0;
    if (bytes == 0 || (!type.empty() && tokens[i].spelling != type)) return std::nullopt;
    type = tokens[i].spelling;
    made.number_bytes = bytes;
    do {
      if (++i >= tokens.size() || tokens[i].kind != Token::Kind::word || made.extent != 0)
        return std::nullopt;
      made.members.emplace_back(tokens[i].spelling);
      if (++i < tokens.size() && is_mark(tokens[i], "[")) {
        const auto extents = extents_at(tokens, i, constants);
        if (!extents || extents->size() != 1 || extents->front() == 0 || made.members.size() != 1)
          return std::nullopt;
        made.extent = extents->front();
      }
    } while (i < tokens.size() && is_mark(tokens[i], ","));
    if (i >= tokens.size() || !is_mark(tokens[i], ";")) return std::nullopt;
  }
  return made.members.empty() ? std::nullopt : std::optional(std::move(made));
}

}  // namespace

std::optional<PointedStructure> pointed_structure(std::string_view source, std::string_view kernel,
                                                  std::string_view name) {
  const std::vector<Token> tokens = tokens_of(source);
  const std::string_view type = pointed_type(tokens, kernel, name);
  if (type.empty()) return std::nullopt;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!is_word(tokens[i], "struct") || !is_word(tokens[i + 1], type) ||
        !is_mark(tokens[i + 2], "{"))
      continue;
    std::size_t end = i + 3;
    while (end < tokens.size() && !is_mark(tokens[end], "}") && !is_mark(tokens[end], "{")) ++end;
    if (end >= tokens.size() || !is_mark(tokens[end], "}")) return std::nullopt;
    return members_of(std::span(tokens).subspan(i + 3, end - i - 3), constants_of(tokens));
  }
  return std::nullopt;
}

}  // namespace labkit::compile
