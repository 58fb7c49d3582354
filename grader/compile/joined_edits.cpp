// The same edit at several places that belong together: with the same text in a block, a function or the source, in the indices
// of one array, in two statements of one form.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// More places than these are not one slip.
constexpr std::size_t kMostPlaces = 8;
/// Statements of one form stand so close to each other.
constexpr std::size_t kClose = 3;

class JoinedEdits : public EditMaker {
 public:
  JoinedEdits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found) {
    for (std::size_t k = 0; k < found.size(); ++k)
      if (found[k].edit.size() == 1) singles_.push_back(k);
    for (std::size_t i = 0; i < tokens.size(); ++i) at_[tokens[i].begin] = i;
  }

  void all() {
    same_text();
    same_index();
    arrays();
    transposed();
    std::vector<Ranked> pairs;
    rounded_up(pairs);
    for (const auto& [begin, end] : scope_.bodies()) parallel(begin, end, pairs);
    for (const auto& [key, edits] : groups_) {
      const Where where = std::get<0>(key);
      join(edits, where == Where::source || where == Where::index ? 0 : 1);
    }
    found_.insert(found_.end(), pairs.begin(), pairs.end());
  }

 private:
  enum class Where : std::uint8_t { source, function, block, line, index, array };
  /// Where, which, what is replaced, by what.
  using Key = std::tuple<Where, std::string_view, std::size_t, std::string_view, std::string>;

  const Replacement& part(std::size_t k) const { return found_[k].edit[0]; }
  std::string_view what(std::size_t k) const {
    return tokens_.source().substr(part(k).begin, part(k).end - part(k).begin);
  }
  void put(Where where, std::string_view name, std::size_t number, std::size_t k) {
    groups_[{where, name, number, what(k), part(k).text}].push_back(k);
  }

  void same_text() {
    std::vector<std::size_t> braces;  // what lies between the same two belongs together
    for (const Token& token : tokens_)
      if (token.is("{") || token.is("}")) braces.push_back(token.begin);
    for (const std::size_t k : singles_) {
      const bool goes_on = part(k).text.starts_with(std::string(what(k)) + " ");  // i becomes i * n
      if (what(k).size() <= 1 && found_[k].rank != condition && !goes_on) continue;
      put(Where::source, {}, 0, k);
      for (const auto& [begin, end] : scope_.bodies())
        if (part(k).begin >= tokens_[begin].begin && part(k).begin < tokens_[end].begin)
          put(Where::function, {}, begin, k);
      const auto block = std::ranges::upper_bound(braces, part(k).begin) - braces.begin();
      put(Where::block, {}, static_cast<std::size_t>(block), k);
      put(Where::line, {}, found_[k].line, k);
    }
  }

  /// In `[...]` that is the same elsewhere.
  void same_index() {
    for (const std::size_t k : singles_) {
      const std::string_view source = tokens_.source();
      const auto open = source.rfind('[', part(k).begin), close = source.find(']', part(k).begin);
      if (open == source.npos || close == source.npos || part(k).end > close) continue;
      const std::string_view around = source.substr(open, close + 1 - open);
      if (around.find('\n') == around.npos && around.find(']') + 1 == around.size())
        put(Where::index, around, part(k).begin - open, k);
    }
  }

  /// In whatever an array is indexed with, also through pointers that point into it.
  void arrays() {
    std::map<std::string_view, std::string_view> points_into;
    for (std::size_t i = 1; i + 2 < tokens_.size(); ++i)
      if (is(i, "=") && scope_.is_pointer(i + 1) && is(i + 2, "+") && tokens_.is_word(i - 1))
        points_into[tokens_[i - 1].spelling] = tokens_[i + 1].spelling;
    for (const auto& [begin, end] : scope_.bodies())
      for (std::size_t i = begin; i < end; ++i) {
        const Variable* array = scope_.variable(i);
        if (array == nullptr || array->kind != Variable::Kind::array) continue;
        const std::size_t last = is(i + 1, "[")   ? std::min(tokens_.close_of(i + 1), end)
                                 : is(i + 1, "+") ? scope_.end_of_value(i + 1, end)
                                                  : i;
        const auto found = points_into.find(array->name);
        const std::string_view base = found == points_into.end() ? array->name : found->second;
        for (const std::size_t k : singles_)
          if (last > i && part(k).begin > tokens_[i].begin && part(k).end <= tokens_[last].begin)
            put(Where::array, base, begin, k);
      }
  }

  /// `tile[x][y]`: row and column, wherever the array is used.
  void transposed() {
    std::map<std::string, std::vector<std::size_t>> uses;  // the first bracket of each
    for (const auto& [begin, end] : scope_.bodies())
      for (std::size_t i = begin + 1; i < end; ++i) {
        const std::size_t second = is(i, "[") ? tokens_.close_of(i) + 1 : end;
        if (second >= end || !is(second, "[") || tokens_.close_of(second) >= end) continue;
        if (!tokens_.is_word(i - 1) || scope_.is_in_shared(i)) continue;
        const bool is_member = is(i - 2, ".") || is(i - 2, "->");
        uses[text(is_member ? i - 3 : i - 1, i)].push_back(i);
      }
    for (const auto& [array, places] : uses) {
      if (places.size() < 2 || places.size() > kMostPlaces) continue;
      Edit edit;
      for (const std::size_t i : places) {
        const std::size_t second = tokens_.close_of(i) + 1, last = tokens_.close_of(second) + 1;
        if (edit.empty() || edit.back().end <= tokens_[i].begin)
          edit.push_back(replacement(i, last, text(second, last) + text(i, second)));
      }
      add(condition, std::move(edit), tokens_[places.back()].line);
    }
  }

  /// Threads have parts of their own there: `k * threads + me`, not `i + k`, or a variable of such a value.
  bool has_parts(std::string_view place, std::size_t at) const {
    const Tokens tokens(place, Tokens::Keep::code);
    const Piece value = value_of(place, 0, at);
    const Tokens& of = tokens.size() == 1 ? tokens_ : tokens;
    const std::size_t end = tokens.size() == 1 ? value.end : tokens.size();
    for (std::size_t i = tokens.size() == 1 ? value.begin : 0; i < end; ++i)
      if (of.is(i, "*") && !of.is(i + 1, "blockDim")) return true;
    return false;
  }
  /// `n / threads` that is to be rounded up: the last turn then needs a test, `if (i < n)`.
  void rounded_up(std::vector<Ranked>& pairs) const {
    for (const std::size_t k : singles_) {
      const std::string number = "(" + std::string(what(k).substr(0, what(k).find(" / "))) + " + ";
      if (found_[k].rank != rounding || !part(k).text.starts_with(number)) continue;
      const std::string inside = " < " + number.substr(1, number.size() - 4) + ") ";
      for (const std::size_t other : singles_) {
        const std::string& test = part(other).text;
        const std::size_t less = test.find(inside);
        const auto at = at_.find(part(other).begin);
        if (test.starts_with("if (") && less != test.npos && at != at_.end() &&
            part(k).end <= part(other).begin && pairs.size() < kMostPlaces &&
            has_parts(std::string_view(test).substr(4, less - 4), at->second))
          pairs.push_back({condition, found_[k].line, {part(k), part(other)}});
      }
    }
  }

  /// `later`: how much later than each of them alone.
  void join(const std::vector<std::size_t>& edits, int later) {
    if (edits.size() < 2 || edits.size() > kMostPlaces) return;
    Edit edit;
    for (const std::size_t k : edits) edit.push_back(part(k));
    std::ranges::sort(edit, {}, &Replacement::begin);
    const auto is_same = [](const auto& a, const auto& b) { return a.begin == b.begin; };
    edit.erase(std::unique(edit.begin(), edit.end(), is_same), edit.end());
    const auto overlapping = std::ranges::adjacent_find(
        edit, [](const Replacement& a, const Replacement& b) { return a.end > b.begin; });
    if (edit.size() > 1 && overlapping == edit.end())
      add(later_than(edits[0], later), std::move(edit), found_[edits[0]].line,
          found_[edits[0]].why);
  }

  Rank later_than(std::size_t k, int later) const {
    return static_cast<Rank>(static_cast<int>(found_[k].rank) + later);
  }

  /// `x = blockIdx.x * 32; y = blockIdx.y * 32;`: the same part of both, by the same, or as the other differences are.
  void parallel(std::size_t begin, std::size_t end, std::vector<Ranked>& pairs) const {
    const std::vector<Statement> all = scope_.statements(begin, end);
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = a + 1; b < std::min(a + 1 + kClose, all.size()); ++b) {
        std::map<std::string_view, std::string_view> as;
        if (!are_parallel(all[a], all[b], as)) continue;
        const auto edits_in = [&](const Statement& one) {
          std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> edits;
          for (const std::size_t k : singles_)
            if (const auto first = at_.find(part(k).begin);
                first != at_.end() && first->second >= one.whole && first->second < one.end)
              edits[{first->second - one.whole, part(k).end - part(k).begin}].push_back(k);
          return edits;
        };
        const auto others = edits_in(all[b]);
        for (const auto& [place, edits] : edits_in(all[a]))
          for (const auto& [other_place, other_edits] : others)
            if (place.first == other_place.first)
              for (const std::size_t k : edits)
                for (const std::size_t other : other_edits)
                  if (belong_together(k, other, as))
                    pairs.push_back({later_than(k, 1), found_[k].line, {part(k), part(other)}});
      }
  }
  bool are_parallel(const Statement& a, const Statement& b,
                    std::map<std::string_view, std::string_view>& as) const {
    const std::size_t size = a.end - a.whole;
    if (size != b.end - b.whole || size < 5) return false;
    for (std::size_t i = 0; i < size; ++i) {
      const Token &one = tokens_[a.whole + i], &other = tokens_[b.whole + i];
      if (one.kind != other.kind) return false;
      if (one.spelling == other.spelling) continue;
      if (!one.is_word() ||
          as.emplace(one.spelling, other.spelling).first->second != other.spelling)
        return false;
    }
    return !as.empty();
  }
  /// By the same text, or by the text with the names of the other statement.
  bool belong_together(std::size_t k, std::size_t other,
                       const std::map<std::string_view, std::string_view>& as) const {
    if (found_[k].rank != found_[other].rank || part(k).end > part(other).begin) return false;
    const std::string &one = part(k).text, &two = part(other).text;
    if (one == two) return true;
    const Tokens a(one, Tokens::Keep::code), b(two, Tokens::Keep::code);
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i].spelling == b[i].spelling) continue;
      const auto found = as.find(a[i].spelling);
      const bool is_exchange = as.contains(b[i].spelling) && as.at(b[i].spelling) == a[i].spelling;
      if ((found == as.end() || found->second != b[i].spelling) && !is_exchange) return false;
    }
    return true;
  }

  std::vector<std::size_t> singles_;       ///< edits of one place
  std::map<std::size_t, std::size_t> at_;  ///< of a byte the token that begins there
  std::map<Key, std::vector<std::size_t>> groups_;
};

}  // namespace

void joined_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found) {
  JoinedEdits(tokens, scope, found).all();
}

}  // namespace labkit::compile
