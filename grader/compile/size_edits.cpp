// Edits of sizes and of how far things reach: bytes for elements, a literal for a constant, a row without its padding, vectors
// that are not aligned, loops that are unrolled, pointers that walk, macros without parentheses.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/text.h"
#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

constexpr std::size_t kMostLoops = 6;

class SizeEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    bool has_vectors = false;
    std::map<std::string_view, std::set<std::string>> further;  // of `i`, `i + stride` of an index
    std::set<std::string> pitches = padded_extents(), longer;   // `(blockDim.x + 1)` of a product
    for (std::size_t i = begin; i < end; ++i) {
      has_vectors = has_vectors || is(i, "reinterpret_cast") || is(i, "float4") ||
                    is(i, "float2") || is(i, "double2");
      if (scope_.is_variable(i) && is(i + 1, "[") && is(i + 3, "+") &&
          tokens_.close_of(i + 1) < end)
        further[tokens_[i + 2].spelling].insert(text(i + 2, tokens_.close_of(i + 1)));
      if (is(i, "*") && is(i + 1, "(") && tokens_.close_of(i + 1) < end)
        longer.insert(text(i + 1, tokens_.close_of(i + 1) + 1));
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "__shared__")) halo_on_both_sides(i, end);
      if (is(i, "__shared__")) other_extents(i, end);
      bytes_for_elements(i);
      bytes_of_a_part(i);
      literal(i);
      whole_numbers(i);
      last_part(i);
      rounded_down(i);
      clamped(i, end);
      last_for_first(i);
      lacks_factor(i);
      last_share(i, end);
      rounded_share(i, begin, end);
      flat_bound(i, begin);
      if (has_vectors) alignment(i, end);
      if (is(i, "<") && i > begin && scope_.is_integer(i - 1)) reach(i, further);
      if (is(i, "[")) padded_row(i, pitches);
      if (is(i, "*")) longer_row(i, longer);
      if (is(i, "++") || is(i, "--") || is(i, "+=")) walk(i, end);
    }
  }

  void macros() {
    // `tokens_` has no directives
    const Tokens lines(tokens_.source());
    for (const Token& line : lines)
      if (line.kind == Token::Kind::directive) macro(line);
  }

 private:
  /// `__shared__ float tile[kHeight + kRadius][kWidth + kRadius]`, where there are neighbours on both sides.
  void halo_on_both_sides(std::size_t shared, std::size_t end) {
    Edit edit;
    for (std::size_t i = shared; i + 2 < end && !is(i, ";"); ++i)
      if (is(i, "+") && tokens_.is_word(i + 1) && is(i + 2, "]"))
        edit.push_back(insertion(i + 1, "2 * "));
    if (!edit.empty()) add(rounding, std::move(edit), tokens_[shared].line);
  }

  /// `__shared__ float part[kParts * kPitch]`, where another constant is meant.
  void other_extents(std::size_t shared, std::size_t end) {
    for (std::size_t i = shared; i + 2 < end && !is(i, ";"); ++i)
      if ((is(i - 1, "[") || is(i - 1, "*") || is(i + 1, "*")) && scope_.is_integer(i))
        for (const std::string_view other : scope_.integers(Variable::Place::file, i))
          if (!is(i, other))
            replace(name, i, i + 1, std::string(other),
                    {Id::change_room_for_block, {{"array", array_of(i, shared)}}});
  }
  /// Whose extent token `i` of the declaration from `shared` on is.
  std::string array_of(std::size_t i, std::size_t shared) const {
    while (i > shared && !(is(i, "[") && tokens_.is_word(i - 1))) --i;
    return i > shared ? text(i - 1, i) : "";
  }

  /// `element / 32` where 32 are bytes of a sector.
  void bytes_for_elements(std::size_t i) {
    if ((!is(i, "/") && !is(i, "%")) || !scope_.is_binary(i)) return;
    const std::size_t right = scope_.primary_end(i + 1);
    if (right != i + 2 || !scope_.is_fixed(i + 1)) return;
    for (const char* size : {"sizeof(float)", "sizeof(double)"})
      replace(name, i + 1, right, fmt::format("({} / {})", text(i + 1, right), size));
  }

  /// `offset + i * stride * sizeof(float)`, where all of it are elements.
  void bytes_of_a_part(std::size_t i) {
    if (!is(i, "sizeof") || !is(i - 1, "*") || !is(i + 1, "(")) return;
    std::size_t left = scope_.primary_begin(i - 1);
    while (is(left - 1, "*")) left = scope_.primary_begin(left - 1);
    if (!is(left - 1, "+")) return;
    std::size_t first = scope_.primary_begin(left - 1);
    while (is(first - 1, "*")) first = scope_.primary_begin(first - 1);
    if (first < left - 1) replace(rounding, first, i, fmt::format("({}) *", text(first, i - 1)));
  }

  /// `n / 32 * 32`, where n is needed.
  void rounded_down(std::size_t i) {
    if (!is(i, "/")) return;
    const std::size_t times = scope_.primary_end(i + 1), end = scope_.primary_end(times + 1);
    if (times > i + 1 && is(times, "*") && text(i + 1, times) == text(times + 1, end))
      replace(rounding, i, end, "");
  }

  /// `last = first + share`, where the last block has what is left over.
  void last_share(std::size_t i, std::size_t end) {
    if (!is(i, "=") || !scope_.is_declaration(i) || !scope_.is_integer(i + 1) || !is(i + 2, "+") ||
        !scope_.is_integer(i + 3) || !is(i + 4, ";"))
      return;
    bool is_end = false;
    for (std::size_t at = i + 5; at < end; ++at)
      is_end = is_end || (is(at, tokens_[i - 1].spelling) && is(at - 1, "<"));
    for (const std::string_view n : scope_.integers(Variable::Place::parameter, i))
      if (is_end)
        replace(rounding, i + 1, i + 4,
                fmt::format("blockIdx.x + 1 == gridDim.x ? {} : {}", n, text(i + 1, i + 4)));
  }

  /// `share = n / gridDim.x`, which leaves a rest over: rounded up, and each loop up to a share's end stops at n.
  void rounded_share(std::size_t i, std::size_t begin, std::size_t end) {
    const std::size_t last = scope_.primary_end(i + 1);
    if (!is(i, "/") || last == i + 1 || !scope_.is_integer(i - 1) || !is(i - 2, "=") ||
        !scope_.is_parameter(tokens_[i - 1].spelling))
      return;
    const std::string n = text(i - 1, i), parts = text(i + 1, last);
    Edit edit = {replacement(i - 1, i, fmt::format("({} + {} - 1)", n, parts))};
    for (std::size_t at = begin; at + 3 < end && edit.size() < kMostLoops; ++at)
      if (is(at, ";") && scope_.is_integer(at + 1) && is(at + 2, "<") &&
          scope_.is_integer(at + 3) && is(at + 4, ";") && !is(at + 3, n))
        edit.push_back(insertion(at + 4, fmt::format(" && {} < {}", text(at + 1, at + 2), n)));
    if (edit.size() > 1) add(rounding, std::move(edit), tokens_[i].line);
  }

  /// `lane == kWarp - 1` where the first one is meant.
  void last_for_first(std::size_t i) {
    if (is(i, "==") && scope_.is_fixed(i + 1) && is(i + 2, "-") && is(i + 3, "1"))
      replace(rounding, i + 1, i + 4, "0");
  }

  /// `blockIdx.x * kBlock` where each of them has several elements: `blockIdx.x * kBlock * kParts`.
  void lacks_factor(std::size_t i) {
    if (!is(i, "*") || i < 3 || !is(i - 3, "blockIdx") || !scope_.is_fixed(i + 1) || is(i + 2, "*"))
      return;
    for (const std::string_view other : scope_.integers(Variable::Place::file, i))
      if (!is(i + 1, other))
        add(rounding, {{tokens_[i + 1].end(), tokens_[i + 1].end(), fmt::format(" * {}", other)}},
            tokens_[i].line);
  }

  /// `min(row, rows)` where the last row is meant.
  void clamped(std::size_t i, std::size_t end) {
    const std::size_t close = tokens_.close_of(i + 1), comma = scope_.end_of_value(i + 2, end);
    if (!is(i, "min") || !is(i + 1, "(") || !is(comma, ",") || close >= end) return;
    for (const std::size_t last : {comma, close})
      if (scope_.is_integer(last - 1) && !scope_.is_place(tokens_[last - 1].spelling))
        replace(rounding, last - 1, last, text(last - 1, last) + " - 1");
  }

  /// `row * cols + col < rows * cols`, also through a variable and with `>=`, which also holds past the end of a row.
  void flat_bound(std::size_t less, std::size_t begin) {
    const bool is_outside = is(less, ">=");
    if ((!is(less, "<") && !is_outside) || less <= begin) return;
    const std::size_t rows = scope_.primary_end(less + 1), last = scope_.primary_end(rows + 1);
    if (rows == less + 1 || !is(rows, "*") || last == rows + 1) return;
    std::size_t end = less, from = 0;  // of the flat index, and of the comparison
    if (scope_.is_integer(less - 1) && !is(less - 2, "+") && !is(less - 2, "*")) {
      from = less - 1;
      for (std::size_t i = begin; i < from; ++i)
        if (is(i, tokens_[from].spelling) && is(i + 1, "=")) end = scope_.end_of_value(i + 2, less);
    }
    const std::size_t column = scope_.primary_begin(end);
    if (column < begin + 4 || column == end || !is(column - 1, "+")) return;
    const std::size_t length = scope_.primary_begin(column - 1);
    if (length < begin + 2 || !is(length - 1, "*")) return;
    const std::size_t row = scope_.primary_begin(length - 1);
    if (row == length - 1) return;
    for (const bool is_first : {true, false}) {
      const std::string height = is_first ? text(less + 1, rows) : text(rows + 1, last),
                        width = is_first ? text(rows + 1, last) : text(less + 1, rows);
      replace(
          rounding, from == 0 ? row : from, last,
          fmt::format("{0} {4} {1} {5} {2} {4} {3}", text(row, length - 1), height,
                      text(column, end), width, is_outside ? ">=" : "<", is_outside ? "||" : "&&"));
      // `at >= 0 && at < rows * cols`, both of one number
      const std::size_t first = from == 0 ? row : from, number = less - first;
      const char *below = is_outside ? "<" : ">=", *both = is_outside ? "||" : "&&";
      if (first < begin + number + 3) continue;
      const std::size_t low = first - 3, again = low - number;
      if (is(low, below) && is(low + 1, "0") && is(low + 2, both) &&
          text(again, low) == text(first, less))
        replace(rounding, again, last,
                fmt::format("{0} {5} 0 {6} {0} {4} {1} {6} {2} {5} 0 {6} {2} {4} {3}",
                            text(row, length - 1), height, text(column, end), width,
                            is_outside ? ">=" : "<", below, both));
    }
  }

  /// `int sum = 0;` that elements are added to. What indexes, or is compared, is no sum.
  bool declares_sum(std::size_t type) const {
    if (!scope_.is_variable(type + 1)) return false;
    const std::string_view name = tokens_[type + 1].spelling;
    bool gets_elements = false;
    for (const auto& [begin, end] : scope_.bodies())
      for (std::size_t i = begin; i < end; ++i) {
        if (is(i, "[")) {
          for (std::size_t at = i + 1; at < tokens_.close_of(i) && at < end; ++at)
            if (is(at, name)) return false;
        }
        if (!is(i, name)) continue;
        for (const std::size_t at : {i - 1, i + 1})
          if (is(at, "<") || is(at, "<=") || is(at, ">") || is(at, ">=") || is(at, "/") ||
              is(at, "%") || is(at, "++") || is(at, "--"))
            return false;
        if (!is(i + 1, "=") && !is(i + 1, "+=") && !is(i + 1, "*=")) continue;
        for (std::size_t at = i + 2; at < end && !is(at, ";"); ++at)
          if (const Variable* used = scope_.variable(at))
            gets_elements = gets_elements || used->kind == Variable::Kind::array ||
                            used->kind == Variable::Kind::real;
      }
    return gets_elements;
  }

  /// `__shared__ int tile[32]` for floats, `int sum = 0` and `auto sum = 0`.
  void whole_numbers(std::size_t i) {
    const bool is_tile = is(i, "int") && scope_.is_in_shared(i) && is(i + 2, "["),
               is_auto =
                   is(i, "auto") && is(i + 2, "=") && tokens_[i + 3].kind == Token::Kind::number;
    if (is_tile || is_auto || (is(i, "int") && declares_sum(i)))
      for (const char* real : {"float", "double"}) replace(step, i, i + 1, real);
  }

  /// `n - first` where no more than a block are meant; `i <= n - 1`, which holds for any unsigned i where n is 0.
  void last_part(std::size_t i) {
    const bool is_rest = is(i + 1, "-") && scope_.is_variable(i) && scope_.is_variable(i + 2);
    const bool in_brackets = is(i - 1, "(") && is(i + 3, ")") && !tokens_.is_word(i - 2);
    const std::size_t around = in_brackets ? 1 : 0;
    if (is_rest && (is(i - 1, "(") || is(i - 1, "=")) && (is(i + 3, ")") || is(i + 3, ";")))
      for (const std::string_view most : scope_.integers(Variable::Place::file, i))
        replace(name, i - around, i + 3 + around, fmt::format("min({}, {})", most, text(i, i + 3)));
    if (is(i, "<=") && scope_.is_variable(i + 1) && is(i + 2, "-") && is(i + 3, "1"))
      replace(condition, i, i + 4, "< " + text(i + 1, i + 2));
  }

  /// `n / 4` where kVector is meant.
  void literal(std::size_t i) {
    if (tokens_[i].kind != Token::Kind::number) return;
    bool is_factor = false;
    for (const char* one : {"*", "/", "%"})
      is_factor = is_factor || (i > 0 && is(i - 1, one)) || is(i + 1, one);
    if (!is_factor) return;
    for (const std::string_view other : scope_.integers(Variable::Place::file, i))
      replace(name, i, i + 1, std::string(other));
    for (const std::string_view other : scope_.integers(Variable::Place::own, i))
      if (!scope_.is_place(other)) replace(name, i, i + 1, std::string(other));
  }

  /// A vector may be loaded only from a multiple of its size: `if (stride == 1 && offset % 4 == 0)`.
  void alignment(std::size_t i, std::size_t end) {
    if (!is(i, "if") || !is(i + 1, "(")) return;
    const std::size_t close = tokens_.close_of(i + 1);
    for (std::size_t at = i + 2; at < close && close < end; ++at)
      if (is(at, "||") || is(at, "?")) return;
    if (close < end && close > i + 2)
      for (const std::string_view n : scope_.integers(Variable::Place::parameter, i))
        replace(condition, i + 2, close, fmt::format("{} && {} % 4 == 0", text(i + 2, close), n));
  }

  /// The furthest element that an iteration touches: `i + stride < n`; of a pointer that was moved, `i + start < n`.
  void reach(std::size_t less, const std::map<std::string_view, std::set<std::string>>& further) {
    if (const auto found = further.find(tokens_[less - 1].spelling); found != further.end())
      for (const std::string& place : found->second) replace(index, less - 1, less, place);
    for (const std::string_view place : scope_.integers(Variable::Place::own, less))
      if (scope_.is_place(place) && !is(less - 1, place) && !is(less + 1, place))
        replace(name, less - 1, less, fmt::format("{} + {}", text(less - 1, less), place));
  }

  /// Of `tile[32][32 + 1]`, "(32 + 1)"; of `tile[32][33]`, "33".
  std::set<std::string> padded_extents() const {
    std::set<std::string> extents;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!is(i, "]") || !is(i + 1, "[") || !scope_.is_in_shared(i)) continue;
      const std::size_t close = tokens_.close_of(i + 1);
      if (close >= tokens_.size() || close < i + 3) continue;
      const std::string extent = text(i + 2, close);
      extents.insert(close == i + 3 ? extent : "(" + extent + ")");
    }
    return extents;
  }
  /// An array with padded rows, indexed through a pointer.
  void padded_row(std::size_t open, const std::set<std::string>& extents) {
    const std::size_t star = scope_.star_of_index(open);
    if (star == 0) return;
    const std::size_t end = scope_.primary_end(star + 1);
    for (const std::string& extent : extents)
      if (extent != text(star + 1, end)) replace(index, star + 1, end, extent);
  }

  /// `y * blockDim.x + x` beside `y * (blockDim.x + 1) + x`.
  void longer_row(std::size_t star, const std::set<std::string>& lengths) {
    const std::size_t end = scope_.primary_end(star + 1);
    for (const std::string& length : lengths)
      if (length.starts_with("(" + text(star + 1, end) + " + "))
        replace(index, star + 1, end, length);
  }

  /// `p++` of a pointer, or `i++`, where the step is a variable.
  void walk(std::size_t i, std::size_t end) {
    const bool is_before = !is(i, "+=") && tokens_.is_word(i + 1);
    if (!is_before && (i == 0 || !tokens_.is_word(i - 1))) return;
    const std::size_t variable = is_before ? i + 1 : i - 1;
    const std::size_t first = is_before ? i : i - 1, last = is_before ? i + 2
                                                            : is(i, "+=")
                                                                ? scope_.end_of_value(i + 1, end)
                                                                : i + 1;
    if (!scope_.is_variable(variable) || is(last, "[")) return;
    for (const std::string_view by : scope_.integers(Variable::Place::own, i))
      if (!scope_.is_place(by) && !is(variable, by))
        replace(step, first, last, fmt::format("{} += {}", text(variable, variable + 1), by));
  }

  /// `#define PITCH blockDim.x + 1`, of which a product takes a part.
  void sum_of_macro(const Tokens& tokens, const Token& line) {
    const bool is_whole = tokens.is(2, "(") && tokens.close_of(2) + 1 == tokens.size();
    bool has_operator = false;
    for (std::size_t i = 3; i + 1 < tokens.size(); ++i)
      for (const std::string_view sign : {"+", "-", "*", "/", "%", "<<", ">>", "^"})
        has_operator = has_operator || tokens.is(i, sign);
    const std::size_t begin = line.begin + 1 + tokens[2].begin,
                      last = line.begin + 1 + tokens[tokens.size() - 1].end();
    if (has_operator && !is_whole)
      add(rounding, {{begin, begin, "("}, {last, last, ")"}}, line.line);
  }

  /// `#define AT(r, c, w) r * w + c`, and `#define TILE 16`.
  void macro(const Token& line) {
    const std::string_view source = tokens_.source().substr(line.begin, line.length);
    const Tokens tokens(source.substr(1), Tokens::Keep::code);
    const auto put = [&](const Token& at, std::string by) {
      const std::size_t begin = line.begin + 1 + at.begin;
      return Replacement{begin, begin + at.length, std::move(by)};
    };
    if (!tokens.is(0, "define") || tokens.size() < 3 || source.find('#', 1) != source.npos) return;
    const bool has_parameters = tokens.is(2, "(") && tokens[2].begin == tokens[1].end();
    if (!has_parameters) {
      sum_of_macro(tokens, line);
      return;
    }
    const std::size_t close = tokens.close_of(2);
    std::set<std::string_view> parameters;
    for (std::size_t i = 3; i < close; ++i)
      if (tokens.is_word(i)) parameters.insert(tokens[i].spelling);
    if (close + 1 >= tokens.size()) return;
    Edit edit;
    for (std::size_t i = close + 1; i < tokens.size(); ++i) {
      const bool stands_alone = tokens.is(i - 1, "(") && tokens.is(i + 1, ")");
      if (parameters.contains(tokens[i].spelling) && !stands_alone)
        edit.push_back(put(tokens[i], "(" + std::string(tokens[i].spelling) + ")"));
    }
    const bool is_whole =
        tokens.is(close + 1, "(") && tokens.close_of(close + 1) + 1 == tokens.size();
    if (edit.empty() || is_whole) {
      if (!edit.empty()) add(rounding, std::move(edit), line.line);
      return;
    }
    const std::size_t begin = line.begin + 1 + tokens[close + 1].begin,
                      last = line.begin + 1 + tokens[tokens.size() - 1].end();
    edit.insert(edit.begin(), {begin, begin, "("});
    edit.push_back({last, last, ")"});
    add(rounding, std::move(edit), line.line);
  }
};

}  // namespace

void size_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  SizeEdits(tokens, scope, found).all(begin, end);
}

void macro_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found) {
  SizeEdits(tokens, scope, found).macros();
}

}  // namespace labkit::compile
