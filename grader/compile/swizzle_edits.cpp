// Edits of `column ^ row`: how many bits of the row, and which; in kernels, functions and macros. Of `(column + row) & 31`: by
// what it is rotated.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// A ^ and its operands: tokens [begin, at) and (at, end).
struct Swizzle {
  std::size_t begin = 0, at = 0, end = 0;
};

/// Of the operand that begins at token `i`, behind its last token; `i` if there is none.
std::size_t operand_end(const Tokens& tokens, std::size_t i) {
  std::size_t end = i;
  while (end < tokens.size()) {
    const bool opens = tokens.is(end, "(") || (tokens.is(end, "[") && end > i);
    const bool goes_on = end == i || tokens.is(end, ".") || tokens.is(end - 1, ".");
    if (opens && tokens.close_of(end) < tokens.size())
      end = tokens.close_of(end) + 1;
    else if (goes_on && tokens[end].kind != Token::Kind::mark)
      ++end;
    else if (tokens.is(end, ".") && end > i)
      ++end;
    else
      break;
  }
  return end;
}

std::vector<Swizzle> swizzles_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<Swizzle> found;
  for (std::size_t at = begin + 1; at + 1 < end; ++at) {
    if (!tokens.is(at, "^")) continue;
    std::size_t first = at - 1;
    if (tokens.is(first, ")"))
      while (first > begin && tokens.close_of(first) != at - 1) --first;
    const std::size_t last = operand_end(tokens, at + 1);
    if (last > at + 1 && last <= end) found.push_back({first, at, last});
  }
  return found;
}

class SwizzleEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void in_body(std::size_t begin, std::size_t end) {
    all(tokens_, begin, end, 0, 0);
    rotated_by_row(begin, end);
  }

  void in_macros() {
    const Tokens lines(tokens_.source());
    for (const Token& line : lines)
      if (line.kind == Token::Kind::directive && line.spelling.find('^') != line.spelling.npos) {
        const Tokens macro(tokens_.source().substr(line.begin + 1, line.length - 1),
                           Tokens::Keep::code);
        all(macro, 0, macro.size(), line.begin + 1, line.line);
      }
  }

 private:
  /// Each by itself, and the same change of all: a store and a load belong together. `offset`: of the tokens in the source.
  void all(const Tokens& tokens, std::size_t begin, std::size_t end, std::size_t offset,
           std::uint32_t line) {
    std::map<int, Edit> together;
    const std::vector<Swizzle> swizzles = swizzles_of(tokens, begin, end);
    for (const Swizzle& one : swizzles) {
      const bool is_left_masked =
          mask_of(tokens, one.begin, one.at) != 0 && mask_of(tokens, one.at + 1, one.end) == 0;
      const std::size_t first = is_left_masked ? one.begin : one.at + 1,
                        last = is_left_masked ? one.at : one.end;
      const std::vector<std::string> forms = others_of(tokens, first, last);
      for (std::size_t k = 0; k < forms.size(); ++k) {
        const Replacement by = {offset + tokens[first].begin, offset + tokens[last - 1].end(),
                                forms[k]};
        add(rounding, {by}, line != 0 ? line : tokens[one.at].line);
        together[static_cast<int>(k)].push_back(by);
      }
    }
    for (auto& [kind, edit] : together)
      if (edit.size() > 1 && edit.size() == swizzles.size())
        add(rounding, std::move(edit), line != 0 ? line : tokens[swizzles.front().at].line);
  }

  /// `part[row * 32 + ((column + warp) & 31)]`, which rotates no two rows of a warp by another number: each by its row.
  void rotated_by_row(std::size_t begin, std::size_t end) {
    struct Rotation {
      std::size_t plus = 0;
      std::string row;
    };
    std::vector<Rotation> all;
    for (std::size_t open = begin; open < end; ++open) {
      const std::size_t star = is(open, "[") ? scope_.star_of_index(open) : 0;
      if (star == 0) continue;
      for (std::size_t mask = star; mask < tokens_.close_of(open) && mask < end; ++mask)
        if ((is(mask, "&") || is(mask, "%")) && is(mask - 1, ")") && is(mask - 3, "+") &&
            is(mask - 5, "("))
          all.push_back({mask - 3, text(scope_.primary_begin(star), star)});
    }
    if (all.empty()) return;
    for (const std::size_t by : {all[0].plus - 1, all[0].plus + 1}) {
      Edit edit;
      for (const auto& [plus, row] : all)
        for (const std::size_t i : {plus - 1, plus + 1})
          if (is(i, tokens_[by].spelling)) edit.push_back(replacement(i, i + 1, row));
      if (edit.size() == all.size()) add(swap, std::move(edit), tokens_[by].line);
    }
  }

  /// Of `(row & 7)` or `(row % 8)` the token of the operator; 0: neither.
  static std::size_t mask_of(const Tokens& tokens, std::size_t begin, std::size_t end) {
    if (!tokens.is(begin, "(") || tokens.close_of(begin) + 1 != end) return 0;
    for (std::size_t i = end - 1; i-- > begin + 1;)
      if (tokens.is(i, "&") || tokens.is(i, "%")) {
        std::size_t open = i;  // not inside other brackets
        while (open > begin + 1 && (!tokens.is(open, "(") || tokens.close_of(open) < i)) --open;
        if (open == begin + 1 && (!tokens.is(open, "(") || tokens.close_of(open) < i)) return i;
      }
    return 0;
  }

  /// Without the mask; with a wider one; of every second row, and of every fourth, as elements of 8 and of 16 bytes want it.
  std::vector<std::string> others_of(const Tokens& tokens, std::size_t begin,
                                     std::size_t end) const {
    const auto text_of = [&](std::size_t from, std::size_t to) {
      return std::string(tokens.text(from, to));
    };
    const std::size_t mask = mask_of(tokens, begin, end);
    if (mask == 0) return {fmt::format("({} / 2)", text_of(begin, end))};
    const std::string sign = text_of(mask, mask + 1), by = text_of(mask + 1, end - 1);
    std::string row = text_of(begin + 1, mask);
    if (operand_end(tokens, begin + 1) != mask) row = "(" + row + ")";
    std::vector<std::string> forms = {row};
    for (const int part : {2, 4})
      forms.push_back(fmt::format("({} / {} {} {})", row, part, sign, by));
    for (const int width : {32, 16})
      forms.push_back(fmt::format("({} {} {})", row, sign, sign == "&" ? width - 1 : width));
    return forms;
  }
};

}  // namespace

void swizzle_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found) {
  SwizzleEdits edits(tokens, scope, found);
  for (const auto& [begin, end] : scope.bodies()) edits.in_body(begin, end);
  edits.in_macros();
}

bool is_swizzled(const Tokens& tokens, std::string_view kernel, std::uint32_t line) {
  const EditScope scope(tokens, kernel);
  const std::set<std::uint32_t> makers = scope.makers_of({line});
  std::set<std::uint32_t> indices = makers;  // without what is stored in arrays
  for (const Token& token : tokens)
    if (token.is("[")) indices.erase(token.line);
  const std::set<std::uint32_t> earlier = scope.makers_of(indices);
  const Tokens all(tokens.source());
  return std::ranges::any_of(all, [&](const Token& token) {
    const bool is_maker =
        token.line == line || makers.contains(token.line) || earlier.contains(token.line);
    const bool is_macro = token.kind == Token::Kind::directive;
    return is_maker &&
           (token.is("^") || (is_macro && token.spelling.find('^') != token.spelling.npos));
  });
}

}  // namespace labkit::compile
