// The one lexer of CUDA source: messages, outlines, declarations, similarity and highlighting all work on its tokens. Each
// token and each pair of brackets is found in one pass, so that a file of awkward tokens takes no longer than another of its
// size (tests/scan counts the steps). Nothing is expanded, and no protection rests on it: line_directives.h, which may not be
// fooled, reads the text in its own way.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace labkit::compile {

struct Token {
  /// text: a string or character literal; mark: an operator or a bracket, the longest that C++ has there but for `>>`, which
  /// closes two lists of template arguments as often as it shifts.
  enum class Kind : std::uint8_t { word, number, text, mark, directive, comment };
  Kind kind = Kind::mark;
  /// Into the source; a directive is its whole logical line. Of `and`, `or` and `not` the mark that they stand for.
  std::string_view spelling;
  std::size_t begin = 0;   ///< offset in the source
  std::size_t length = 0;  ///< in the source
  std::uint32_t line = 1;  ///< where it begins, from 1
  /// Of an opening ( [ or {: index of the token that closes it. The number of tokens where none does, and of all other
  /// tokens. Each kind of bracket is paired for itself: brackets of another kind between two do not matter.
  std::size_t close = 0;

  std::size_t end() const { return begin + length; }
  bool is(std::string_view what) const { return spelling == what; }
  bool is_word() const { return kind == Kind::word; }
};

class Tokens {
 public:
  enum class Keep : std::uint8_t { code, code_and_directives, all };
  /// `source` must outlive it.
  explicit Tokens(std::string_view source, Keep keep = Keep::code_and_directives);

  std::string_view source() const { return source_; }
  std::size_t size() const { return tokens_.size(); }
  bool empty() const { return tokens_.empty(); }
  auto begin() const { return tokens_.begin(); }
  auto end() const { return tokens_.end(); }
  /// Behind the last token an empty one, at the source's end.
  const Token& operator[](std::size_t i) const { return i < size() ? tokens_[i] : end_; }
  /// False behind the last token, too.
  bool is(std::size_t i, std::string_view what) const { return i < size() && tokens_[i].is(what); }
  bool is_word(std::size_t i) const { return i < size() && tokens_[i].is_word(); }
  /// size() where nothing closes it, and behind the last token.
  std::size_t close_of(std::size_t open) const {
    return open < size() ? tokens_[open].close : size();
  }
  /// The source from one token to before another, without what stands before the latter.
  std::string_view text(std::size_t begin, std::size_t end) const;

 private:
  std::string_view source_;
  std::vector<Token> tokens_;
  Token end_;
};

/// own: a name that the source's author chose; cuda: what CUDA declares for kernels, and whatever begins with `__`.
enum class WordKind : std::uint8_t { own, keyword, cuda };
WordKind kind_of_word(std::string_view word);

/// Letters, digits, `_`, `$` and the bytes of other scripts.
bool is_word_character(char c);
/// Whether `word` stands in `text`, and not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word);

/// Line (from 1) of an offset. It counts from the beginning: for one offset, not for many.
std::uint32_t line_at(std::string_view source, std::size_t offset);

}  // namespace labkit::compile
