// Of an element that nobody wrote: what stands around the store that wrote its neighbour.
#include <charconv>
#include <utility>
#include <vector>

#include "device/source_findings.h"

namespace labkit::device {
namespace {

using compile::Token;
using compile::Tokens;
using words::Id;
using words::Message;

/// Tokens [begin, end).
struct Piece {
  std::size_t begin = 0, end = 0;
};

/// An `if` or a loop around the store.
struct Around {
  std::size_t word = 0;
  Piece condition;
};

class StorePath {
 public:
  StorePath(const Tokens& tokens, const MissingElement& missing)
      : tokens_(tokens), missing_(missing) {}

  Message describe() {
    if (!find_store()) return {};
    for (std::size_t i = 0; i < store_.begin; ++i) note(i);
    return of_conditions();
  }

 private:
  bool is(std::size_t i, std::string_view what) const { return tokens_.is(i, what); }
  std::string text(const Piece& range) const {
    return std::string(tokens_.text(range.begin, range.end));
  }
  words::Parameter line(const char* name, std::size_t i) const {
    return {name, words::SourceLine{missing_.where.file, tokens_[i].line}};
  }

  /// The first element on the line that gets a value.
  bool find_store() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].line != missing_.where.line || !tokens_.is_word(i)) continue;
      std::size_t end = i + 1;
      while (end < tokens_.size() && (is(end, "[") || (end > i + 1 && is(end, "."))))
        end = is(end, ".") ? end + 2 : tokens_.close_of(end) + 1;
      store_ = {i, end};
      if (end > i + 1 && is(end, "=")) return true;
    }
    return false;
  }

  /// An `if` or a loop whose statement ends behind the store.
  void note(std::size_t i) {
    if (!is(i, "for") && !is(i, "if") && !is(i, "while")) return;
    const std::size_t close = tokens_.close_of(i + 1);
    std::size_t end = i;
    while (is(end, "if") || is(end, "for") || is(end, "while")) end = tokens_.close_of(end + 1) + 1;
    if (is(end, "{")) end = tokens_.close_of(end);
    while (end < tokens_.size() && !is(end, ";") && !is(end, "}")) ++end;
    if (close >= store_.begin || end < store_.end) return;
    Around found{i, {i + 2, close}};
    for (std::size_t k = i + 2; is(i, "for") && k < close; ++k) {
      if (!is(k, ";")) continue;
      if (found.condition.begin == i + 2)
        found.condition.begin = k + 1;
      else
        found.condition.end = k;
    }
    around_.push_back(found);
  }

  /// Of `name < size`, where the launch is given the size; else 0.
  std::uint64_t size_in(const Piece& part) const {
    std::uint64_t size = 0;
    for (const auto& [name, value] : missing_.scalars)
      if (part.end - part.begin == 3 && is(part.begin + 1, "<") && is(part.begin + 2, name))
        std::from_chars(value.data(), value.data() + value.size(), size);
    return size;
  }

  /// The loop that ends, the condition that excludes, or both.
  Message of_conditions() const {
    const Around *loop = nullptr, *condition = nullptr;
    for (const Around& each : around_) {
      bool holds = true;  // as far as the sizes tell
      for (std::size_t i = each.condition.begin, begin = i; i <= each.condition.end; ++i) {
        if (i != each.condition.end && !is(i, "&&")) continue;
        const Piece part{std::exchange(begin, i + 1), i};
        const std::uint64_t size = size_in(part);
        const bool is_index = store_.end - store_.begin == 4 && size != 0 &&
                              is(store_.begin + 2, tokens_[part.begin].spelling);
        holds = holds && size != 0 && size == (is_index ? missing_.total : missing_.rows);
      }
      if (!holds) (is(each.word, "if") ? condition : loop) = &each;
    }
    if (loop == nullptr && (condition == nullptr || missing_.has_rows_of_threads)) return {};
    Message found{loop == nullptr        ? Id::store_condition
                  : condition == nullptr ? Id::store_loop_ends
                                         : Id::store_loop_ends_or_condition};
    const auto add = [&](const char* where, const char* what, const Around* one) {
      if (one == nullptr) return;
      found.parameters.push_back(line(where, one->word));
      found.parameters.push_back({what, text(one->condition)});
    };
    add("loop", "end", loop);
    add("line", "condition", condition);
    return found;
  }

  const Tokens& tokens_;
  const MissingElement& missing_;
  Piece store_;
  std::vector<Around> around_;
};

}  // namespace

Message unreached_store(std::string_view source, const MissingElement& missing) {
  const Tokens tokens(source, Tokens::Keep::code);
  return StorePath(tokens, missing).describe();
}

}  // namespace labkit::device
