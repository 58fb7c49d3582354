#include "base/worded_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <vector>

#include "base/command_text.h"
#include "base/text.h"

namespace labkit {
namespace {

/// 1 to 12; nullopt if it is no month's name, or the beginning of several months' names.
std::optional<int> month_called(const std::string& name) {
  static const std::vector<std::string_view> months = split(
      "january february march april may june july august september october november december "
      "januar februar märz april mai juni juli august september oktober november dezember "
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre "
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro "
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
      "dicembre januari februari maart april mei juni juli augustus september oktober november "
      "december januari februari mars april maj juni juli augusti september oktober november "
      "december januar februar marts april maj juni juli august september oktober november "
      "december",
      ' ');
  std::set<int> found;
  for (std::size_t i = 0; i < months.size(); ++i)
    if (months[i].starts_with(name)) found.insert(static_cast<int>(i % 12) + 1);
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_worded_time(const std::string& text) {
  static const std::regex words(
      R"((\d{1,2})\.? (?:de )?([^\d\s.,]{3,})\.? ?,? ?(?:de )?(\d{4}),? *(\d{1,2})[:. ]?(\d\d) *([ap]m)?)",
      std::regex::icase),
      american(R"(([a-z]{3,})\.? (\d{1,2}), (\d{4}))", std::regex::icase),
      numbers(R"((\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日\D* (\d{1,2}):(\d\d))");
  std::smatch parts;
  if (text.size() > 100) return std::nullopt;
  const auto time = [&](int month, std::size_t year, std::size_t day, int hour) {
    return parse_time(fmt::format("{}-{:02}-{:0>2} {:02}:{}", parts[year].str(), month,
                                  parts[day].str(), hour, parts[5].str()));
  };
  if (text.find("午") == std::string::npos && std::regex_search(text, parts, numbers))
    return time(std::stoi(parts[2]), 1, 3, std::stoi(parts[4]));
  const std::string day_first = std::regex_replace(text, american, "$2 $1 $3");
  if (!std::regex_search(day_first, parts, words)) return std::nullopt;
  const auto month = month_called(to_lower(parts[2].str()));
  if (!month) return std::nullopt;
  int hour = std::stoi(parts[4]);
  if (parts[6].matched) hour = hour % 12 + (to_lower(parts[6].str()) == "pm" ? 12 : 0);
  return time(*month, 3, 1, hour);
}

}  // namespace labkit
