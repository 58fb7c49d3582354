#include "compile/small_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "compile/commuted.h"
#include "compile/edit_maker.h"
#include "compile/outline.h"
#include "compile/sibling_names.h"

namespace labkit::compile {
namespace {

/// How much later than on a suspect line: where a value used there is made, where one used for that is made, anywhere else.
constexpr int kWhereMade = 2, kMadeBefore = 4, kElsewhere = 5;
constexpr const char* kSteps[] = {"gridDim.x * blockDim.x",  "blockDim.x", "blockDim.y",
                                  "blockDim.x * blockDim.y", "1",          "32"};

class SmallEdits : public EditMaker {
 public:
  SmallEdits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found) {
    for (const auto& [begin, end] : scope.bodies())
      for (std::size_t i = begin; i < end; ++i) {
        has_swizzle_ = has_swizzle_ || is(i, "^");
        if (!scope.is_variable(i) || !is(i + 1, "[")) continue;
        if (const std::size_t star = scope_.star_of_index(i + 1))
          pitches_[tokens[i].spelling].insert(text(star + 1, scope.primary_end(star + 1)));
      }
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if ((is(i, "typename") || is(i, "class")) && tokens.is_word(i + 1))
        template_type_ = text(i + 1, i + 2);
  }

  void all() {
    for (const auto& [begin, end] : scope_.bodies()) {
      expressions(begin, end);
      group(begin, end, false);
      for (const auto& make :
           {statement_edits, kernel_edits, size_edits, type_edits, index_edits, expression_edits,
            loop_edits, barrier_edits, helper_edits, clamp_edits, guard_edits, halo_edits,
            pair_edits, twin_edits, place_edits, part_edits})
        make(tokens_, scope_, begin, end, found_);
    }
    for (const auto& [begin, end] : scope_.own_constants()) {
      expressions(begin, end);
      if (is(end - 2, "+") && is(end - 1, "1")) replace(assignment, end - 1, end, "2");  // padding
      replace(index, begin, end, end > begin + 1 ? "1" : "0");
    }
    for (const auto& [begin, end] : scope_.structures()) expressions(begin, end);
    macros();
    macro_edits(tokens_, scope_, found_);
    thread_edits(tokens_, scope_, found_);
    swizzle_edits(tokens_, scope_, found_);
    joined_edits(tokens_, scope_, found_);
    type_of_helpers();
    name_held_values(tokens_, scope_, found_);
  }

 private:
  void expressions(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      operators(i);
      numbers(i);
      words(i, end);
      brackets(i, end);
      arithmetic(i, end);
      conditions(i, end);
    }
  }

  /// What is changed in a kernel is changed in a macro that stands for an expression, too.
  void macros() {
    const Tokens lines(tokens_.source());
    for (const Token& line : lines) {
      if (line.kind != Token::Kind::directive) continue;
      std::string alone(tokens_.source());
      for (std::size_t i = 0; i < alone.size(); ++i)
        if ((i <= line.begin || i >= line.end()) && alone[i] != '\n') alone[i] = ' ';
      const Tokens macro(alone, Tokens::Keep::code);
      const EditScope scope(scope_, macro);
      SmallEdits edits(macro, scope, found_);
      for (const auto& [begin, end] : scope.bodies()) {
        edits.expressions(begin, end);
        edits.group(begin, end, true);
        expression_edits(macro, scope, begin, end, found_);
      }
    }
  }

  void operators(std::size_t i) {
    static const std::map<std::string_view, std::pair<Rank, std::vector<std::string>>> kOthers = {
        {"<", {condition, {"<=", ">=", ">"}}},
        {"<=", {condition, {"<", ">", ">="}}},
        {">", {condition, {">=", "<=", "<"}}},
        {">=", {condition, {">", "<", "<="}}},
        {"==", {condition, {"!="}}},
        {"!=", {condition, {"==", "<"}}},
        {"+=", {assignment, {"="}}},
        {"-=", {assignment, {"+="}}},
        {"*=", {assignment, {"+=", "="}}},
        {"++", {step, {"--"}}},
        {"--", {step, {"++"}}},
    };
    const auto at = kOthers.find(tokens_[i].spelling);
    const bool is_cast = i > 0 && tokens_[i - 1].spelling.ends_with("_cast");
    if (at != kOthers.end() && !is_cast)
      for (const std::string& other : at->second.second)
        if (other != "<=" || !is_quotient(i + 1)) replace(at->second.first, i, i + 1, other);
    if (is(i, "<") && scope_.is_integer(i + 1) && (is(i + 2, ";") || is(i + 2, ")"))) {
      for (const std::string_view factor : scope_.integers(Variable::Place::file, i))
        replace(index, i + 1, i + 2, fmt::format("{} * {}", text(i + 1, i + 2), factor));
      replace(index, i + 1, i + 2, "2 * " + text(i + 1, i + 2));
    }
    if (is(i, "&&") && !tests_bounds(i)) replace(condition, i, i + 1, "||");
    if (is(i, "||") && tests_bounds(i)) replace(condition, i, i + 1, "&&");
    const bool is_slip = is(i, "=") && (is(i + 1, "+") || is(i + 1, "-")) &&
                         tokens_[i].end() == tokens_[i + 1].begin;  // `i =+ step`
    if (is_slip) replace(rounding, i, i + 2, text(i + 1, i + 2) + "=");
    if (is(i, "=") && !scope_.is_declaration(i) && !is_slip)
      for (const char* other : {"+=", "*="}) replace(assignment, i, i + 1, other);
    static const std::map<std::string_view, std::vector<std::string>> kArithmetic = {
        {"+", {"*", "-"}}, {"-", {"+"}},  {"*", {"+", "/"}}, {"/", {"*", "%"}},
        {"%", {"/"}},      {"&", {"&&"}}, {"|", {"||"}},
    };
    const auto binary = kArithmetic.find(tokens_[i].spelling);
    if (binary == kArithmetic.end() || !scope_.is_binary(i)) return;
    const bool with_one = is(i - 1, "1") || is(i + 1, "1");  // `x * 1` is nobody's
    for (const std::string& other : binary->second)
      if (!with_one || (other != "*" && other != "/" && other != "%"))
        replace(index, i, i + 1, other);
  }

  /// An element is where all of these hold: `i < n && j < p`. Of `i >= n || j >= p` the opposite is true.
  bool tests_bounds(std::size_t i) const {
    const auto any = [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin; at < end; ++at)
        if (is(at, "<") || is(at, "<=")) return true;
      return false;
    };
    std::size_t begin = i, end = i;
    while (begin > 0 && !is_end(begin - 1)) --begin;
    while (end < tokens_.size() && !is_end(end)) ++end;
    return any(begin, end);
  }
  bool is_end(std::size_t i) const {
    return is(i, ";") || is(i, "{") || is(i, "}") || is(i, "?") || is(i, "=");
  }

  void numbers(std::size_t i) {
    if (tokens_[i].kind != Token::Kind::number || tokens_[i].spelling.size() > 6) return;
    const std::string_view spelling = tokens_[i].spelling;
    const bool is_unsigned = spelling.ends_with('u') || spelling.ends_with('U');
    const std::string_view digits = spelling.substr(0, spelling.size() - (is_unsigned ? 1 : 0));
    if (!std::ranges::all_of(digits, is_digit) || is(i + 2, "sizeof")) return;
    const long value = std::stol(std::string(digits));
    const auto become = [&](long other) {
      replace(index, i, i + 1, std::to_string(other) + (is_unsigned ? "u" : ""));
    };
    const bool is_index = is(i - 1, "[") && is(i + 1, "]");
    if (is_index) {  // an extent, `part[0]` for `part[k]`
      for (const std::string_view other : scope_.integers(Variable::Place::file, i))
        replace(index, i, i + 1, std::string(other));
      for (const std::string_view other : scope_.integers(Variable::Place::own, i))
        replace(name, i, i + 1, std::string(other));
    }
    const bool is_alone = i + 1 == tokens_.size() && !is(i - 1, ")");  // of a macro
    if ((is(i - 1, "+") || is_alone) && value > 1) become(1);          // padding
    if (is(i - 1, "==") && value > 1) become(0);
    if (value > 8 && value % 4 == 1) become(value + 3);  // of vectors
    for (const long other : {value + 1, value - 1})
      if (other >= 0 || (is(i - 1, "=") && is(i + 1, ";"))) become(other);
    if (is(i - 1, "<<") || (is(i - 1, ">") && is(i - 2, ">")) || is_alone)
      for (const long other : {value + 2, value - 2})
        if (other > 0) become(other);
    constexpr long kMostEdge = 1024;
    if (value >= 4 && (value & (value - 1)) == 0) {
      for (const long other : {value * 2, value / 2}) become(other);
      for (const long other : {value * 4, value / 4, kMostEdge})
        if (!is_alone) become(other);
    }
    if (!is_index) edge_of_block(i);
  }

  /// What is fixed where the block may have another size.
  void edge_of_block(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::number && (token.length < 2 || token.length > 4)) return;
    if (scope_.is_in_shared(i)) return;
    const std::size_t part = is(i - 1, "*") ? i - 2 : is(i + 1, "*") ? i + 4 : i;  // of blockIdx
    for (const char* edge : {"x", "y"})
      if (part == i || !is(part - 2, "blockIdx") || is(part, edge))
        replace(name, i, i + 1, std::string("blockDim.") + edge);
    if (is(i - 1, "=") && is(i + 1, ";")) replace(name, i, i + 1, "blockDim.x + 1");  // padded
    if (is(i - 1, "*")) replace(name, i, i + 1, "(blockDim.x + 1)");
  }

  void words(std::size_t i, std::size_t end) {
    if (!tokens_.is_word(i)) return;
    const std::string_view word = tokens_[i].spelling;
    static const std::map<std::string_view, std::pair<Rank, std::vector<std::string>>> kOthers = {
        {"threadIdx", {index, {"blockIdx"}}}, {"blockIdx", {index, {"threadIdx"}}},
        {"blockDim", {index, {"gridDim"}}},   {"gridDim", {index, {"blockDim"}}},
        {"min", {structure, {"max"}}},        {"max", {structure, {"min"}}},
        {"break", {structure, {"continue"}}}, {"return", {structure, {"continue"}}},
        {"char", {structure, {"int"}}},       {"short", {structure, {"int"}}},
        {"unsigned", {structure, {"int"}}},   {"fmaf", {step, {"fma"}}},
        {"sqrtf", {step, {"sqrt"}}},          {"powf", {step, {"pow"}}},
        {"fabsf", {step, {"fabs"}}},          {"expf", {step, {"exp"}}},
    };
    if (!template_type_.empty() && (word == "float" || word == "double" || word == "int"))
      replace(structure, i, i + 1, template_type_);
    if (word == "float" && template_type_.empty()) replace(structure, i, i + 1, "double");
    if (const auto at = kOthers.find(word); at != kOthers.end())
      for (const std::string& other : at->second.second) replace(at->second.first, i, i + 1, other);
    if (word == "while") missing_step(i, end);
    // `s8 sector`: of a narrow type, whatever it is called
    const bool is_plain = word == "int" || word == "auto" || word == "bool" || word == "const";
    if (!is_plain && scope_.is_declaration(i) && scope_.is_integer(i + 1))
      replace(step, i, i + 1, "int");
    if (word == "__syncthreads" && !is(i + 1, "(")) replace(rounding, i, i + 1, "__syncthreads()");
    other_pitch(i, end);
    if (i > 0 && is(i - 1, ".")) {
      if (word == "x" || word == "y") replace(index, i, i + 1, word == "x" ? "y" : "x");
      return;
    }
    if (word == "threadIdx" && is(i + 1, ".") && i + 2 < end) {
      const std::string d = text(i + 2, i + 3);
      const std::string offset = "blockIdx." + d + " * blockDim." + d;
      if (i >= 8 && text(i - 8, i - 1) == offset)
        replace(structure, i - 8, i + 3, "threadIdx." + d);
      else
        replace(structure, i, i + 3,
                is_operand(i, i + 3) ? "(" + offset + " + threadIdx." + d + ")"
                                     : offset + " + threadIdx." + d);
    }
    const bool is_declared = (is(i + 1, "=") && scope_.is_declaration(i + 1)) ||
                             (i > 0 && tokens_.is_word(i - 1) && !is(i - 1, "return") &&
                              !is(i - 1, "else") && !is(i - 1, "do"));
    const Variable* variable = is_declared ? nullptr : scope_.variable(i);
    if (variable == nullptr) return;
    if (variable->place == Variable::Place::file && scope_.is_integer(i)) edge_of_block(i);
    const bool is_extent = scope_.is_in_shared(i);
    for (const std::string_view other : scope_.variables(variable->kind, i))
      if (other != word && scope_.is_place(other) == scope_.is_place(word) &&
          (!is_extent || scope_.is_constant(other)) && scope_.are_together(word, other))
        replace(are_siblings(word, other) && !is_extent ? swap : name, i, i + 1,
                std::string(other));
  }

  /// An operator that binds closer than `+` stands beside [begin, end), or a bracket that belongs to it.
  bool is_operand(std::size_t begin, std::size_t end) const {
    for (const std::size_t i : {begin - 1, end})
      if (is(i, "*") || is(i, "/") || is(i, "%") || is(i, ")") || is(i, ".")) return true;
    return false;
  }

  /// Pairs of brackets beside each other, and what stands in each of them.
  void brackets(std::size_t i, std::size_t end) {
    if (!is(i, "[") && !is(i, "(")) return;
    const std::size_t close = tokens_.close_of(i);
    if (close >= end || close == i + 1) return;
    group(i + 1, close, true);
    if (!is(i, "[")) return;
    std::size_t next = close + 1;
    if (is(next, ".") && is(next + 2, "[")) next += 2;
    const std::size_t next_close = tokens_.close_of(next);
    if (!is(next, "[") || next_close >= end || next_close == next + 1) return;
    const std::string first = text(i + 1, close), second = text(next + 1, next_close);
    const bool is_padded =
        scope_.is_in_shared(i) && second.find('+') != second.npos && first.find('+') == first.npos;
    if (first != second &&
        !is_padded)  // one replacement, so that the same pair elsewhere is the same text
      replace(swap, i, next_close + 1,
              "[" + second + "]" + text(close + 1, next) + "[" + first + "]");
    if (has_swizzle_) replace(index, next + 1, next_close, fmt::format("{} ^ {}", second, first));
  }

  /// Terms too many, parentheses too few, divisions that round down, steps.
  void arithmetic(std::size_t i, std::size_t end) {
    if (!scope_.is_binary(i)) {
      const bool is_step = is(i, "++") || is(i, "--"), has_left = i > 0 && tokens_.is_word(i - 1);
      if (is_step && tokens_.is_word(i + 1) && !is(i + 2, "["))
        steps(i, i + 2, i + 1);
      else if (is_step && has_left)
        steps(i - 1, i + 1, i - 1);
      else if (is(i, "+=") && has_left)
        steps(i - 1, scope_.end_of_value(i + 1, end), i - 1);
      return;
    }
    const std::size_t right = scope_.primary_end(i + 1), left = scope_.primary_begin(i);
    if (right > end || left >= i) return;
    if (!is(i, "/") && !is(i, "%")) {
      // without the right one, and without the left one; `(k + 2)` leaves `k`
      const bool is_all =
          left > 0 && is(left - 1, "(") && is(right, ")") && !is_word_before(left - 1);
      const std::size_t from = is_all ? left - 1 : left, to = is_all ? right + 1 : right;
      // a shared array's padding is no mistake by itself, nor is a number of bytes
      const auto without = [&](std::size_t operand, Rank rank) {
        return is(operand, "sizeof") && !scope_.is_of_elements(i) ? structure : rank;
      };
      const Rank rank = scope_.is_in_shared(i) ? structure : is(i + 1, "1") ? rounding : index;
      replace(without(i + 1, rank), from, to, text(left, i));
      replace(without(left, index), from, to, text(i + 1, right));
    }
    const std::string a = text(left, i), b = text(i + 1, right);
    if (is(i, "/") && a.find("- 1)") == a.npos)  // it rounds up already
      replace(rounding, left, right, "(" + a + " + " + b + " - 1) / " + b);
    whole_sum(i);
    if (is(i, "/") && counts_bytes(b)) replace(step, left, right, a + " * 4 / " + b);
    if (is(i, "+") && right == i + 2 && scope_.is_integer(i + 1) && scope_.is_constant(b) &&
        tokens_.source().find("2 * " + b) != std::string_view::npos)
      replace(index, i + 1, right, "2 * " + b);  // a halo on both sides
    if (!is(i, "+") && !is(i, "-")) return;
    const bool after_product = left > 0 && (is(left - 1, "*") || is(left - 1, "/")),
               before_product = is(right, "*") || is(right, "/") || is(right, "%");
    if (after_product || before_product) replace(index, left, right, "(" + text(left, right) + ")");
    if (left > 0 && is(left - 1, "(") && is(right, ")"))
      replace(structure, left - 1, right + 1, text(left, right));
  }

  bool is_word_before(std::size_t i) const { return i > 0 && tokens_.is_word(i - 1); }

  /// A condition that is one too many: `if (inside) out[i] = 1;`.
  void conditions(std::size_t i, std::size_t end) {
    if (!is(i, "if") || !is(i + 1, "(")) return;
    const std::size_t close = tokens_.close_of(i + 1);
    if (close + 1 < end) replace(index, i, close + 1, "");
    if (is(i + 3, "<") && scope_.is_integer(i + 2))
      replace(structure, i, close + 1,
              fmt::format("for (; {}; {} += gridDim.x * blockDim.x)", text(i + 2, close),
                          text(i + 2, i + 3)));
    // one that is too few
    for (const std::string_view v : scope_.integers(Variable::Place::own, i))
      for (const std::string_view n : scope_.integers(Variable::Place::parameter, i))
        if (close == i + 5 && is(i + 3, "<") && !is(i + 2, v) && !is(i + 4, n))
          replace(index, i + 2, close, fmt::format("{} && {} < {}", text(i + 2, close), v, n));
  }

  /// `a + b * c / 8` where all of it is to be divided.
  void whole_sum(std::size_t i) {
    if (!is(i, "/") && !is(i, "%")) return;
    bool has_sum = false;
    std::size_t begin = i;
    while (begin > 0) {
      const std::size_t left = scope_.primary_begin(begin);
      if (left == begin) break;
      begin = left;
      const bool is_sum = begin > 0 && (is(begin - 1, "+") || is(begin - 1, "-"));
      if (begin == 0 || (!is_sum && !is(begin - 1, "*") && !is(begin - 1, "/"))) break;
      has_sum = has_sum || is_sum;
      --begin;
    }
    if (has_sum) replace(index, begin, i, "(" + text(begin, i) + ")");
  }

  /// The length of a row as the array is indexed with elsewhere: `tile[ty * 32 + tx]` beside `tile[tx * 33 + ty]`.
  void other_pitch(std::size_t i, std::size_t end) {
    const auto found = pitches_.find(tokens_[i].spelling);
    std::size_t star = 0;
    if (found == pitches_.end() || !is(i + 1, "[") || !(star = scope_.star_of_index(i + 1))) return;
    const std::size_t last = scope_.primary_end(star + 1);
    if (last > end) return;
    for (const std::string& pitch : found->second)
      if (pitch != text(star + 1, last)) replace(swap, star + 1, last, pitch);
  }
  /// A step at the end of a loop that has none: `while (i < n) { ... i += step; }`.
  void missing_step(std::size_t i, std::size_t end) {
    const std::size_t open = i + 1, body = is(open, "(") ? tokens_.close_of(open) + 1 : end;
    if (body >= end || !is(body, "{") || tokens_.close_of(body) >= end) return;
    for (std::size_t at = open + 1; at + 1 < body; ++at)
      if (scope_.is_integer(at) && !is(at - 1, "."))
        for (const char* by : kSteps)
          replace(structure, tokens_.close_of(body), tokens_.close_of(body) + 1,
                  "  " + text(at, at + 1) + " += " + by + "; }");
  }

  void steps(std::size_t begin, std::size_t end, std::size_t variable) {
    const std::string v = text(variable, variable + 1);
    if (!scope_.is_integer(variable) || end <= begin) return;
    for (const char* by : kSteps) replace(step, begin, end, v + " += " + by);
  }

  /// `__device__ float add(float u, float v)` beside a kernel for any type.
  void type_of_helpers() {
    for (const DeviceFunction& function : device_functions_of(tokens_)) {
      if (template_type_.empty() || function.is_kernel || function.body >= tokens_.size()) continue;
      std::size_t first = function.open;
      while (first > 0 && !is(first - 1, ";") && !is(first - 1, "}") && !is(first - 1, ">"))
        --first;
      Edit edit;
      for (std::size_t i = first; i < tokens_.close_of(function.body); ++i)
        if (is(i, "float")) edit.push_back(replacement(i, i + 1, template_type_));
      if (edit.empty()) continue;
      if (first == 0 || !is(first - 1, ">"))
        edit.insert(edit.begin(), {tokens_[first].begin, tokens_[first].begin,
                                   "template <typename " + template_type_ + ">\v"});
      add(step, std::move(edit), tokens_[first].line, {Id::change_floats});
    }
  }

  bool has_swizzle_ = false;   ///< an index somewhere is `a ^ b`
  std::string template_type_;  ///< "T"
  /// Of each array that is indexed `a * pitch + b`.
  std::map<std::string_view, std::set<std::string>> pitches_;
};

/// What a replacement changes, without what it has in common with what stood there; "" if it changes nothing.
std::string change_of(std::string_view source, const Replacement& part) {
  std::string_view before = source.substr(part.begin, part.end - part.begin), after = part.text;
  const auto first =
      static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  before.remove_prefix(first);
  after.remove_prefix(first);
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.remove_suffix(1);
    after.remove_suffix(1);
  }
  if (before.empty() && after.empty()) return {};
  return fmt::format("{} {} {}\n", part.begin + first, before, after);
}

/// `x = x;` and `x += 0;`, which compute nothing, whatever the compiler makes of them.
bool gives_to_itself(std::string_view source, const Replacement& part) {
  const std::string_view word = trim(part.text);
  const std::string_view rest = trim(source.substr(part.end));
  const std::size_t end = rest.find_first_not_of("0.fF");
  if (word == "+=" && rest.starts_with('0') && end != rest.npos && rest[end] == ';') return true;
  if (word == "*=" && rest.starts_with("1;")) return true;
  if (word.empty() || !std::ranges::all_of(word, is_word_character)) return false;
  std::string_view before = trim(source.substr(0, part.begin));
  if (!before.ends_with('=') || !rest.starts_with(';')) return false;
  before = trim(before.substr(0, before.size() - 1));
  return before.ends_with(word) && (before.size() == word.size() ||
                                    !is_word_character(before[before.size() - word.size() - 1]));
}

}  // namespace

std::vector<SmallEdit> small_edits(const Tokens& tokens, std::string_view kernel, std::size_t most,
                                   const std::set<std::uint32_t>& suspects) {
  const EditScope scope(tokens, kernel);
  std::size_t size = 0;
  for (const auto& [begin, end] : scope.bodies()) size += end - begin;
  if (size > kMostEditedTokens) return {};
  std::vector<Ranked> all;
  SmallEdits(tokens, scope, all).all();
  const std::set<std::uint32_t> makers = scope.makers_of(suspects),
                                earlier = scope.makers_of(makers);
  std::set<std::uint32_t>
      shared;  // an array that is too short is sooner made longer than its user shortened
  for (const Token& token : tokens)
    if (token.is("__shared__")) shared.insert(token.line);
  const auto place = [&](const Ranked& one) {
    if (suspects.empty() || suspects.contains(one.line)) return static_cast<int>(one.rank);
    const bool is_shared = shared.contains(one.line) && earlier.contains(one.line);
    return static_cast<int>(one.rank) + (is_shared || makers.contains(one.line) ? kWhereMade
                                         : earlier.contains(one.line)           ? kMadeBefore
                                                                                : kElsewhere);
  };
  std::ranges::stable_sort(all, {}, place);
  std::vector<SmallEdit> edits;
  std::map<std::string, std::size_t> made;
  for (Ranked& one : all) {
    if (edits.size() == most) break;
    const auto is_idle = [&](const Replacement& part) {
      return gives_to_itself(tokens.source(), part);
    };
    if (!put_in_order(one.edit) || !keeps_brackets(tokens.source(), one.edit) ||
        std::ranges::any_of(one.edit, is_idle))
      continue;
    std::string changes;
    one.edit = without_commuted(tokens.source(), one.edit);
    for (const Replacement& part : one.edit) changes += change_of(tokens.source(), part);
    if (changes.empty()) continue;
    if (const auto [known, is_new] = made.emplace(std::move(changes), edits.size()); is_new)
      edits.push_back({std::move(one.edit), std::move(one.why)});
    else if (!edits[known->second].why)
      edits[known->second].why = std::move(one.why);
  }
  return edits;
}

std::string apply_edit(std::string_view source, const Edit& edit) {
  std::string text;
  std::size_t from = 0;
  for (const Replacement& one : edit) {
    text += source.substr(from, one.begin - from);
    text += one.text;
    from = one.end;
  }
  return text += source.substr(from);
}

}  // namespace labkit::compile
