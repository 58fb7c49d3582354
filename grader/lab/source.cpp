#include "lab/source.h"

#include <cctype>
#include <vector>

#include "base/text.h"

namespace labkit::lab {
namespace {

struct Token {
  std::string_view text;
  std::uint32_t line = 0;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> found;
    bool line_start = true;  // only blanks and comments so far in this line: a # begins a directive
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_start = true;
        step();
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        step();
      } else if (starts("//")) {
        skip_line(true);
      } else if (starts("/*")) {
        skip_past("*/", 2);
      } else if (c == '#' && line_start) {
        skip_line(false);
      } else {
        line_start = false;
        found.push_back(token());
      }
    }
    return found;
  }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void skip_past(std::string_view end, std::size_t opening) {
    for (std::size_t i = 0; i < opening && at_ < text_.size(); ++i) step();
    while (at_ < text_.size() && !starts(end)) step();
    for (std::size_t i = 0; i < end.size() && at_ < text_.size(); ++i) step();
  }
  /// To the end of the line; a backslash before it takes the next line along. A directive's block
  /// comment may hold line ends of its own.
  void skip_line(bool is_comment) {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        step();
        if (text_[at_] == '\r' && at_ + 1 < text_.size()) step();
      } else if (!is_comment && starts("/*")) {
        skip_past("*/", 2);
        continue;
      } else if (!is_comment && starts("//")) {
        is_comment = true;
      }
      step();
    }
  }

  Token token() {
    const std::size_t begin = at_;
    const std::uint32_t line = line_;
    if (starts("R\"")) {
      const std::size_t open = text_.find('(', at_);
      if (open != std::string_view::npos &&
          open - at_ <= 18)  // a delimiter has at most 16 characters
        skip_past(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"", open - at_ + 1);
      else
        step();
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      const char quote = text_[at_];
      step();
      while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
        step();
      }
      if (at_ < text_.size() && text_[at_] == quote) step();
    } else if (is_word(text_[at_])) {
      // A digit separator (1'000) belongs to its number.
      const bool number = std::isdigit(static_cast<unsigned char>(text_[at_]));
      while (at_ < text_.size() &&
             (is_word(text_[at_]) ||
              (number && text_[at_] == '\'' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]))))
        step();
    } else {
      step();
    }
    return {text_.substr(begin, at_ - begin), line};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

/// Index of the bracket that closes tokens[open], or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::size_t open, std::string_view left,
                    std::string_view right) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == left) ++depth;
    if (tokens[i].text == right && --depth == 0) return i;
  }
  return tokens.size();
}

bool is_global(const std::vector<Token>& tokens, std::size_t name) {
  for (std::size_t i = name; i-- > 0;) {
    if (tokens[i].text == "__global__") return true;
    if (tokens[i].text == ";" || tokens[i].text == "}" || tokens[i].text == "{") return false;
  }
  return false;
}

/// Nothing between the braces but `extern __shared__ ... ;`.
bool is_empty(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  while (first < last) {
    if (tokens[first].text != "extern") return false;
    while (first < last && tokens[first].text != ";") ++first;
    ++first;
  }
  return true;
}

std::uint32_t todo_after(std::string_view source, std::uint32_t line) {
  const auto lines = split_lines(source);
  for (std::size_t i = line ? line - 1 : 0; i < lines.size(); ++i)
    if (lines[i].find("TODO") != std::string_view::npos) return static_cast<std::uint32_t>(i + 1);
  return 0;
}

}  // namespace

KernelSource inspect_kernel(std::string_view source, std::string_view name) {
  // A word is never cut into pieces, so this is exact; a class's files are asked for every lab's kernels.
  if (source.find(name) == std::string_view::npos ||
      source.find("__global__") == std::string_view::npos)
    return {};
  const std::vector<Token> tokens = Lexer(source).tokens();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "(" || !is_global(tokens, i)) continue;
    const std::size_t open = closing(tokens, i + 1, "(", ")") + 1;
    if (open >= tokens.size() || tokens[open].text != "{") continue;  // a declaration
    const std::size_t close = closing(tokens, open, "{", "}");
    KernelSource kernel;
    kernel.found = true;
    kernel.line = tokens[open].line;
    kernel.untouched = close < tokens.size() && is_empty(tokens, open + 1, close);
    kernel.todo_line = todo_after(source, kernel.line);
    kernel.body_has_todo =
        close < tokens.size() && kernel.todo_line != 0 && kernel.todo_line <= tokens[close].line;
    return kernel;
  }
  return {};
}

std::string first_comment(std::string_view source) {
  source = trim(source);
  if (source.substr(0, 2) == "/*") {
    const std::size_t end = source.find("*/");
    return std::string(trim(source.substr(2, end == std::string_view::npos ? end : end - 2)));
  }
  std::string comment;
  for (std::string_view line : split_lines(source)) {
    line = trim(line);
    if (line.substr(0, 2) != "//") break;
    if (!comment.empty()) comment += '\n';
    comment += trim(line.substr(2));
  }
  return comment;
}

std::vector<std::string> all_declared(std::string_view source, std::string_view key) {
  const std::string comment = first_comment(source), mark = std::string(key) + ":";
  std::vector<std::string> values;
  for (const std::string_view line : split_lines(comment))
    if (line.starts_with(mark)) values.emplace_back(trim(line.substr(mark.size())));
  return values;
}

std::optional<std::string> declared(std::string_view source, std::string_view key) {
  const std::vector<std::string> values = all_declared(source, key);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::optional<std::string> declared_verdict(std::string_view source) {
  return declared(source, "verdict");
}

std::vector<std::uint32_t> marked_lines(std::string_view source) {
  std::vector<std::uint32_t> marked;
  const auto lines = split_lines(source);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (trim(lines[i]).ends_with("// <--")) marked.push_back(static_cast<std::uint32_t>(i + 1));
  return marked;
}

}  // namespace labkit::lab
