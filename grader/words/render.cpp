#include "words/render.h"

#include <fmt/format.h>

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

std::string with_separators(std::int64_t number) {
  constexpr std::int64_t kFirstSeparated = 10'000;
  const std::string digits = std::to_string(number);
  if (number < kFirstSeparated && number > -kFirstSeparated) return digits;
  return number < 0 ? "-" + with_commas(digits.substr(1)) : with_commas(digits);
}

/// 31250000 -> "31 million", 1200000 -> "1.2 million", 62500 -> "62,500".
std::string in_round_terms(std::int64_t number) {
  constexpr double kMillion = 1e6, kBillion = 1e9;
  const auto value = static_cast<double>(number);
  if (value < kMillion) return with_separators(number);
  const bool is_billions = value >= kBillion;
  const double units = value / (is_billions ? kBillion : kMillion);
  return fmt::format("{:.{}f} {}", units, units < 10 && units != std::floor(units) ? 1 : 0,
                     is_billions ? "billion" : "million");
}

struct Spell {
  std::string operator()(std::int64_t number) const { return with_separators(number); }
  std::string operator()(double number) const { return fmt::format("{:.3g}", number); }
  std::string operator()(const std::string& name) const { return name; }
  std::string operator()(const SourceLine& at) const {
    return at.line == 0 ? "its line" : "line " + std::to_string(at.line);
  }
};

/// "name", "name~" or "name?one|many".
std::string spell(std::string_view field, const Message& message) {
  const bool is_rounded = field.ends_with('~');
  if (is_rounded) field.remove_suffix(1);
  const auto question = field.find('?');
  const Value* value = message.find(field.substr(0, question));
  if (value == nullptr)
    throw std::logic_error(fmt::format("the message {} has no parameter {}", name_of(message.id),
                                       field.substr(0, question)));
  if (const auto* number = std::get_if<std::int64_t>(value); number != nullptr && is_rounded)
    return in_round_terms(*number);
  if (question == std::string_view::npos) return std::visit(Spell{}, *value);
  const std::string_view forms = field.substr(question + 1);
  const auto bar = forms.find('|');
  return std::string(*value == count(1) ? forms.substr(0, bar) : forms.substr(bar + 1));
}

}  // namespace

std::string_view english_of(Id id) { return kEnglish[static_cast<std::size_t>(id)]; }

std::string_view english_of(std::string_view name) {
  return english_of(id_from_name(name).value_or(Id::none));
}

std::string with_commas(std::string digits) {
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string render(const Message& message) {
  const std::string_view row = english_of(message.id);
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
  for (const Message& message : messages) text += (text.empty() ? "" : " ") + render(message);
  return text;
}

}  // namespace labkit::words
