// Reads declarations, statements and expressions off the tokens as far as it takes to compare them: what is no C++ gives
// some forms too, and nothing rests on it.
#include "class/similar/similar_forms.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "class/similar/similar_algebra.h"
#include "compile/tokens.h"

namespace labkit::course::algebra {
namespace {

using compile::Tokens;

/// Words that a copy may gain or lose without being another program.
bool says_nothing(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "const",        "constexpr",  "static",          "inline",       "volatile", "restrict",
      "__restrict__", "__restrict", "__forceinline__", "__noinline__", "register", "final"};
  return words.contains(word);
}
bool is_type_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "int",  "float", "double", "unsigned", "signed", "long",   "short",
      "char", "bool",  "auto",   "size_t",   "void",   "float4", "double2"};
  return words.contains(word);
}

class Reader {
  using Token = compile::Token;
  using Kind = Token::Kind;

 public:
  explicit Reader(std::string_view source) : tokens_(source, Tokens::Keep::all) {
    result_.letters = result_.sequence = hash_of("");
    for (const char c : source)
      if (static_cast<unsigned char>(c) > ' ')
        result_.letters = mix(result_.letters, static_cast<unsigned char>(c));
  }
  SourceForms read() {
    take_code();
    for (std::size_t i = 0; i < end();) i = statement(i);
    return std::move(result_);
  }

 private:
  /// What is left without comments, directives and words that say nothing.
  void take_code() {
    std::unordered_map<std::string_view, std::uint64_t> names;
    std::vector<std::size_t> place(tokens_.size() + 1, kMaxTokens);  // in code_
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.kind == Kind::comment) comment(token.spelling);
      if (token.kind == Kind::directive) define(token);
      if (token.kind == Kind::comment || token.kind == Kind::directive ||
          says_nothing(token.spelling))
        continue;
      if (code_.size() == kMaxTokens) {
        result_.cut = true;
        break;
      }
      place[i] = code_.size();
      code_.push_back(&token);
      const bool is_member = i > 0 && tokens_.is(i - 1, ".") && token.spelling.size() == 1 &&
                             token.spelling >= "w" && token.spelling <= "z";
      const bool is_own = token.is_word() && !is_member &&
                          compile::kind_of_word(token.spelling) == compile::WordKind::own;
      if (!token.is("{") && !token.is("}"))
        result_.sequence =
            mix(result_.sequence,
                is_own ? names.try_emplace(token.spelling, names.size()).first->second
                : token.kind == Kind::number ? static_cast<std::uint64_t>(literal(token.spelling))
                : token.kind == Kind::text   ? hash_of("text")
                : token.is("class")          ? hash_of("typename")
                                             : hash_of(token.spelling));
    }
    for (const Token* token : code_) close_.push_back(std::min(place[token->close], end()));
  }

  const Token& at(std::size_t i) const { return *code_[i]; }
  bool is(std::size_t i, std::string_view what) const { return i < end() && at(i).is(what); }
  bool is_word(std::size_t i) const { return i < end() && at(i).is_word(); }
  std::size_t end() const { return code_.size(); }
  std::size_t behind(std::size_t i) const { return std::min(close_[i] + 1, end()); }

  void comment(std::string_view text) {
    std::string words;
    std::size_t letters = 0;
    for (const char c : text)
      if (compile::is_word_character(c)) {
        ++letters;
        words += to_lower(c);
      } else if (!words.empty() && words.back() != ' ') {
        words += ' ';
      }
    while (words.ends_with(' ')) words.pop_back();
    // "loop", "read tile": anybody writes that.
    constexpr std::size_t kTelling = 16, kMostComments = 2000;
    if (letters >= kTelling && result_.comments.size() < kMostComments)
      result_.comments.push_back(std::move(words));
  }

  /// #define NAME NUMBER is a constant; other macros are statements as they are used.
  void define(const Token& directive) {
    const Tokens parts(trim(directive.spelling.substr(1)), Tokens::Keep::code);
    if (parts.is(0, "define") && parts.size() == 3 && parts[2].kind == Kind::number)
      stands_for_[parts[1].spelling] = number(literal(parts[2].spelling));
  }

  static bool is_assignment(std::string_view mark) {
    static const std::set<std::string_view> marks = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    return marks.contains(mark);
  }
  /// Of a function's body: names that get another value after their first.
  void find_changed(std::size_t from, std::size_t to) {
    changed_.clear();
    for (std::size_t i = from; i < to; ++i) {
      if (!is_word(i)) continue;
      const bool is_begun = is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, ")");
      const bool steps =
          is(i + 1, "++") || is(i + 1, "--") || (i > 0 && (is(i - 1, "++") || is(i - 1, "--")));
      if (steps ||
          (i + 1 < end() && is_assignment(at(i + 1).spelling) && (is_begun || !is(i + 1, "="))))
        changed_.insert(at(i).spelling);
    }
  }
  /// 0x20u, 32 and 32.0f are 32; what is no integer gets a number that stands for it.
  static std::int64_t literal(std::string_view raw) {
    std::string text;
    for (const char c : raw)
      if (c != '\'') text += to_lower(c);
    const bool hexadecimal = text.starts_with("0x");
    while (text.size() > 1 &&
           (text.back() == 'u' || text.back() == 'l' || (text.back() == 'f' && !hexadecimal)))
      text.pop_back();
    if (!hexadecimal && text.find('.') != std::string::npos &&
        text.find('e') == std::string::npos) {
      while (text.ends_with('0')) text.pop_back();
      if (text.ends_with('.')) text.pop_back();
    }
    std::int64_t value = 0;
    const char *first = text.data() + (hexadecimal ? 2 : 0), *last = text.data() + text.size();
    if (text.empty()) return 0;
    const auto [stop, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
    return error == std::errc() && stop == last
               ? value
               : static_cast<std::int64_t>(hash_of(text) | 1ull << 62);
  }

  // ---- statements
  void emit(std::string_view kind, const std::vector<Sum>& parts) {
    Atom atom = node(kind, parts);
    std::map<std::uint64_t, unsigned> often;
    for (const std::uint64_t name : atom.names) ++often[name];
    std::vector<unsigned> counts;
    for (const auto& [name, count] : often) counts.push_back(count);
    std::ranges::sort(counts);
    for (const unsigned count : counts) atom.shape = mix(atom.shape, count);
    const std::size_t last = std::min(std::max(at_, begin_ + 1), end()) - 1;
    result_.forms.push_back({atom.shape, atom.size, at(begin_).line, at(last).line});
  }
  /// From `from` on, up to `to`.
  Sum parse(std::size_t from, std::size_t to) {
    begin_ = at_ = from;
    stop_ = to;
    return expression();
  }
  /// a && b as a and b, each on its own.
  void emit_condition(std::string_view kind, std::size_t from, std::size_t to) {
    for (std::size_t i = from; from < to; ++i) {
      if (i < to && (is(i, "(") || is(i, "["))) i = std::min(close_[i], to);
      if (i < to && !is(i, "&&")) continue;
      emit(kind, {parse(from, i)});
      from = i + 1;
    }
  }
  void emit_expressions(std::size_t from, std::size_t to) {
    for (at_ = from; at_ < to; at_ = std::max(at_, from) + 1) {  // behind a comma
      const std::size_t forms = result_.forms.size();
      from = at_;
      const Sum value = parse(from, to);
      if (result_.forms.size() == forms && !value.empty()) emit("do", {value});
    }
  }

  /// From i to `;` or `{` outside of brackets, or the `}` of what is around.
  std::size_t find_end(std::size_t i) const {
    while (i < end() && !is(i, ";") && !is(i, "}") && !is(i, "{")) {
      if ((is(i, "(") || is(i, "[")) && close_[i] < end())
        i = close_[i] + 1;
      else if ((is(i, "=") || is(i, ",") || is(i, "return")) && is(i + 1, "{"))
        i = behind(i + 1);
      else
        ++i;
    }
    return i;
  }

  std::size_t statement(std::size_t i) {
    if (is(i, ";") || is(i, "{") || is(i, "}") || is(i, "else") || is(i, "do")) return i + 1;
    if (is(i, "template") && is(i + 1, "<")) {
      while (i < end() && !is(i, ">")) ++i;
      return i + 1;
    }
    const bool is_loop = is(i, "while");
    if (is_loop || is(i, "if")) {
      if (!is(i + 1, "(")) return i + 1;
      emit_condition(is_loop ? "loop" : "if", i + 2, close_[i + 1]);
      return behind(i + 1);
    }
    if (is(i, "for") && is(i + 1, "(")) {
      const std::size_t close = close_[i + 1], first = find_end(i + 2);
      if (close == end() || first >= close) return i + 2;  // broken, or over a range
      simple(i + 2, first);
      const std::size_t second = std::min(find_end(first + 1), close);
      if (second > first + 1) emit_condition("loop", first + 1, second);
      if (second < close) emit_expressions(second + 1, close);
      return behind(i + 1);
    }
    if (is(i, "return")) {
      const std::size_t stop = find_end(i);
      if (i + 1 < stop) emit("return", {parse(i + 1, stop)});
      return std::max(stop, i + 1);
    }
    const std::size_t stop = find_end(i);
    if (!is(stop, "{")) {
      simple(i, stop);
    } else if (stop >= body_end_) {  // else a lambda
      body_end_ = close_[stop];
      find_changed(stop, body_end_);
    }
    return std::max(stop, i + 1);
  }

  /// Where the names begin that are declared; i where it is no declaration.
  std::size_t behind_type(std::size_t i, std::size_t stop) const {
    std::size_t at = i;
    for (bool any = false; at < stop && is_word(at); ++at) {
      const std::string_view word = this->at(at).spelling;
      if (word.starts_with("__") || word == "extern" || word == "struct") {
        if (is(at + 1, "(")) return i;  // __syncthreads()
        continue;
      }
      if (any && !is_type_word(word)) break;
      any = true;
      while (is(at + 1, "::") && is_word(at + 2)) at += 2;
      if (!is(at + 1, "<")) continue;
      at += 2;  // arguments of a template; a comparison does not get far
      while (at < stop && (is_word(at) || this->at(at).kind == Kind::number || is(at, ",") ||
                           is(at, "*") || is(at, "::")))
        ++at;
      if (!is(at, ">")) return i;
    }
    std::size_t name = at;
    while (is(name, "*") || is(name, "&")) ++name;
    if (at > i && is(at, "(") && is(at + 1, "*") && is_word(at + 2))
      return at;  // float (*rows)[32]
    if (at == i || name >= stop || !is_word(name)) return i;
    return name == at || name + 1 >= stop || is(name + 1, "=") || is(name + 1, "[") ? at : i;
  }

  void simple(std::size_t i, std::size_t stop) {
    std::size_t name = behind_type(i, stop);
    if (name == i) return emit_expressions(i, stop);
    const bool is_shared = std::any_of(code_.begin() + static_cast<std::ptrdiff_t>(i),
                                       code_.begin() + static_cast<std::ptrdiff_t>(name),
                                       [](const Token* word) { return word->is("__shared__"); });
    for (std::size_t at = name; at <= stop; ++at) {
      if (at < stop && (is(at, "(") || is(at, "[") || is(at, "{"))) at = std::min(close_[at], stop);
      if (at < stop && !is(at, ",")) continue;
      declare(name, at, is_shared);
      name = at + 1;
    }
  }
  void declare(std::size_t i, std::size_t stop, bool is_shared) {
    while (i < stop && (is(i, "*") || is(i, "&") || is(i, "("))) ++i;
    if (i >= stop || !is_word(i)) return;
    const std::size_t first = i;
    const std::string_view name = at(i++).spelling;
    if (is(i, ")")) ++i;
    std::vector<Sum> edges;
    for (; i < stop && is(i, "["); i = std::max(i + 1, behind(i)))
      edges.push_back(i + 1 < close_[i] ? parse(i + 1, std::min(close_[i], stop)) : Sum{});
    begin_ = at_ = first;
    if (!edges.empty()) emit(is_shared ? "shared" : "array", edges);
    if (i < stop && is(i, "=")) ++i;
    if (i >= stop) return;
    const Sum value = parse(i, stop);
    begin_ = first;
    stands_for_.erase(name);
    constexpr unsigned kLargest = 60;
    const bool is_alias = node("", {value}).size <= kLargest && !changed_.contains(name);
    if (is_alias) stands_for_[name] = value;
    emit("=", {of_atom(own(name)), value});
    if (is_alias) result_.forms.back().size = 0;  // only to be seen
  }

  // ---- expressions, from at_ to stop_
  bool here(std::string_view what) const { return at_ < stop_ && is(at_, what); }
  bool take(std::string_view what) {
    if (!here(what)) return false;
    ++at_;
    return true;
  }

  /// Brackets in brackets and the like: beyond a depth they are left out.
  template <typename Read>
  Sum deeper(const Read& read) {
    constexpr unsigned kDeepest = 200;
    if (depth_ >= kDeepest || at_ >= stop_) {
      at_ = stop_;
      return {};
    }
    ++depth_;
    Sum value = read();
    --depth_;
    return value;
  }
  Sum expression() {
    return deeper([&] { return assignment(); });
  }
  /// The parts in brackets from at_ to its closing one.
  std::vector<Sum> bracketed() {
    const std::size_t close = close_[at_], outer = std::exchange(stop_, std::min(stop_, close));
    std::vector<Sum> parts;
    ++at_;
    while (at_ < stop_) {
      const std::size_t before = at_;
      parts.push_back(expression());
      if (at_ == before || here(",")) ++at_;
    }
    stop_ = outer;
    at_ = std::min(close + 1, stop_);
    return parts;
  }

  Sum assignment() {
    const Sum left = choice();
    if (at_ >= stop_) return left;
    const std::string_view mark = at(at_).spelling;
    if (!is_assignment(mark)) return left;
    ++at_;
    const Sum right = expression();
    const std::string_view op = mark.substr(0, mark.size() - 1);
    emit("=", {left, op.empty() ? right : combined(op, left, right)});
    return left;
  }
  Sum choice() {
    const Sum condition = binary(1);
    if (!take("?")) return condition;
    const Sum yes = expression();
    take(":");
    const Sum no = expression();
    return of_atom(node("?", {condition, sorted(":", yes, no)}));  // whichever way it is asked
  }

  struct Operator {
    std::string_view mark;
    int level;
  };
  /// The operator at at_, and how many tokens it has.
  std::pair<Operator, std::size_t> next_operator() const {
    static constexpr Operator kAll[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5},
                                        {"==", 6}, {"!=", 6}, {"<", 7}, {">", 7}, {"<=", 7},
                                        {">=", 7}, {"<<", 8}, {"+", 9}, {"-", 9}, {"*", 10},
                                        {"/", 10}, {"%", 10}};
    if (at_ >= stop_) return {{"", -1}, 0};
    if (here(">") && at_ + 1 < stop_ && is(at_ + 1, ">") && at(at_).end() == at(at_ + 1).begin)
      return {{">>", 8}, 2};
    for (const Operator& one : kAll)
      if (here(one.mark)) return {one, 1};
    return {{"", -1}, 0};
  }
  Sum binary(int least) {
    Sum left = unary();
    for (auto [op, tokens] = next_operator(); op.level >= least;
         std::tie(op, tokens) = next_operator()) {
      at_ += tokens;
      left = combined(op.mark, left, binary(op.level + 1));
    }
    return left;
  }
  Sum unary() {
    return deeper([&] { return prefixed(); });
  }
  Sum prefixed() {
    if (take("-")) return add({}, unary(), -1);
    if (take("+") || take("!")) return unary();  // which branch is which does not show
    for (const auto& [mark, name] : {std::pair("~", "~"), {"*", "[]"}, {"&", "&"}})
      if (take(mark)) return of_atom(node(name, {unary()}));
    for (const char* mark : {"++", "--"})
      if (take(mark)) {
        const Sum what = unary();
        emit("=", {what, add(what, number(mark[0] == '+' ? 1 : -1))});
        return what;
      }
    if (is_cast()) {
      at_ = close_[at_] + 1;
      return unary();
    }
    return postfix(primary());
  }
  bool is_cast() const {
    if (!is(at_, "(") || close_[at_] >= stop_) return false;
    bool any = false;
    for (std::size_t i = at_ + 1; i < close_[at_]; ++i) {
      if (is(i, "*") || is(i, "&")) continue;
      if (!is_word(i) || !(is_type_word(at(i).spelling) || close_[at_] == at_ + 2)) return false;
      any = true;
    }
    const std::size_t next = close_[at_] + 1;
    return any && next < stop_ && (is_word(next) || at(next).kind == Kind::number || is(next, "("));
  }
  Sum primary() {
    const Token& token = at(at_);
    if (token.is("(")) {
      const std::size_t open = at_;
      std::vector<Sum> parts = bracketed();
      return parts.empty() || close_[open] >= end() ? Sum{} : parts.back();
    }
    if (token.is("{") || token.is("[")) {
      const std::size_t open = at_;
      const auto parts = bracketed();
      if (at_ == open) ++at_;
      return of_atom(node("{}", parts));
    }
    ++at_;
    if (token.kind == Kind::number) return number(literal(token.spelling));
    if (!token.is_word()) return of_atom(word(token.kind == Kind::text ? "text" : token.spelling));
    std::string_view name = token.spelling;
    while (here("::") && is_word(at_ + 1)) {
      name = at(at_ + 1).spelling;
      at_ += 2;
    }
    if (name.ends_with("_cast") && here("<")) {  // says nothing, as (int)x
      while (at_ < stop_ && !here("(")) ++at_;
      return at_ < stop_ ? unary() : Sum{};
    }
    if (const auto known = stands_for_.find(name); known != stands_for_.end()) return known->second;
    return of_atom(compile::kind_of_word(name) == compile::WordKind::own ? own(name) : word(name));
  }
  Sum postfix(Sum value) {
    while (at_ < stop_) {
      if (here("[")) {
        const std::vector<Sum> index = bracketed();
        value = of_atom(node("[]", {index.empty() ? value : add(value, index.back())}));
      } else if (here("(")) {
        std::vector<Sum> parts = bracketed();
        const std::uint64_t name =
            value.empty() || value[0].factors.empty() ? 0 : value[0].factors[0].exact;
        if (parts.size() == 2 && (name == hash_of("min") || name == hash_of("max"))) {
          value = sorted(name == hash_of("min") ? "min" : "max", parts[0], parts[1]);
        } else if (parts.size() == 3 && (name == hash_of("fmaf") || name == hash_of("fma"))) {
          value = add(multiply(parts[0], parts[1]), parts[2]);
        } else {
          parts.insert(parts.begin(), value);
          value = of_atom(node("()", parts));
        }
      } else if ((here(".") || here("->")) && is_word(at_ + 1)) {
        const std::string_view member = at(at_ + 1).spelling;
        at_ += 2;
        const bool is_own = compile::kind_of_word(member) == compile::WordKind::own &&
                            !(member.size() == 1 && member >= "w" && member <= "z");
        value = of_atom(node(".", {value, of_atom(is_own ? own(member) : word(member))}));
      } else if (here("++") || here("--")) {
        const std::int64_t step = here("++") ? 1 : -1;
        ++at_;
        emit("=", {value, add(value, number(step))});
      } else {
        return value;
      }
    }
    return value;
  }

  Tokens tokens_;
  std::vector<const Token*> code_;
  std::vector<std::size_t> close_;                        ///< of each: where the bracket closes
  std::unordered_map<std::string_view, Sum> stands_for_;  ///< what is never changed, and its value
  std::unordered_set<std::string_view> changed_;
  std::size_t begin_ = 0, at_ = 0, stop_ = 0;
  std::size_t body_end_ = 0;  ///< of the function, structure or namespace that is read
  unsigned depth_ = 0;
  SourceForms result_;
};
}  // namespace
}  // namespace labkit::course::algebra

labkit::course::SourceForms labkit::course::forms_of(std::string_view source) {
  return algebra::Reader(source).read();
}
