#include "words/render.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace labkit::words {
namespace {

constexpr std::string_view kEnglish[] = {
    "",
#define MESSAGE(name, english) english,
#include "words/english/all.def"
#undef MESSAGE
};

/// By Id; "" where there is none.
constexpr auto kChinese = [] {
  std::array<std::string_view, std::size(kEnglish)> rows{};
#define MESSAGE(name, chinese) rows[static_cast<std::size_t>(Id::name)] = chinese;
#include "words/chinese/all.def"
#undef MESSAGE
  return rows;
}();

std::string with_separators(std::int64_t number) {
  constexpr std::int64_t kFirstSeparated = 10'000;
  const std::string digits = std::to_string(number);
  if (number < kFirstSeparated && number > -kFirstSeparated) return digits;
  return number < 0 ? "-" + with_commas(digits.substr(1)) : with_commas(digits);
}

/// 31250000 -> "31 million" or "3125 万", 1200000 -> "1.2 million" or "120 万", 62500 -> "62,500".
std::string in_round_terms(std::int64_t number) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit kUnits[][2] = {{{1e6, "million"}, {1e9, "billion"}},  // by Language
                                {{1e4, "万"}, {1e8, "亿"}}};
  const auto& [small, large] = kUnits[static_cast<std::size_t>(language())];
  constexpr double kFirstRound = 1e6;
  const auto value = static_cast<double>(number);
  if (value < kFirstRound) return with_separators(number);
  const Unit& unit = value >= large.size ? large : small;
  const double units = value / unit.size;
  return fmt::format("{:.{}f} {}", units, units < 10 && units != std::floor(units) ? 1 : 0,
                     unit.name);
}

struct Spell {
  std::string operator()(std::int64_t number) const { return with_separators(number); }
  std::string operator()(double number) const { return fmt::format("{:.3g}", number); }
  std::string operator()(const std::string& name) const { return name; }
  std::string operator()(const SourceLine& at) const {
    return at.line == 0 ? text(Id::its_line)
                        : text(Id::one_line, {{"line", std::to_string(at.line)}});
  }
};

/// "1, 2, 3" gives "1, 2 and 3".
std::string with_and(std::string list) {
  const auto last = list.rfind(", ");
  return last == std::string::npos ? list : list.replace(last, 2, " and ");
}

/// "kernel.cu:12"
std::string place(const SourceLine& at) {
  return at.line == 0 ? at.file : fmt::format("{}:{}", at.file, at.line);
}

/// "name", "name~", "name&", "name@" or "name?one|many".
std::string spell(std::string_view field, const Message& message) {
  const bool is_rounded = field.ends_with('~'), is_list = field.ends_with('&');
  const bool is_place = field.ends_with('@');
  if (is_rounded || is_list || is_place) field.remove_suffix(1);
  const auto question = field.find('?');
  const Value* value = message.find(field.substr(0, question));
  if (value == nullptr)
    throw std::logic_error(fmt::format("the message {} has no parameter {}", name_of(message.id),
                                       field.substr(0, question)));
  if (const auto* number = std::get_if<std::int64_t>(value); number != nullptr && is_rounded)
    return in_round_terms(*number);
  if (const auto* at = std::get_if<SourceLine>(value); at != nullptr && is_place) return place(*at);
  if (is_list) return with_and(std::visit(Spell{}, *value));
  if (question == std::string_view::npos) return std::visit(Spell{}, *value);
  const std::string_view forms = field.substr(question + 1);
  const auto bar = forms.find('|');
  const bool is_one = *value == count(1) || *value == Value("1");
  return std::string(is_one ? forms.substr(0, bar) : forms.substr(bar + 1));
}

}  // namespace

std::string_view row_of(Id id, Language language) {
  const auto at = static_cast<std::size_t>(id);
  return language == Language::chinese ? kChinese[at] : kEnglish[at];
}

std::string_view row_of(Id id) {
  const std::string_view row = row_of(id, language());
  return row.empty() ? row_of(id, Language::english) : row;
}

std::string_view row_of(std::string_view name) {
  return row_of(id_from_name(name).value_or(Id::none));
}

std::string with_commas(std::string digits) {
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string render(const Message& message) {
  const std::string_view row = row_of(message.id);
  std::string text;
  for (std::size_t at = 0; at < row.size();) {
    const auto open = row.find_first_of("{}", at);
    text += row.substr(at, open - at);
    if (open == std::string_view::npos) break;
    if (row.substr(open, 2) == "{{" || row.substr(open, 2) == "}}") {
      text += row[open];
      at = open + 2;
      continue;
    }
    const auto close = row.find('}', open);
    if (close == std::string_view::npos)
      throw std::logic_error(fmt::format("the message {} has an open {{", name_of(message.id)));
    text += spell(row.substr(open + 1, close - open - 1), message);
    at = close + 1;
  }
  return text;
}

std::string render(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages) text = beside(std::move(text), render(message));
  return text;
}

std::string text(Id id, std::initializer_list<Text> texts) {
  Message message{.id = id, .parameters = {}};
  for (const Text& one : texts)
    message.parameters.push_back({std::string(one.name), std::string(one.text)});
  return render(message);
}

std::string beside(std::string sentence, std::string_view next) {
  if (!sentence.empty() && !next.empty() && !sentence.ends_with("。")) sentence += ' ';
  return sentence.append(next);
}

}  // namespace labkit::words
