// Edits of types, and of what C++ makes of them: a fraction where a whole number is meant, and the other way round; the size of
// a pointer for that of an array; a remainder of 0 for a whole part.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

class TypeEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      literal(i);
      whole_variable(i);
      size_of_pointer(i);
      whole_part(i, begin);
    }
  }

 private:
  /// `x / 8.0`, of which the fraction is not meant; `1 / n`, of which it is.
  void literal(std::size_t i) {
    if (tokens_[i].kind != Token::Kind::number) return;
    const std::string_view spelling = tokens_[i].spelling;
    const std::string_view digits = spelling.substr(0, spelling.find('.'));
    if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return;
    if (digits.size() == spelling.size()) {
      if (is(i + 1, "/") && scope_.is_binary(i + 1))
        replace(rounding, i, i + 1, std::string(spelling) + ".0f");
    } else if (trim_end(spelling.substr(digits.size() + 1)).empty()) {
      replace(rounding, i, i + 1, std::string(digits));
    }
  }
  /// "0f" is nothing more than a whole number's end.
  static std::string_view trim_end(std::string_view fraction) {
    while (!fraction.empty() && fraction.find_first_of("0fF") == 0) fraction.remove_prefix(1);
    return fraction;
  }

  /// `float sector = address / 32;`
  void whole_variable(std::size_t i) {
    if (!is(i, "float") && !is(i, "double") && !is(i, "auto")) return;
    if (!is(i + 2, "=") || !scope_.is_declaration(i + 2) || is(i - 1, "__shared__")) return;
    replace(step, i, i + 1, "int");
  }

  /// `sizeof(p) / sizeof(*p)` of a pointer.
  void size_of_pointer(std::size_t i) {
    if (!is(i, "sizeof") || !is(i + 1, "(") || !scope_.is_variable(i + 2)) return;
    const std::size_t divided = tokens_.close_of(i + 1) + 1;
    if (divided != i + 4 || !is(divided, "/") || !is(divided + 1, "sizeof")) return;
    const std::size_t end = scope_.primary_end(divided + 1);
    if (end <= divided + 2) return;
    for (const auto place :
         {Variable::Place::file, Variable::Place::parameter, Variable::Place::own})
      for (const std::string_view other : scope_.integers(place, i))
        if (!scope_.is_place(other)) replace(rounding, i, end, std::string(other));
  }

  /// `is_last ? n % kTile : kTile`, where a whole tile is left.
  void whole_part(std::size_t i, std::size_t begin) {
    if (!is(i, "%") || !scope_.is_binary(i)) return;
    const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
    if (left <= begin || left == i || right == i + 1) return;
    const bool is_choice = is(left - 1, "?") || is(left - 1, ":");
    if (is_choice || (is(left - 1, "=") && is(right, ";")))
      replace(rounding, left, right,
              fmt::format("({} - 1) % {} + 1", text(left, i), text(i + 1, right)));
  }
};

}  // namespace

void type_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  TypeEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
