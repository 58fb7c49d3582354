#include "grade/change_reason.h"

#include <algorithm>

#include "base/text.h"
#include "compile/edit_scope.h"
#include "compile/tokens.h"
#include "grade/change.h"
#include "grade/change_in_kernel.h"

namespace labkit::grade {
namespace {

using compile::Tokens;
using words::Id;

/// A change as text and as tokens: what was there, and what is needed.
class Change {
 public:
  Change(const words::Message& change, const ChangedLine& line)
      : id_(change.id),
        before_(text_of(change, "before")),
        after_(text_of(change, "after")),
        line_(line) {}

  words::Message reason() const {
    if (before_.empty() || after_.empty()) return {};
    if (before_.has("sizeof") && before_.has("*") && !after_.has("sizeof") &&
        before_.text.find(after_.text) != std::string::npos)
      return {Id::change_bytes};
    if (only_adds_parentheses())
      return line_.before.starts_with("#define")
                 ? words::Message{Id::change_macro, {{"name", word(line_.before, 2)}}}
                 : words::Message{Id::change_precedence};
    for (const std::string sign : {"^", "&"})
      if (before_.has(sign) && !after_.has(sign) && !before_.has("%") && after_.has("%"))
        return {Id::change_power_of_two, {{"sign", sign}}};
    if (replace_all(after_.text, " + gridDim.x", " + 1") == before_.text && before_.has("1"))
      return {Id::change_next_step};
    if (line_.before.find('/') != std::string::npos && only_after(" - 1) / "))
      return {Id::change_rounds_down};
    for (const std::string_view test : {" < 0 || ", " >= 0 && "}) {
      const std::size_t at = after_.text.find(test);
      if (at == std::string::npos || before_.text.find(test) != std::string::npos ||
          !before_.text.ends_with(after_.text.substr(at + test.size())))
        continue;
      std::size_t first = at;
      while (first > 0 && compile::is_word_character(after_.text[first - 1])) --first;
      return {Id::change_below_zero, {{"name", after_.text.substr(first, at - first)}}};
    }
    for (const char* sign : {"<", ">="})
      if (before_.count(sign) == 1 && before_.has("*") && after_.count(sign) == 2 &&
          !after_.has("*"))
        return {Id::change_next_row};
    if (before_.has(">=") && replace_all(before_.text, "&&", "||") == after_.text)
      return {Id::change_outside_either};
    if (before_.has("<") && replace_all(before_.text, "||", "&&") == after_.text)
      return {Id::change_inside_both};
    if (after_.text == before_.text + " * blockDim.y" && before_.text.ends_with("blockDim.x"))
      return {Id::change_block_threads};
    if (after_.text == before_.text + " - 1")
      return {Id::change_last_index, {{"before", before_.text}, {"after", after_.text}}};
    if (after_.has("__shared__") && !before_.has("__shared__")) return {Id::change_private};
    if (replace_all(before_.text, " = ", " += ") == after_.text) return {Id::change_keeps_last};
    if (line_.before.starts_with("if (") && line_.after.starts_with("while ("))
      return {Id::change_once};
    if (before_.has("gridDim") && before_.has("blockDim") && before_.tokens.size() == 7 &&
        after_.tokens.size() == 1)
      return {Id::change_whole_blocks, {{"after", after_.text}}};
    if (id_ != Id::change_exchanged && is_other_order()) return {Id::change_row_major};
    if (before_.text == after_.text + ".0" || before_.text == after_.text + ".0f")
      return {Id::change_keeps_fraction, {{"before", before_.text}}};
    if (after_.text == "int")
      if (const Id narrow = narrow_type(before_.text); narrow != Id::none)
        return {narrow, {{"before", before_.text}}};
    if (is_integer(before_.text) && is_real(after_.text))
      return {Id::change_whole_numbers, {{"before", before_.text}}};
    return {};
  }

  /// What the values of variables tell: `address / 8` that becomes `address / 32`, where `address = element * sizeof(float)`;
  /// `i <= n` for `i < n`.
  words::Message reason_in(std::string_view source) const {
    if (const std::string fixed = becomes_block_size(); !fixed.empty()) {
      const bool is_width = source.find(fixed + " = blockDim.") != source.npos;
      return is_width ? words::Message{Id::change_block_threads}
                      : words::Message{Id::change_block_size, {{"before", fixed}}};
    }
    if (before_.tokens.size() == 3 && replace_all(before_.text, "<=", "<") == after_.text &&
        is_length(before_.tokens[2], source))
      return {Id::change_past_the_end};
    for (const auto& [sign, other] : {std::pair("%", "/"), std::pair("/", "%")})
      if (before_.has(sign) && after_.count(sign) == 1 &&
          source.find(replace_all(after_.text, sign, other)) != source.npos)
        return {Id::change_one_number};
    const bool is_divided = before_.tokens.size() == 3 && before_.tokens.is(1, "/") &&
                            after_.tokens.is(0, before_.tokens[0].spelling);
    if (!is_divided && before_.tokens.size() != 1) return {};
    const std::string name(before_.tokens[0].spelling);
    for (const std::string_view line : split_lines(source)) {
      const auto at = line.find(name + " = ");
      const auto has = [&](std::string_view word) { return line.find(word, at) != line.npos; };
      if (at == line.npos) continue;
      if (has("sizeof")) return {Id::change_counts_bytes, {{"name", name}}};
      const std::size_t first = at + name.size() + 3;
      const Side test(std::string(line.substr(first, line.find(';', first) - first)));
      if (test.has("&&") && test.sorted() == after_.sorted() && test.text != after_.text)
        return {Id::change_other_limits, {{"name", name}, {"test", test.text}}};
      if (!is_divided && has("gridDim") && has("blockDim") && after_.tokens.size() == 1)
        return {Id::change_whole_blocks, {{"after", after_.text}}};
    }
    return {};
  }

 private:
  struct Side {
    std::string text;
    Tokens tokens;
    explicit Side(std::string of) : text(std::move(of)), tokens(text, Tokens::Keep::code) {}
    bool empty() const { return tokens.empty(); }
    std::ptrdiff_t count(std::string_view word) const {
      return std::ranges::count_if(tokens, [&](const auto& token) { return token.is(word); });
    }
    bool has(std::string_view word) const { return count(word) != 0; }
    std::vector<std::string_view> sorted() const {
      std::vector<std::string_view> all;
      for (const compile::Token& token : tokens)
        if (!token.is("(") && !token.is(")")) all.push_back(token.spelling);
      std::ranges::sort(all);
      return all;
    }
  };

  static std::string text_of(const words::Message& change, std::string_view name) {
    const words::Value* value = change.find(name);
    const auto* text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? *text : "";
  }
  /// Of "#define PITCH 33", the third token.
  static std::string word(std::string_view line, std::size_t number) {
    const Tokens tokens(line.substr(1), Tokens::Keep::code);
    return tokens.size() > number - 1 ? std::string(tokens[number - 1].spelling) : "";
  }
  /// A parameter or a constant.
  static bool is_length(const compile::Token& name, std::string_view source) {
    const Tokens all(source, Tokens::Keep::code);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      if (all.is(i, name.spelling) && all.is(i + 1, "=") && !all.is(i - 2, "constexpr"))
        return false;
    return name.is_word();
  }
  bool only_after(std::string_view part) const {
    return line_.after.find(part) != std::string::npos &&
           line_.before.find(part) == std::string::npos;
  }
  bool only_adds_parentheses() const {
    return before_.sorted() == after_.sorted() && after_.count("(") > before_.count("(");
  }
  /// The one number that becomes `blockDim.x`, or `(blockDim.x + 1)`; "" where none does.
  std::string becomes_block_size() const {
    const Tokens &from = before_.tokens, &to = after_.tokens;
    std::size_t first = 0, behind = 0;
    const std::size_t least = std::min(from.size(), to.size());
    while (first < least && from.is(first, to[first].spelling)) ++first;
    while (behind < least - first &&
           from.is(from.size() - 1 - behind, to[to.size() - 1 - behind].spelling))
      ++behind;
    const bool is_one = first + 1 + behind == from.size() && !before_.has("blockDim");
    const std::size_t bracket = to.is(first, "(") ? 1 : 0;
    return is_one && to.is(first + bracket, "blockDim") ? std::string(from[first].spelling) : "";
  }
  /// `r + c * n` that becomes `r * n + c`.
  bool is_other_order() const {
    return before_.count("*") == 1 && before_.count("+") == 1 && !before_.has("(") &&
           !after_.has("(") && before_.sorted() == after_.sorted();
  }
  static bool is_integer(std::string_view type) {
    return type == "int" || type == "unsigned" || type == "long" || type == "auto";
  }
  static bool is_real(std::string_view type) {
    return type == "float" || type == "double" || type == "T";
  }

  /// Why an `int` is needed where the type is another; none where there is nothing to say.
  static Id narrow_type(std::string_view type) {
    if (type == "unsigned" || type == "size_t") return Id::change_never_negative;
    if (type == "char") return Id::change_narrow_char;
    return is_real(type) ? Id::change_keeps_fraction : Id::none;
  }

  Id id_;
  Side before_, after_;
  const ChangedLine& line_;
};

/// The element of a shared array that begins at token `i` of a line, with its indices; "" if none does, or it is stored to.
std::string element_read(const Tokens& line, std::size_t i) {
  std::size_t end = i + 1;
  while (line.is(end, "[") && line.close_of(end) < line.size()) end = line.close_of(end) + 1;
  return end > i + 1 && line.is_word(i) && !line.is(end, "=") ? std::string(line.text(i, end)) : "";
}

/// `tile[y][x]` that a line no longer reads, and that its own thread has stored.
bool reads_its_own(const std::vector<ChangedLine>& lines, std::string_view source) {
  const Tokens all(source, Tokens::Keep::code);
  const auto is_stored = [&](const Tokens& element, std::uint32_t before) {
    std::size_t stores = 0;
    bool is_shared = false, is_steady = true;  // no index is another one in the meantime
    for (std::size_t i = 0; i + element.size() < all.size(); ++i) {
      is_shared = is_shared || (all.is(i, "__shared__") && all.is(i + 2, element[0].spelling));
      std::size_t same = 0;
      while (same < element.size() && all.is(i + same, element[same].spelling)) ++same;
      if (same == element.size() && all.is(i + same, "=")) stores += all[i].line < before ? 1 : 2;
    }
    for (const compile::Token& index : element) {
      std::size_t values = 0;
      for (std::size_t i = 0; index.is_word() && i + 1 < all.size(); ++i)
        if (all.is(i, index.spelling))
          values += all.is(i + 1, "=") ? 1 : all.is(i + 1, "+=") ? 2 : 0;
      is_steady = is_steady && values <= 1;
    }
    return stores == 1 && is_shared && is_steady;
  };
  for (const ChangedLine& changed : lines) {
    const Tokens line(changed.before, Tokens::Keep::code);
    for (std::size_t i = 0; i < line.size(); ++i)
      if (const std::string element = element_read(line, i);
          !element.empty() && changed.after.find(element) == std::string::npos &&
          is_stored(Tokens(element, Tokens::Keep::code), changed.line))
        return true;
  }
  return false;
}

/// `blockIdx.y * blockDim.y + threadIdx.x` that becomes `blockIdx.x * blockDim.x + threadIdx.x`.
bool takes_one_direction(const ChangedLine& line) {
  const auto has = [](const std::string& text, char of_block, char of_thread) {
    return text.find(std::string("blockIdx.") + of_block) != std::string::npos &&
           text.find(std::string("threadIdx.") + of_thread) != std::string::npos;
  };
  return (has(line.before, 'y', 'x') && has(line.after, 'x', 'x')) ||
         (has(line.before, 'x', 'y') && has(line.after, 'y', 'y'));
}

/// Below that line there is a barrier or a shuffle.
Id needed_below(std::uint32_t line, std::string_view source) {
  for (const compile::Token& token : Tokens(source, Tokens::Keep::code)) {
    if (token.line <= line) continue;
    if (token.is("__syncthreads")) return Id::change_leaves;
    if (token.spelling.starts_with("__shfl_")) return Id::change_leaves_shuffle;
  }
  return Id::none;
}

/// `for (int d = -kRadius; d < kRadius; ++d)` that goes on to `<=`: "kRadius".
std::string last_neighbour(const ChangedLine& line) {
  const Tokens head(line.after, Tokens::Keep::code);
  for (std::size_t i = 0; i + 6 < head.size(); ++i)
    if (head.is(i, "=") && head.is(i + 1, "-") && head.is(i + 3, ";") && head.is(i + 5, "<=") &&
        head.is(i + 6, head[i + 2].spelling) &&
        replace_all(line.after, "<=", "<") == replace_all(line.before, "<=", "<"))
      return std::string(head[i + 2].spelling);
  return {};
}

/// The line waits for asynchronous copies, or the last one before it that is code does.
bool follows_a_wait(const ChangedLine& line, std::string_view source) {
  const auto waits = [](std::string_view code) {
    return code.find("wait_prior") != code.npos || code.find("wait_group") != code.npos ||
           code.find("consumer_wait") != code.npos;
  };
  std::uint32_t number = 0;
  std::string_view last;
  for (const std::string_view each : split_lines(source)) {
    const std::string_view code = without_comment(trim(each));
    if (++number >= line.line) return waits(code) || waits(last);
    if (!code.empty()) last = code;
  }
  return false;
}

/// Of a deleted `sum = 0;`, "sum".
std::string set_to_zero(const ChangedLine& line) {
  const Tokens before(line.before, Tokens::Keep::code);
  const bool is_zero = before.size() == 4 && before.is_word(0) && before.is(1, "=") &&
                       before[2].spelling.find_first_not_of("0.fF") == std::string_view::npos;
  return line.after.empty() && is_zero ? std::string(before[0].spelling) : "";
}

}  // namespace

words::Message reason_of(const std::vector<words::Message>& changes,
                         const std::vector<ChangedLine>& lines, std::string_view source) {
  if (lines.empty()) return {};
  for (const ChangedLine& line : lines)
    if (line.before.starts_with("if (") && line.after.starts_with("for ("))
      return changes.front().id == Id::change_if_loops ? words::Message{}
                                                       : words::Message{Id::change_once};
  if (reads_its_own(lines, source)) return {Id::change_own_element};
  if (words::Message reason = reason_in_kernel(lines, source)) return reason;
  for (const ChangedLine& line : lines) {
    const auto gains = [&](std::string_view part) {
      return line.after.find(part) != std::string::npos &&
             line.before.find(part) == std::string::npos;
    };
    if (gains(" * 4 / ")) {
      const Tokens after(line.after, Tokens::Keep::code);
      for (const compile::Token& token : after)
        if (compile::counts_bytes(token.spelling))
          return {Id::change_index_in_bytes, {{"name", std::string(token.spelling)}}};
    }
    if (gains("__syncthreads()"))
      return {line.before.find("__syncwarp(") != std::string::npos ? Id::change_one_warp
              : follows_a_wait(line, source)                       ? Id::change_own_copies
              : line.before.starts_with("}") || line.before.find("] = ") != std::string::npos
                  ? Id::change_still_read
                  : Id::change_waits};
    if (line.before.starts_with("for (") && gains("threadIdx.x / ")) return {Id::change_each_warp};
    if (line.before.starts_with("if (") && line.before.find("return;") != std::string::npos &&
        (line.after.empty() || line.after.starts_with("//")))
      if (const Id needed = needed_below(line.line, source); needed != Id::none) return {needed};
    if (const std::string radius = last_neighbour(line); !radius.empty())
      return {Id::change_both_ends, {{"name", radius}}};
    if (const std::string sum = set_to_zero(line); !sum.empty())
      return {Id::change_resets, {{"name", sum}}};
  }
  if (lines.size() == 2 && std::ranges::all_of(lines, takes_one_direction))
    return {Id::change_directions};
  for (const words::Message& one : changes) {
    const Change change(one, lines.front());
    if (words::Message reason = change.reason()) return reason;
    if (words::Message reason = change.reason_in(source)) return reason;
  }
  return {};
}

bool shares_loop(const ChangedLine& line) {
  const auto gains = [&](std::string_view part) {
    return line.after.find(part) != std::string::npos &&
           line.before.find(part) == std::string::npos;
  };
  return line.before.starts_with("for (") && line.before.find("= 0;") != std::string::npos &&
         gains("threadIdx.") && (gains("+= gridDim.") || gains("+= blockDim."));
}

}  // namespace labkit::grade
