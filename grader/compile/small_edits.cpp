#include "compile/small_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compile/edit_scope.h"

namespace labkit::compile {
namespace {

/// Places with the same text that are changed together.
constexpr std::size_t kMostPlaces = 8;
/// Names of one group of which each pair is swapped.
constexpr std::size_t kMostNames = 8;
constexpr std::size_t kMostGuards = 24;

/// How soon an edit is tried.
enum Rank { rounding, condition, swap, assignment, step, index, name, structure, guard };

struct Ranked {
  Rank rank;
  std::uint32_t line;
  Edit edit;
};

/// How much later than on a suspect line: where a value is made that is used there, and anywhere else.
constexpr int kWhereMade = 2, kElsewhere = 5;

class SmallEdits {
 public:
  SmallEdits(const Tokens& tokens, const EditScope& scope) : tokens_(tokens), scope_(scope) {
    for (const auto& [begin, end] : scope.bodies())
      for (std::size_t i = begin; i < end; ++i) {
        has_swizzle_ = has_swizzle_ || is(i, "^");
        if (!scope.is_variable(i) || !is(i + 1, "[")) continue;
        if (const std::size_t star = scope_.star_of_index(i + 1))
          pitches_[tokens[i].spelling].insert(text(star + 1, scope.primary_end(star + 1)));
      }
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (is(i, "typename") && tokens.is_word(i + 1)) template_type_ = text(i + 1, i + 2);
  }

  std::vector<Ranked> all() {
    for (const auto& [begin, end] : scope_.bodies()) {
      for (std::size_t i = begin; i < end; ++i) {
        operators(i);
        numbers(i);
        words(i, end);
        brackets(i, end);
        arithmetic(i, end);
        conditions(i, end);
      }
      group(begin, end, false);
      statements(begin, end);
    }
    everywhere();
    return std::move(found_);
  }

 private:
  bool is(std::size_t i, std::string_view what) const { return tokens_.is(i, what); }
  std::string text(std::size_t begin, std::size_t end) const {
    return std::string(tokens_.text(begin, end));
  }
  void add(Rank rank, Edit edit, std::uint32_t line) {
    found_.push_back({rank, line, std::move(edit)});
  }
  /// Tokens [begin, end) become `by`.
  Replacement replacement(std::size_t begin, std::size_t end, std::string by) const {
    return {tokens_[begin].begin, tokens_[end - 1].end(), std::move(by)};
  }
  void replace(Rank rank, std::size_t begin, std::size_t end, std::string by) {
    add(rank, {replacement(begin, end, std::move(by))}, tokens_[begin].line);
  }

  void operators(std::size_t i) {
    static const std::map<std::string_view, std::pair<Rank, std::vector<std::string>>> kOthers = {
        {"<", {condition, {"<=", ">=", ">"}}},
        {"<=", {condition, {"<", ">", ">="}}},
        {">", {condition, {">=", "<=", "<"}}},
        {">=", {condition, {">", "<", "<="}}},
        {"==", {condition, {"!="}}},
        {"!=", {condition, {"=="}}},
        {"&&", {condition, {"||"}}},
        {"||", {condition, {"&&"}}},
        {"+=", {assignment, {"="}}},
        {"-=", {assignment, {"+="}}},
        {"*=", {assignment, {"+=", "="}}},
        {"++", {step, {"--"}}},
        {"--", {step, {"++"}}},
    };
    const auto at = kOthers.find(tokens_[i].spelling);
    if (at != kOthers.end())
      for (const std::string& other : at->second.second) replace(at->second.first, i, i + 1, other);
    if (is(i, "=") && !scope_.is_declaration(i))
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

  void numbers(std::size_t i) {
    if (tokens_[i].kind != Token::Kind::number || tokens_[i].spelling.size() > 6) return;
    long value = 0;
    for (const char c : tokens_[i].spelling) {
      if (c < '0' || c > '9') return;
      value = 10 * value + (c - '0');
    }
    for (const long other : {value + 1, value - 1})
      if (other >= 0) replace(index, i, i + 1, std::to_string(other));
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
        {"unsigned", {structure, {"int"}}},   {"int", {structure, {"float", "double"}}},
        {"float", {structure, {"double"}}},
    };
    if (const auto at = kOthers.find(word); at != kOthers.end())
      for (const std::string& other : at->second.second) replace(at->second.first, i, i + 1, other);
    if (word == "while") missing_step(i, end);
    other_pitch(i, end);
    if (!template_type_.empty() && (word == "float" || word == "double" || word == "int"))
      replace(structure, i, i + 1, template_type_);
    if (i > 0 && is(i - 1, ".")) {
      for (const char* other : {"x", "y"})
        if ((word == "x" || word == "y") && word != other) replace(index, i, i + 1, other);
      return;
    }
    if (word == "threadIdx" && is(i + 1, ".") && i + 2 < end) {
      const std::string d = text(i + 2, i + 3);
      const std::string offset = "blockIdx." + d + " * blockDim." + d;
      if (i >= 8 && text(i - 8, i - 1) == offset)
        replace(structure, i - 8, i + 3, "threadIdx." + d);
      else
        replace(structure, i, i + 3, "(" + offset + " + threadIdx." + d + ")");
    }
    for (const Variable& other : scope_.like(i))
      if (other.name != word) replace(name, i, i + 1, std::string(other.name));
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
    if (first != second)  // one replacement, so that the same pair elsewhere is the same text
      replace(swap, i, next_close + 1,
              "[" + second + "]" + text(close + 1, next) + "[" + first + "]");
    if (has_swizzle_) replace(index, next + 1, next_close, fmt::format("{} ^ {}", second, first));
  }

  /// Swaps the x and the y of what has parts in [begin, end), threads and blocks, and with `variables` each two of these that
  /// are of one kind.
  void group(std::size_t begin, std::size_t end, bool variables) {
    std::vector<std::size_t> firsts;
    std::set<std::string_view> seen;
    bool has_x = false, has_y = false;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_member = i > 0 && is(i - 1, ".");
      has_x = has_x || (is_member && is(i, "x"));
      has_y = has_y || (is_member && is(i, "y"));
      const bool is_known = !scope_.like(i).empty() || is(i, "threadIdx") || is(i, "blockIdx");
      if (!is_member && is_known && seen.insert(tokens_[i].spelling).second) firsts.push_back(i);
    }
    if (has_x && has_y) exchange(begin, end, "x", "y", true);
    if (seen.contains("threadIdx") && seen.contains("blockIdx"))
      exchange(begin, end, "threadIdx", "blockIdx", false);
    if (!variables || firsts.size() > kMostNames) return;
    for (std::size_t a = 0; a < firsts.size(); ++a)
      for (std::size_t b = a + 1; b < firsts.size(); ++b)
        if (scope_.are_alike(firsts[a], firsts[b]))
          exchange(begin, end, tokens_[firsts[a]].spelling, tokens_[firsts[b]].spelling, false);
  }

  void exchange(std::size_t begin, std::size_t end, std::string_view one, std::string_view other,
                bool members) {
    constexpr std::size_t kOneText = 40;  // tokens
    std::string swapped;
    Edit edit;
    std::size_t from = tokens_[begin].begin;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_member = i > 0 && is(i - 1, ".");
      if (is_member != members || (!is(i, one) && !is(i, other))) continue;
      edit.push_back(replacement(i, i + 1, std::string(is(i, one) ? other : one)));
      swapped += tokens_.source().substr(from, tokens_[i].begin - from);
      swapped += edit.back().text;
      from = tokens_[i].end();
    }
    if (edit.empty()) return;
    swapped += tokens_.source().substr(from, tokens_[end - 1].end() - from);
    // a short group is one text, so that the same text elsewhere is the same change
    if (end - begin <= kOneText)
      replace(swap, begin, end, swapped);
    else
      add(swap, std::move(edit), tokens_[begin].line);
  }

  /// Terms too many, parentheses too few, divisions that round down, steps.
  void arithmetic(std::size_t i, std::size_t end) {
    if (i == 0 || !scope_.is_binary(i)) {
      if ((is(i, "++") || is(i, "--")) && tokens_.is_word(i + 1) && !is(i + 2, "["))
        steps(i, i + 2, i + 1);
      else if ((is(i, "++") || is(i, "--")) && i > 0 && tokens_.is_word(i - 1))
        steps(i - 1, i + 1, i - 1);
      else if (is(i, "+=") && i > 0 && tokens_.is_word(i - 1))
        steps(i - 1, scope_.end_of_value(i + 1, end), i - 1);
      return;
    }
    const std::size_t right = scope_.primary_end(i + 1), left = scope_.primary_begin(i);
    if (right > end || left >= i) return;
    if (!is(i, "/") && !is(i, "%")) {
      // without the right one, and without the space before it
      add(index, {{tokens_[i - 1].end(), tokens_[right - 1].end(), ""}}, tokens_[i].line);
      add(index, {{tokens_[left].begin, tokens_[i + 1].begin, ""}},
          tokens_[i].line);  // the left one
    }
    const std::string a = text(left, i), b = text(i + 1, right);
    if (is(i, "/")) replace(rounding, left, right, "(" + a + " + " + b + " - 1) / " + b);
    other_layout(i, left, right);
    whole_sum(i);
    if (!is(i, "+") && !is(i, "-")) return;
    const bool after_product = left > 0 && (is(left - 1, "*") || is(left - 1, "/")),
               before_product = is(right, "*") || is(right, "/") || is(right, "%");
    if (after_product || before_product) replace(index, left, right, "(" + text(left, right) + ")");
    if (left > 0 && is(left - 1, "(") && is(right, ")"))
      replace(structure, left - 1, right + 1, text(left, right));
  }

  /// A condition that is one too many: `if (inside) out[i] = 1;`.
  void conditions(std::size_t i, std::size_t end) {
    if (!is(i, "if") || !is(i + 1, "(")) return;
    const std::size_t close = tokens_.close_of(i + 1);
    if (close + 1 < end)
      add(index, {{tokens_[i].begin, tokens_[close + 1].begin, ""}}, tokens_[i].line);
    if (close == i + 5 && is(i + 3, "<") && scope_.is_integer(i + 2))
      replace(structure, i, close + 1,
              fmt::format("for (; {0} < {1}; {0} += gridDim.x * blockDim.x)", text(i + 2, i + 3),
                          text(i + 4, i + 5)));
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
  /// Another layout: `i * 8 + k` where the element is at `k * n + i`.
  void other_layout(std::size_t plus, std::size_t left, std::size_t right) {
    if (!is(plus, "+") || left < 2) return;
    std::size_t first = left;
    std::string row;
    if (is(left - 1, "*") && scope_.is_binary(left - 1)) {
      first = scope_.primary_begin(left - 1);
      if (first < left - 1) row = text(first, left - 1);
    } else if (left + 1 == plus) {
      row = scope_.row_of(tokens_[left].spelling);
    }
    if (row.empty()) return;
    const std::string column = text(plus + 1, right);
    for (const std::string_view length : scope_.given_integers())
      replace(name, first, right, fmt::format("{} * {} + {}", column, length, row));
  }

  /// A step at the end of a loop that has none: `while (i < n) { ... i += step; }`.
  void missing_step(std::size_t i, std::size_t end) {
    const std::size_t open = i + 1, body = is(open, "(") ? tokens_.close_of(open) + 1 : end;
    if (body >= end || !is(body, "{") || tokens_.close_of(body) >= end) return;
    for (std::size_t at = open + 1; at + 1 < body; ++at)
      if (!scope_.like(at).empty() && scope_.is_integer(at))
        for (const char* by : {"gridDim.x * blockDim.x", "blockDim.x", "1", "32"})
          replace(structure, tokens_.close_of(body), tokens_.close_of(body) + 1,
                  "  " + text(at, at + 1) + " += " + by + "; }");
  }

  void steps(std::size_t begin, std::size_t end, std::size_t variable) {
    const std::string v = text(variable, variable + 1);
    if (!scope_.is_integer(variable) || end <= begin) return;
    for (const char* by : {"gridDim.x * blockDim.x", "blockDim.x", "1", "32"})
      replace(structure, begin, end, v + " += " + by);
  }

  void statements(std::size_t begin, std::size_t end) {
    const std::vector<Statement> all = scope_.statements(begin, end);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Statement& one = all[k];
      group(one.whole, one.end, false);
      if (one.is_declaration) declarations(one);
      if (k + 1 < all.size()) blocks_exchanged(one.whole, all[k + 1].end);
      if (one.is_declaration || one.begin >= one.end) continue;
      replace(assignment, one.begin, one.end, "");
      guards(one);
      if (k + 1 == all.size() || all[k + 1].whole != one.end + 1 || all[k + 1].is_declaration ||
          all[k + 1].whole != all[k + 1].begin || one.whole != one.begin)
        continue;
      const Statement& next = all[k + 1];
      add(structure,
          {replacement(one.begin, one.end, text(next.begin, next.end)),
           replacement(next.begin, next.end, text(one.begin, one.end))},
          tokens_[one.begin].line);
    }
  }

  /// `x = blockIdx.x * ...; y = blockIdx.y * ...;` where the block turns the corner.
  void blocks_exchanged(std::size_t begin, std::size_t end) {
    Edit edit;
    bool has_x = false, has_y = false;
    for (std::size_t i = begin; i + 2 < end; ++i) {
      if (!is(i, "blockIdx") || !is(i + 1, ".")) continue;
      has_x = has_x || is(i + 2, "x");
      has_y = has_y || is(i + 2, "y");
      if (is(i + 2, "x") || is(i + 2, "y"))
        edit.push_back(replacement(i + 2, i + 3, is(i + 2, "x") ? "y" : "x"));
    }
    if (has_x && has_y) add(swap, std::move(edit), tokens_[begin].line);
  }

  bool is_in(std::string_view word, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (is(i, word)) return true;
    return false;
  }

  /// `int sum;` without a value; an extent or a row's length that wants one more, so that rows begin in different banks.
  void declarations(const Statement& one) {
    const bool is_shared = text(one.begin, one.end).find("__shared__") != std::string::npos;
    const std::size_t last = one.end - 1;
    if (!is_shared && last > one.begin && scope_.is_variable(last) && !is(last - 1, "=") &&
        (is(last - 1, ",") || tokens_.is_word(last - 1)))
      replace(assignment, last, one.end, text(last, one.end) + " = 0");
    for (std::size_t i = one.begin; i < one.end; ++i) {
      const bool is_factor = is(i - 1, "[") || is(i - 1, "*");
      if (is_shared && is_factor && tokens_.is_word(i) && (is(i + 1, "]") || is(i + 1, "*")))
        replace(index, i, i + 1,
                is(i - 1, "[") && is(i + 1, "]") ? text(i, i + 1) + " + 1"
                                                 : "(" + text(i, i + 1) + " + 1)");
      // a second variable that hides the first
      if (!is_shared && is(i, "=") && i > one.begin + 1 &&
          is_in(tokens_[i - 1].spelling, i + 1, one.end))
        add(assignment, {{tokens_[one.begin].begin, tokens_[i - 1].begin, ""}}, tokens_[i].line);
      if (!is_shared && is(i, "=") && scope_.is_integer(i - 1))
        if (const std::size_t end = scope_.end_of_value(i + 1, one.end); end > i + 1)
          replace(name, i + 1, end, text(i + 1, end) + " + 1");
    }
  }

  /// The integers among `names` that stand in tokens [begin, end).
  std::vector<std::string_view> used_of(const std::vector<std::string_view>& names,
                                        std::size_t begin, std::size_t end) const {
    std::vector<std::string_view> used;
    for (const std::string_view one : names)
      for (std::size_t i = begin; i < end && (used.empty() || used.back() != one); ++i)
        if (is(i, one)) used.push_back(one);
    return used;
  }

  /// Another condition of a store to global memory, of the integers of its index.
  void other_conditions(const Statement& one, const std::vector<std::string_view>& own,
                        const std::vector<std::string_view>& given) {
    if (!is(one.whole, "if") || !is(one.whole + 1, "(")) return;
    const std::size_t close = tokens_.close_of(one.whole + 1);
    if (close + 1 != one.begin) return;
    const auto used = used_of(own, one.begin + 1, tokens_.close_of(one.begin + 1));
    const auto become = [&](const std::string& what) { replace(name, one.whole + 2, close, what); };
    for (const auto& v : used)
      for (const auto& n : given) become(fmt::format("{} < {}", v, n));
    if (used.size() > 3) return;
    for (const auto& v : used)
      for (const auto& n : given)
        for (const auto& w : used)
          for (const auto& m : given)
            if (v != w && n < m) become(fmt::format("{} < {} && {} < {}", v, n, w, m));
  }

  /// A store to global memory only where the element exists.
  void guards(const Statement& one) {
    if (!scope_.is_pointer(one.begin) || !is(one.begin + 1, "[")) return;
    const std::vector<std::string_view> own = scope_.own_integers(),
                                        given = scope_.given_integers();
    other_conditions(one, own, given);
    std::size_t made = 0;
    const auto insert = [&](const std::string& what) {
      if (made++ < kMostGuards)
        replace(guard, one.begin, one.end, "if (" + what + ") " + text(one.begin, one.end));
    };
    for (const auto& v : own)
      for (const auto& n : given) insert(fmt::format("{} < {}", v, n));
    for (const auto& v : own)
      for (const auto& n : given)
        for (const auto& w : own)
          for (const auto& m : given)
            if (v != w && n < m) insert(fmt::format("{} < {} && {} < {}", v, n, w, m));
  }

  /// The same change at every place that has the same text.
  void everywhere() {
    using Key = std::tuple<std::string_view, std::string>;
    std::map<Key, std::vector<std::size_t>> places;
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (found_[k].edit.size() != 1) continue;
      const Replacement& only = found_[k].edit[0];
      places[{tokens_.source().substr(only.begin, only.end - only.begin), only.text}].push_back(k);
    }
    for (const auto& [key, all] : places) {
      if (all.size() < 2 || all.size() > kMostPlaces || std::get<0>(key).size() < 2) continue;
      Edit edit;
      for (const std::size_t k : all) edit.push_back(found_[k].edit[0]);
      std::sort(edit.begin(), edit.end(),
                [](const auto& a, const auto& b) { return a.begin < b.begin; });
      edit.erase(std::unique(edit.begin(), edit.end(),
                             [](const auto& a, const auto& b) { return a.begin == b.begin; }),
                 edit.end());
      if (edit.size() < 2) continue;
      bool apart = true;
      for (std::size_t k = 1; k < edit.size(); ++k)
        apart = apart && edit[k - 1].end <= edit[k].begin;
      if (apart) add(found_[all[0]].rank, std::move(edit), found_[all[0]].line);
    }
  }

  const Tokens& tokens_;
  const EditScope& scope_;
  bool has_swizzle_ = false;   ///< an index somewhere is `a ^ b`
  std::string template_type_;  ///< "T"
  std::map<std::string_view, std::set<std::string>>
      pitches_;  ///< of each array that is indexed `a * pitch + b`
  std::vector<Ranked> found_;
};

/// What a replacement changes, without what it has in common with what stood there; "" if it changes nothing.
std::string change_of(std::string_view source, const Replacement& part) {
  std::string_view before = source.substr(part.begin, part.end - part.begin), after = part.text;
  std::size_t begin = part.begin;
  while (!before.empty() && !after.empty() && before.front() == after.front()) {
    before.remove_prefix(1);
    after.remove_prefix(1);
    ++begin;
  }
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.remove_suffix(1);
    after.remove_suffix(1);
  }
  return before.empty() && after.empty() ? std::string{}
                                         : fmt::format("{} {} {}\n", begin, before, after);
}

}  // namespace

std::vector<Edit> small_edits(const Tokens& tokens, std::string_view kernel, std::size_t most,
                              const std::set<std::uint32_t>& suspects) {
  const EditScope scope(tokens, kernel);
  std::size_t size = 0;
  for (const auto& [begin, end] : scope.bodies()) size += end - begin;
  if (size > kMostEditedTokens) return {};
  std::vector<Ranked> all = SmallEdits(tokens, scope).all();
  const std::set<std::uint32_t> makers = scope.makers_of(suspects);
  const auto place = [&](const Ranked& one) {
    if (suspects.empty() || suspects.contains(one.line)) return int{one.rank};
    return one.rank + (makers.contains(one.line) ? kWhereMade : kElsewhere);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Ranked& a, const Ranked& b) { return place(a) < place(b); });
  std::vector<Edit> edits;
  std::set<std::string> made;
  for (Ranked& one : all) {
    if (edits.size() == most) break;
    std::string changes;
    for (const Replacement& part : one.edit) changes += change_of(tokens.source(), part);
    if (!changes.empty() && made.insert(std::move(changes)).second)
      edits.push_back(std::move(one.edit));
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
