// Edits of types, and of what C++ makes of them: a fraction where a whole number is meant, and the other way round; the size of
// a pointer for that of an array; a remainder of 0 for a whole part; parts that are divided one by one.
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
    parameter(begin);
    bytes_with_a_sign(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      literal(i);
      whole_variable(i);
      size_of_pointer(i);
      whole_part(i, begin);
      parts_divided(i, begin);
      sign(i, end);
      overflow(i);
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
    } else if (spelling.find_first_not_of("0fF", digits.size() + 1) == spelling.npos) {
      replace(rounding, i, i + 1, std::string(digits));
    }
  }

  /// `void count(int* bins, char value)`, which is given bytes above 127.
  void parameter(std::size_t begin) {
    for (std::size_t i = begin; i-- > 0 && !is(i, ";") && !is(i, "}");)
      if (is(i, "char") && !is(i - 1, "unsigned") && !is(i + 1, "*"))
        replace(structure, i, i + 1, "int", {Id::change_narrow_char, {{"before", "char"}}});
  }

  /// `const signed char* bytes = (const signed char*)data;`, and the same of a parameter, of bytes above 127.
  void bytes_with_a_sign(std::size_t begin, std::size_t end) {
    std::size_t first = begin;
    while (first > 0 && !is(first - 1, ";") && !is(first - 1, "}")) --first;
    Edit edit;
    for (std::size_t i = first + 1; i + 1 < end; ++i)
      if (is(i, "char") && is(i + 1, "*") && !is(i - 1, "unsigned"))
        edit.push_back(replacement(is(i - 1, "signed") ? i - 1 : i, i + 1, "unsigned char"));
    if (!edit.empty())
      add(rounding, std::move(edit), tokens_[begin].line, {Id::change_narrow_char});
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
        if (!scope_.is_place(other))
          replace(rounding, i, end, std::string(other),
                  {Id::change_size_of_pointer, {{"name", text(i + 2, i + 3)}}});
  }

  /// `is_last ? n % kTile : kTile`, where a whole tile is left.
  void whole_part(std::size_t i, std::size_t begin) {
    if (!is(i, "%") || !scope_.is_binary(i)) return;
    const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
    if (left <= begin || left == i || right == i + 1) return;
    const bool is_choice = is(left - 1, "?") || is(left - 1, ":");
    if (is_choice || (is(left - 1, "=") && is(right, ";")))
      replace(rounding, left, right,
              fmt::format("({} - 1) % {} + 1", text(left, i), text(i + 1, right)),
              {Id::change_whole_part, {{"before", text(left, right)}}});
  }

  /// Of the product that ends before token `i`, its first token.
  std::size_t product_begin(std::size_t i) const {
    std::size_t begin = scope_.primary_begin(i);
    while (begin < i && begin > 1 && is(begin - 1, "*")) {
      const std::size_t next = scope_.primary_begin(begin - 1);
      if (next == begin - 1) break;
      begin = next;
    }
    return begin;
  }

  /// `a / 8 + b * c / 8` for `(a + b * c) / 8`.
  void parts_divided(std::size_t i, std::size_t begin) {
    if (!is(i, "/") || !scope_.is_binary(i)) return;
    const std::size_t left = product_begin(i), sign = scope_.primary_end(i + 1);
    if (left <= begin || left == i || sign == i + 1 || (!is(sign, "+") && !is(sign, "-"))) return;
    if (is(left - 1, "/") || is(left - 1, "%") || is(left - 1, "-")) return;
    std::size_t end = scope_.primary_end(sign + 1);
    while (is(end, "*")) end = scope_.primary_end(end + 1);
    const std::size_t last = scope_.primary_end(end + 1);
    if (is(end, "/") && text(end + 1, last) == text(i + 1, sign))
      replace(rounding, left, last,
              fmt::format("({} {} {}) / {}", text(left, i), text(sign, sign + 1),
                          text(sign + 1, end), text(end + 1, last)),
              {Id::change_parts_divided});
  }

  /// `n * rank / size`, whose product no int holds.
  void overflow(std::size_t i) {
    if (!is(i, "*") || !scope_.is_binary(i) || !scope_.is_integer(i - 1)) return;
    const std::size_t right = scope_.primary_end(i + 1);
    if (is(right, "/") || is(right, "%"))
      add(rounding, {insertion(i - 1, "(long long)")}, tokens_[i].line, {Id::change_overflow});
  }

  /// `int word` whose highest byte is `word >> 24`.
  void sign(std::size_t i, std::size_t end) {
    if (!is(i, "int") || !is(i + 2, "=") || !scope_.is_declaration(i + 2)) return;
    for (std::size_t at = i + 3; at + 1 < end; ++at)
      if (is(at, tokens_[i + 1].spelling) && is(at + 1, ">") && is(at + 2, ">")) {
        replace(step, i, i + 1, "unsigned", {Id::change_sign});
        return;
      }
  }
};

}  // namespace

void type_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  TypeEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
