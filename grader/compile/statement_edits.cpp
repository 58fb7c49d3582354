// Edits of whole statements, and of what stands side by side in one.
#include <fmt/format.h>

#include <set>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Names of one group of which each pair is swapped.
constexpr std::size_t kMostNames = 8;

}  // namespace

std::vector<EditMaker::Piece> EditMaker::items(std::size_t begin, std::size_t end) const {
  std::vector<Piece> found;
  std::size_t first = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (is(i, "(") || is(i, "[") || is(i, "{")) {
      const bool is_block = is(i, "{");
      i = std::min(tokens_.close_of(i), end);
      if (!is_block || is(i + 1, "else")) continue;
    } else if (!is(i, ";")) {
      continue;
    }
    found.push_back({first, std::min(i + 1, end)});
    first = i + 1;
  }
  return found;
}

void EditMaker::make_variable(Edit& edit) const {
  if (edit.size() != 1 || (edit[0].text.find("Dim.") == std::string::npos &&
                           edit[0].text.find("Idx.") == std::string::npos))
    return;
  const auto behind = std::ranges::partition_point(
      tokens_, [&](const Token& token) { return token.begin < edit[0].begin; });
  std::size_t first = static_cast<std::size_t>(behind - tokens_.begin());
  constexpr int kMostTokens = 64;  // of a declaration, before what is edited
  for (int left = kMostTokens;
       left > 0 && first > 0 && !is(first - 1, ";") && !is(first - 1, "{") && !is(first - 1, "}");
       --left)
    --first;
  if (is(first, "constexpr")) edit.insert(edit.begin(), replacement(first, first + 1, "const"));
}

void EditMaker::group(std::size_t begin, std::size_t end, bool variables) {
  std::vector<std::size_t> firsts;
  std::set<std::string_view> seen;
  bool has_x = false, has_y = false;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_member = i > 0 && is(i - 1, ".");
    has_x = has_x || (is_member && is(i, "x"));
    has_y = has_y || (is_member && is(i, "y"));
    const bool is_declared = is(i + 1, "=") && scope_.is_declaration(i + 1);
    const bool is_known =
        !is_declared && (scope_.is_variable(i) || is(i, "threadIdx") || is(i, "blockIdx"));
    if (!is_member && is_known && seen.insert(tokens_[i].spelling).second) firsts.push_back(i);
  }
  if (has_x && has_y) exchange(begin, end, {{"x", "y"}}, true);
  if (seen.contains("threadIdx") && seen.contains("blockIdx")) {
    exchange(begin, end, {{"threadIdx", "blockIdx"}}, false);
    exchange(begin, end, {{"threadIdx", "blockIdx"}, {"blockDim", "gridDim"}}, false);
  }
  if (firsts.size() > kMostNames)  // those that differ between threads are exchanged most often
    std::erase_if(firsts, [&](std::size_t i) { return !scope_.is_place(tokens_[i].spelling); });
  if (!variables || firsts.size() > kMostNames) return;
  for (std::size_t a = 0; a < firsts.size(); ++a)
    for (std::size_t b = a + 1; b < firsts.size(); ++b) {
      const Variable *one = scope_.variable(firsts[a]), *other = scope_.variable(firsts[b]);
      if (one != nullptr && other != nullptr && one->kind == other->kind &&
          !are_end_and_step(firsts[a], firsts[b]))
        exchange(begin, end, {{one->name, other->name}}, false,
                 is(end, ";") ? index : swap);  // of a whole statement: later
    }
}

void EditMaker::exchange(std::size_t begin, std::size_t end, Names pairs, bool members, Rank rank) {
  constexpr std::size_t kOneText = 40;  // tokens
  std::string swapped;
  Edit edit;
  std::size_t from = tokens_[begin].begin;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_member = i > 0 && is(i - 1, ".");
    std::string_view by;
    for (const auto& [one, other] : pairs) by = is(i, one) ? other : is(i, other) ? one : by;
    if (is_member != members || by.empty()) continue;
    edit.push_back(replacement(i, i + 1, std::string(by)));
    swapped += tokens_.source().substr(from, tokens_[i].begin - from);
    swapped += edit.back().text;
    from = tokens_[i].end();
  }
  if (edit.empty()) return;
  swapped += tokens_.source().substr(from, tokens_[end - 1].end() - from);
  // a short group is one text, so that the same text elsewhere is the same change
  if (end - begin <= kOneText)
    replace(rank, begin, end, swapped);
  else
    add(rank, std::move(edit), tokens_[begin].line);
}

namespace {

class StatementEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void statements(std::size_t begin, std::size_t end) {
    const std::vector<Statement> all = scope_.statements(begin, end);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Statement& one = all[k];
      const Variable* first = scope_.variable(one.begin);
      const bool is_element = first != nullptr && first->kind == Variable::Kind::array;
      group(one.whole, one.end, is_element || one.is_declaration);
      indices(one);
      if (one.is_declaration) declarations(one);
      if (one.is_declaration && k + 1 < all.size()) made_too_soon(one, all[k + 1]);
      if (k + 1 < all.size()) blocks_exchanged(one.whole, all[k + 1].end);
      if (one.is_declaration || one.begin >= one.end) continue;
      replace(assignment, one.whole, one.end + 1, "");
      atomic(one);
      if (k + 1 == all.size() || all[k + 1].whole != one.end + 1 || all[k + 1].is_declaration ||
          all[k + 1].whole != all[k + 1].begin || one.whole != one.begin)
        continue;
      const Statement& next = all[k + 1];
      const bool hands_on = is_in(tokens_[one.begin].spelling, next.begin + 1, next.end) ||
                            (tokens_.is_word(next.begin) &&
                             is_in(tokens_[next.begin].spelling, one.begin + 1, one.end));
      add(hands_on && is(one.begin + 1, "=") && is(next.begin + 1, "=") ? condition : structure,
          {replacement(one.begin, one.end, text(next.begin, next.end)),
           replacement(next.begin, next.end, text(one.begin, one.end))},
          tokens_[one.begin].line);
    }
  }

  /// `const float mine = here[i]; __pipeline_wait_prior(1);`, the other way round.
  void made_too_soon(const Statement& one, const Statement& next) {
    const bool waits = is(next.whole, "__syncthreads") || is(next.whole, "__syncwarp") ||
                       is(next.whole, "__pipeline_wait_prior");
    if (waits && next.whole == one.end + 1)
      add(condition,
          {replacement(one.begin, one.end, text(next.whole, next.end)),
           replacement(next.whole, next.end, text(one.begin, one.end))},
          tokens_[one.begin].line);
  }

  /// `counts[b] += 1`, `counts[b] = counts[b] + 1`, `*total += v` where several threads add to one element.
  void atomic(const Statement& one) {
    const bool steps_first = is(one.begin, "++"), is_pointer = is(one.begin, "*");
    const std::size_t begin = one.begin + (steps_first ? 1 : 0),
                      array = begin + (is_pointer ? 1 : 0);
    const Variable* variable = scope_.variable(array);
    if (variable == nullptr || variable->kind != Variable::Kind::array) return;
    std::size_t end = array + 1;
    while (is(end, "[")) end = tokens_.close_of(end) + 1;
    if (end >= one.end + (steps_first ? 1 : 0)) return;
    const std::string element = is_pointer ? text(array, end) : "&" + text(begin, end);
    const std::size_t sign = end + 1 + (end - begin);  // behind the same element
    const bool is_sum = is(end, "=") && sign + 1 < one.end && is(sign, "+") &&
                        text(begin, end) == text(end + 1, sign);
    if (is(end, "+=") || is_sum)
      replace(step, one.begin, one.end,
              fmt::format("atomicAdd({}, {})", element, text(is_sum ? sign + 1 : end + 1, one.end)),
              {Id::change_atomic});
    else if ((steps_first && end == one.end) || (is(end, "++") && end + 1 == one.end))
      replace(step, one.begin, one.end, fmt::format("atomicAdd({}, 1)", element),
              {Id::change_atomic});
  }

  /// `x = blockIdx.x * ...; y = blockIdx.y * ...;` where the block turns the corner; so of any structure that has an x and a y.
  void blocks_exchanged(std::size_t begin, std::size_t end) {
    std::set<std::string_view> owners;
    for (std::size_t i = begin; i + 2 < end; ++i)
      if (tokens_.is_word(i) && is(i + 1, ".") && !is(i, "blockDim") && !is(i, "gridDim") &&
          (is(i + 2, "x") || is(i + 2, "y")))
        owners.insert(tokens_[i].spelling);
    const auto turned = [&](std::string_view owner, bool with_sizes) {
      Edit edit;
      bool has_x = false, has_y = false;
      for (std::size_t i = begin; i + 2 < end; ++i) {
        const bool is_owner = is(i, owner);
        if ((!is_owner && !(with_sizes && is(i, "blockDim"))) || !is(i + 1, ".")) continue;
        has_x = has_x || (is_owner && is(i + 2, "x"));
        has_y = has_y || (is_owner && is(i + 2, "y"));
        if (is(i + 2, "x") || is(i + 2, "y"))
          edit.push_back(replacement(i + 2, i + 3, is(i + 2, "x") ? "y" : "x"));
      }
      return has_x && has_y ? edit : Edit{};
    };
    for (const std::string_view owner : owners) {
      Edit edit = turned(owner, false), both = turned(owner, true);
      if (both.size() > edit.size() && owner == "blockIdx")
        add(swap, std::move(both), tokens_[begin].line);
      if (!edit.empty()) add(swap, std::move(edit), tokens_[begin].line);
    }
  }

  /// `out[x] = in[y];` where the indices belong to each other's array; `a[k][i] * b[j][k]` where both are turned.
  void indices(const Statement& one) {
    std::vector<std::pair<std::size_t, std::size_t>> single;
    Edit turned;
    for (std::size_t i = one.whole; i < one.end; ++i) {
      const std::size_t close = tokens_.close_of(i);
      if (!is(i, "[") || close >= one.end || !scope_.is_variable(i - 1)) continue;
      if (const std::size_t last = tokens_.close_of(close + 1);
          is(close + 1, "[") && last < one.end) {
        turned.push_back(replacement(
            i, last + 1, "[" + text(close + 2, last) + "][" + text(i + 1, close) + "]"));
        i = last;
      } else if (scope_.is_pointer(i - 1)) {
        single.emplace_back(i + 1, close);
        i = close;
      }
    }
    if (turned.size() == 2) add(swap, std::move(turned), tokens_[one.whole].line);
    if (single.size() != 2) return;
    const auto [a, a_end] = single[0];
    const auto [b, b_end] = single[1];
    add(swap, {replacement(a, a_end, text(b, b_end)), replacement(b, b_end, text(a, a_end))},
        tokens_[a].line);
  }

  bool is_in(std::string_view word, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (is(i, word)) return true;
    return false;
  }

  /// `int sum;` without a value; an extent or a row's length that wants one more, so that rows begin in different banks.
  void declarations(const Statement& one) {
    // a copy of a structure where the structure itself is to change
    for (std::size_t i = one.begin + 1; i + 2 < one.end; ++i)
      if (is(i + 1, "=") && i == one.begin + 1 &&
          (is(one.begin, "auto") || kind_of_word(tokens_[one.begin].spelling) == WordKind::own) &&
          scope_.is_pointer(i + 2) && is(i + 3, "["))
        add(assignment, {{tokens_[one.begin].end(), tokens_[one.begin].end(), "&"}},
            tokens_[i].line, {Id::change_copy});
    const bool is_shared = text(one.begin, one.end).find("__shared__") != std::string::npos;
    const std::size_t last = one.end - 1;
    if (!is_shared && last > one.begin && scope_.is_variable(last) && !is(last - 1, "=") &&
        (is(last - 1, ",") || tokens_.is_word(last - 1)))
      replace(assignment, last, one.end, text(last, one.end) + " = 0");
    if (!is_shared && is(last, "]"))  // `bool seen[256];`
      replace(rounding, last, one.end, "] = {}", {Id::change_no_first_value});
    for (std::size_t i = one.begin; i < one.end; ++i) {
      const bool is_factor = is(i - 1, "[") || is(i - 1, "*");
      if (is_shared && is_factor && tokens_.is_word(i) && (is(i + 1, "]") || is(i + 1, "*")))
        replace(assignment, i, i + 1,
                is(i - 1, "[") && is(i + 1, "]") ? text(i, i + 1) + " + 1"
                                                 : "(" + text(i, i + 1) + " + 1)");
      // a second variable that hides the first
      if (!is_shared && is(i, "=") && i > one.begin + 1 &&
          is_in(tokens_[i - 1].spelling, i + 1, one.end))
        add(assignment, {{tokens_[one.begin].begin, tokens_[i - 1].begin, ""}}, tokens_[i].line);
      if (!is_shared && is(i, "=") && (is(i + 2, ",") || i + 2 == one.end)) first_values(i);
      if (!is_shared && is(i, "=") && i == one.begin + 2) begin_with_zero(i, one.end);
      const bool counts_threads = is(i + 1, "gridDim") || (is(i + 1, "blockDim") && is(i + 4, "*"));
      if (!is_shared && is(i, "=") && scope_.is_integer(i - 1) && !counts_threads)
        if (const std::size_t end = scope_.end_of_value(i + 1, one.end); end > i + 1)
          replace(index, i + 1, end, text(i + 1, end) + " + 1");
    }
  }

  /// `float sum = i < n ? x[i] : 0; for (; i < n; ...) sum += x[i];`: the first element counts twice.
  void begin_with_zero(std::size_t equals, std::size_t end) {
    bool reads = false, adds = false;
    for (std::size_t i = equals + 1; i < end; ++i)
      reads = reads || (scope_.is_pointer(i) && is(i + 1, "["));
    for (const auto& [first, last] : scope_.bodies())
      for (std::size_t i = std::max(first, end); reads && i < last; ++i)
        adds = adds || (is(i, tokens_[equals - 1].spelling) && is(i + 1, "+="));
    if (adds)
      replace(assignment, equals + 1, end, "0",
              {Id::change_begins_with_element, {{"name", text(equals - 1, equals)}}});
  }

  /// `float v = x[i], p = 1;` where it is to begin with v, or the other way round.
  void first_values(std::size_t equals) {
    const Variable* variable = scope_.variable(equals - 1);
    if (variable == nullptr || variable->kind != Variable::Kind::real) return;
    if (scope_.is_variable(equals + 1)) {
      for (const char* value : {"1", "0"}) replace(index, equals + 1, equals + 2, value);
      return;
    }
    for (const std::string_view other : scope_.variables(Variable::Kind::real, equals))
      if (other != variable->name) replace(name, equals + 1, equals + 2, std::string(other));
  }
};

}  // namespace

void statement_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin,
                     std::size_t end, std::vector<Ranked>& found) {
  StatementEdits(tokens, scope, found).statements(begin, end);
}

}  // namespace labkit::compile
