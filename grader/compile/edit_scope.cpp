#include "compile/edit_scope.h"

#include <algorithm>

#include "base/text.h"
#include "compile/outline.h"

namespace labkit::compile {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::count(words, word) != 0;
}

bool is_real(std::string_view word) {
  return is_one_of(word, {"float", "double", "T", "float4", "double2"});
}

bool is_type_word(std::string_view word) {
  return is_real(word) ||
         is_one_of(word, {"int", "unsigned", "long", "short", "char", "bool", "auto", "const",
                          "size_t", "signed", "constexpr", "static", "extern", "volatile",
                          "__shared__", "__restrict__"});
}

}  // namespace

EditScope::EditScope(const EditScope& of, const Tokens& macro)
    : tokens_(macro), variables_(of.variables_), places_(of.places_) {
  pair_brackets();
  std::size_t begin = 2;
  if (macro.size() > 2 && macro.is(2, "(") && macro[2].begin == macro[1].end()) {
    begin = macro.close_of(2) + 1;
    for (std::size_t i = 3; i + 1 < begin && i < macro.size(); ++i)
      if (macro.is_word(i)) {
        variables_[macro[i].spelling] = {macro[i].spelling, Variable::Kind::integer,
                                         Variable::Place::own};
        places_.insert(macro[i].spelling);
      }
  }
  if (macro.is(0, "define") && begin < macro.size()) bodies_.emplace_back(begin, macro.size());
}

void EditScope::pair_brackets() {
  open_.assign(tokens_.size(), tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (tokens_[i].close < tokens_.size()) open_[tokens_[i].close] = i;
}

EditScope::EditScope(const Tokens& tokens, std::string_view kernel) : tokens_(tokens) {
  pair_brackets();
  declare_constants();
  declare_macros();
  declare_members();
  for (const DeviceFunction& function : device_functions_of(tokens)) {
    if (function.body >= tokens.size() || (function.is_kernel && function.name != kernel)) continue;
    const std::size_t close = tokens.close_of(function.body);
    if (close >= tokens.size() || close == function.body + 1) continue;
    bodies_.emplace_back(function.body + 1, close);
    const std::size_t last = tokens.close_of(function.open);
    for (std::size_t from = function.open + 1, i = from; i <= last; ++i)
      if (i == last || tokens.is(i, ",")) {
        declare(from, i, Variable::Place::parameter, close);
        from = i + 1;
      }
    for (const Statement& one : statements(function.body + 1, close))
      if (one.is_declaration)
        declare(one.begin, one.end, Variable::Place::own, block_end(one.begin));
    for (std::size_t i = function.body + 1; i < close; ++i)
      if (tokens.is(i, "for") && tokens.is(i + 1, "(") && begins_declaration(i + 2)) {
        std::size_t end = i + 2;
        while (end < close && !tokens.is(end, ";")) ++end;
        declare(i + 2, end, Variable::Place::own, loop_end(i));
      }
  }
  find_places();
}

std::size_t EditScope::block_end(std::size_t i) const {
  while (i-- > 0) {
    if (tokens_.is(i, "}") && open_[i] < tokens_.size())
      i = open_[i];
    else if (tokens_.is(i, "{"))
      return tokens_.close_of(i);
  }
  return tokens_.size();
}

/// Of the loop whose head begins at token `word`, with its statement.
std::size_t EditScope::loop_end(std::size_t word) const {
  std::size_t i = tokens_.close_of(word + 1) + 1;
  while (i < tokens_.size() && !tokens_.is(i, ";") && !tokens_.is(i, "{"))
    i = tokens_.is(i, "(") ? std::min(tokens_.close_of(i), tokens_.size() - 1) + 1 : i + 1;
  return tokens_.is(i, "{") ? tokens_.close_of(i) : i;
}

void EditScope::find_places() {
  std::size_t before = 0;
  do {
    before = places_.size();
    for (const auto& [begin, end] : bodies_)
      for (std::size_t i = begin; i + 1 < end; ++i) {
        const bool is_set = tokens_.is(i + 1, "=");
        bool steps = !is_set && assigns(tokens_[i + 1].spelling) && is_variable(i);
        steps = steps || tokens_.is(i - 1, "++") || tokens_.is(i - 1, "--");
        for (std::size_t k = i + 2, last = end_of_value(i + 2, end); is_set && k < last; ++k)
          steps = steps || is_one_of(tokens_[k].spelling, {"threadIdx", "blockIdx"}) ||
                  is_place(tokens_[k].spelling);
        if (steps && is_integer(i)) places_.insert(tokens_[i].spelling);
      }
  } while (places_.size() != before);
}

bool EditScope::is_in_shared(std::size_t i) const {
  while (i > 0 && !tokens_.is(i - 1, ";") && !tokens_.is(i - 1, "{") &&
         !tokens_.is(i, "__shared__"))
    --i;
  return tokens_.is(i, "__shared__");
}

bool EditScope::is_of_elements(std::size_t i) const {
  for (; i > 0 && !tokens_.is(i, ";") && !tokens_.is(i, "{") && !tokens_.is(i, "}"); --i)
    if (tokens_.is(i, "[") || is_pointer(i)) return true;
  return false;
}

/// `constexpr int kTile = 32;` beside the functions.
void EditScope::declare_constants() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_.is(i, "(") || tokens_.is(i, "{") || tokens_.is(i, "[")) {
      i = std::min(tokens_.close_of(i), tokens_.size());
      continue;
    }
    if (!tokens_.is(i, "constexpr") && !tokens_.is(i, "const")) continue;
    std::size_t end = i;
    bool is_function = false, has_value = false;
    while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, "{")) {
      has_value = has_value || tokens_.is(end, "=");
      is_function = is_function || (tokens_.is(end, "(") && !has_value);
      ++end;
    }
    if (!is_function && tokens_.is(end, ";")) declare(i, end, Variable::Place::file);
    i = end - 1;
  }
}

void EditScope::declare_members() {
  for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
    std::size_t open = i;
    if (!tokens_.is(i, "struct") && !tokens_.is(i, "class")) continue;
    while (open < tokens_.size() && !tokens_.is(open, "{") && !tokens_.is(open, ";")) ++open;
    const std::size_t close = tokens_.close_of(open);
    if (!tokens_.is(open, "{") || close >= tokens_.size()) continue;
    structures_.emplace_back(open + 1, close);
    for (std::size_t from = open + 1, at = from; at < close; ++at) {
      if (tokens_.is(at, "(") || tokens_.is(at, "{")) {  // a function's
        at = std::min(tokens_.close_of(at), close);
        from = tokens_.is(at, "}") ? at + 1 : close;
      } else if (tokens_.is(at, ";")) {
        if (from < at) declare(from, at, Variable::Place::member);
        from = at + 1;
      }
    }
  }
}

void EditScope::declare_macros() {
  for (const Token& token : Tokens(tokens_.source())) {
    if (token.kind != Token::Kind::directive) continue;
    std::string_view line = trim(token.spelling.substr(1));
    if (!line.starts_with("define ")) continue;
    line = trim(line.substr(7));
    const auto end = std::ranges::find_if_not(line, is_word_character) - line.begin();
    const std::string_view name = line.substr(0, end), value = trim(line.substr(end));
    if (end > 0 && !value.empty() && std::ranges::all_of(value, is_digit))
      variables_[name] = {name, Variable::Kind::integer, Variable::Place::file};
  }
}

/// The names of a declaration, `const T* in` or `int x = 1, y = f(2), z[3]`.
void EditScope::declare(std::size_t begin, std::size_t end, Variable::Place place,
                        std::size_t last) {
  bool real = false, truth = false, is_array = false, in_value = false;
  std::size_t named = end;
  const auto finish = [&] {
    if (named < end) {
      const Variable::Kind kind = is_array ? Variable::Kind::array
                                  : real   ? Variable::Kind::real
                                  : truth  ? Variable::Kind::truth
                                           : Variable::Kind::integer;
      variables_[tokens_[named].spelling] = {tokens_[named].spelling, kind, place};
      auto& visible = visible_[tokens_[named].spelling];
      visible.emplace_back(last == 0 ? 0 : named, last == 0 ? tokens_.size() : last);
    }
    named = end;
    is_array = in_value = false;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_.is(i, ",")) {
      finish();
    } else if (tokens_.is(i, "=")) {
      in_value = true;
    } else if (tokens_.is(i, "[") || tokens_.is(i, "(") || tokens_.is(i, "{")) {
      is_array = is_array || (tokens_.is(i, "[") && !in_value);
      i = std::min(tokens_.close_of(i), end);
    } else if (tokens_.is(i, "*") && !in_value) {
      is_array = true;
    } else if (tokens_.is_word(i) && !in_value) {
      real = real || is_real(tokens_[i].spelling);
      truth = truth || tokens_.is(i, "bool");
      if (!is_type_word(tokens_[i].spelling)) named = i;
    }
  }
  finish();
}

bool EditScope::begins_declaration(std::size_t i) const {
  if (!tokens_.is_word(i)) return false;
  const std::string_view word = tokens_[i].spelling;
  if (is_type_word(word)) return true;
  // `Type name`; a word behind a word is else a keyword's
  return kind_of_word(word) != WordKind::keyword && tokens_.is_word(i + 1) &&
         kind_of_word(tokens_[i + 1].spelling) == WordKind::own;
}

const Variable* EditScope::variable(std::size_t i) const {
  const auto at = variables_.find(tokens_[i].spelling);
  return at == variables_.end() ? nullptr : &at->second;
}

bool EditScope::is_integer(std::size_t i) const {
  const Variable* found = variable(i);
  return found != nullptr && found->kind == Variable::Kind::integer;
}

bool EditScope::is_fixed(std::size_t i) const {
  if (i >= tokens_.size() || tokens_[i].kind == Token::Kind::number) return i < tokens_.size();
  const Variable* found = variable(i);
  return found != nullptr && found->place == Variable::Place::file;
}

bool EditScope::is_pointer(std::size_t i) const {
  const Variable* found = variable(i);
  return found != nullptr && found->kind == Variable::Kind::array &&
         found->place == Variable::Place::parameter;
}

std::vector<std::string_view> EditScope::variables(Variable::Kind kind, std::size_t at) const {
  std::vector<std::string_view> names;
  const auto is_visible = [&](std::string_view name) {
    const auto found = visible_.find(name);
    return found == visible_.end() || std::ranges::any_of(found->second, [&](const auto& range) {
             return at >= range.first && at < range.second;
           });
  };
  for (const auto& [name, variable] : variables_)
    if (variable.kind == kind && is_visible(name)) names.push_back(name);
  return names;
}

std::vector<std::string_view> EditScope::integers(Variable::Place place, std::size_t at) const {
  std::vector<std::string_view> names = variables(Variable::Kind::integer, at);
  std::erase_if(names, [&](std::string_view name) { return variables_.at(name).place != place; });
  return names;
}

std::vector<std::pair<std::size_t, std::size_t>> EditScope::own_constants() const {
  std::set<std::string_view> used;  // by other kernels
  std::vector<std::pair<std::size_t, std::size_t>> values;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::size_t close = tokens_.close_of(i);
    if (!tokens_.is(i, "{") || close >= tokens_.size()) continue;
    const bool is_own = std::ranges::any_of(
        bodies_, [&](const auto& body) { return body.first <= close && body.second > i; });
    for (std::size_t at = i; at < close && !is_own; ++at) used.insert(tokens_[at].spelling);
    i = close;
  }
  for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
    if (tokens_.is(i, "(") || tokens_.is(i, "{") || tokens_.is(i, "["))
      i = std::min(tokens_.close_of(i), tokens_.size());
    if (i + 2 >= tokens_.size() || !tokens_.is(i + 1, "=") || !is_fixed(i) || !is_variable(i) ||
        used.contains(tokens_[i].spelling))
      continue;
    if (const std::size_t end = end_of_value(i + 2, tokens_.size()); end > i + 2)
      values.emplace_back(i + 2, end);
  }
  return values;
}

bool EditScope::is_declaration(std::size_t equals) const {
  std::size_t first = equals;
  while (first > 0 && !tokens_.is(first - 1, ";") && !tokens_.is(first - 1, "{") &&
         !tokens_.is(first - 1, "}") && !tokens_.is(first - 1, "("))
    --first;
  return begins_declaration(first);
}

bool EditScope::is_binary(std::size_t i) const {
  if (i == 0 || i + 1 >= tokens_.size()) return false;
  const Token &before = tokens_[i - 1], &after = tokens_[i + 1];
  const bool has_left = before.kind == Token::Kind::number || before.is(")") || before.is("]") ||
                        (before.is_word() && !is_type_word(before.spelling) &&
                         kind_of_word(before.spelling) != WordKind::keyword);
  return has_left && is_one_of(tokens_[i].spelling, {"+", "-", "*", "/", "%", "&", "|"}) &&
         (after.is_word() || after.kind == Token::Kind::number || after.is("("));
}

std::size_t EditScope::primary_end(std::size_t i) const {
  if (i >= tokens_.size()) return i;
  std::size_t end = i, cast = i;  // behind `(int)` of `(int)gridDim.x`
  while (tokens_.is(cast, "(") &&
         (tokens_.is(cast + 1, "int") || tokens_.is(cast + 1, "unsigned")) &&
         tokens_.is(cast + 2, ")"))
    cast += 3;
  if (cast > i)
    if (const std::size_t last = primary_end(cast); last > cast) return last;
  if (tokens_.is(i, "("))
    end = std::min(tokens_.close_of(i), tokens_.size() - 1) + 1;
  else if (tokens_.is_word(i) || tokens_[i].kind == Token::Kind::number)
    end = i + 1;
  else
    return i;
  while (end < tokens_.size()) {
    if (tokens_.is(end, ".") && tokens_.is_word(end + 1))
      end += 2;
    else if ((tokens_.is(end, "[") || tokens_.is(end, "(")) &&
             tokens_.close_of(end) < tokens_.size())
      end = tokens_.close_of(end) + 1;
    else
      break;
  }
  return end;
}

std::size_t EditScope::primary_begin(std::size_t i) const {
  std::size_t begin = i;
  while (begin > 0) {
    const Token& last = tokens_[begin - 1];
    if (last.is(")") || last.is("]")) {
      if (open_[begin - 1] >= tokens_.size()) return i;
      begin = open_[begin - 1];
      // a word before a bracket belongs to it
      if (begin == 0 || (!tokens_.is_word(begin - 1) && !tokens_.is(begin - 1, "]")) ||
          kind_of_word(tokens_[begin - 1].spelling) == WordKind::keyword)
        return begin;
      continue;
    }
    if (!last.is_word() && last.kind != Token::Kind::number) return begin;
    --begin;
    if (begin == 0 || !tokens_.is(begin - 1, ".")) return begin;
    --begin;
  }
  return begin;
}

std::size_t EditScope::end_of_value(std::size_t i, std::size_t end) const {
  while (i < end && !tokens_.is(i, ";") && !tokens_.is(i, ")") && !tokens_.is(i, ","))
    i = tokens_.is(i, "(") || tokens_.is(i, "[") ? std::min(tokens_.close_of(i), end) + 1 : i + 1;
  return std::min(i, end);
}

std::size_t EditScope::star_of_index(std::size_t open) const {
  for (std::size_t i = open + 1; i < tokens_.close_of(open) && i < tokens_.size(); ++i) {
    if (tokens_.is(i, "(") || tokens_.is(i, "["))
      i = tokens_.close_of(i);
    else if (tokens_.is(i, "*") && is_binary(i))
      return i;
  }
  return 0;
}

std::string EditScope::row_of(std::string_view variable) const {
  for (const auto& [begin, end] : bodies_)
    for (std::size_t i = begin + 1; i + 3 < end; ++i)
      if (tokens_.is(i, variable) && tokens_.is(i + 1, "=") && tokens_.is_word(i - 1))
        if (const std::size_t last = primary_end(i + 2); tokens_.is(last, "*"))
          return std::string(tokens_.text(i + 2, last));
  return {};
}

std::vector<Statement> EditScope::statements(std::size_t begin, std::size_t end) const {
  std::vector<Statement> all;
  std::size_t whole = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_.is(i, "(") || tokens_.is(i, "[")) {
      i = std::min(tokens_.close_of(i), end);
      continue;
    }
    const bool ends = tokens_.is(i, ";");
    if (!ends && !tokens_.is(i, "{") && !tokens_.is(i, "}")) continue;
    if (ends && whole < i) {
      std::size_t first = whole;
      while (first < i) {
        if (is_one_of(tokens_[first].spelling, {"if", "for", "while"}) &&
            tokens_.is(first + 1, "("))
          first = std::min(tokens_.close_of(first + 1), i) + 1;
        else if (tokens_.is(first, "else") || tokens_.is(first, "do"))
          ++first;
        else
          break;
      }
      all.push_back({whole, std::min(first, i), i, begins_declaration(first)});
    }
    whole = i + 1;
  }
  return all;
}

}  // namespace labkit::compile
