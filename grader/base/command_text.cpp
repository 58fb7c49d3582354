#include "base/command_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <regex>
#include <string_view>

#include "base/error.h"

namespace labkit {

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           c >= 0x80 ||
           std::string_view("/._-+,:=@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string typed_line() {
  std::ifstream words("/proc/self/cmdline");
  std::string line = command_name(), word;
  std::getline(words, word, '\0');  // the program
  while (std::getline(words, word, '\0')) line += " " + shell_word(word);
  return line;
}

std::string ranges_text(const std::vector<unsigned>& sorted, const char* format,
                        const char* between) {
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    if (!text.empty()) text += between;
    text += last == i ? std::to_string(sorted[i])
                      : fmt::format(fmt::runtime(format), sorted[i], sorted[last]);
    i = last + 1;
  }
  return text;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  const long long minutes = (whole + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return minutes % 60 ? fmt::format("{} h {} min", minutes / 60, minutes % 60)
                      : fmt::format("{} h", minutes / 60);
}

std::string utc_text(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                     fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  static const std::regex form(
      R"((\d{4})-?(\d\d)-?(\d\d)(?:[Tt ](\d\d):?(\d\d)(?::(\d\d))?(?:\.\d*)? *(?:Z|z|UTC|([+-])(\d\d):?(\d\d)?)?)?)");
  std::cmatch parts;
  constexpr std::size_t kLongest = 64;
  if (text.size() > kLongest ||
      !std::regex_match(text.data(), text.data() + text.size(), parts, form))
    return std::nullopt;
  const auto number = [&](std::size_t part) {
    return parts[part].matched ? std::stoi(parts[part].str()) : 0;
  };
  const std::chrono::year_month_day date{std::chrono::year(number(1)),
                                         std::chrono::month(static_cast<unsigned>(number(2))),
                                         std::chrono::day(static_cast<unsigned>(number(3)))};
  const int hour = number(4), minute = number(5), second = number(6);
  if (!date.ok() || hour > 24 || minute > 59 || second > 60) return std::nullopt;
  const int zone_minutes = (number(8) * 60 + number(9)) * (parts[7] == "-" ? -1 : 1);
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute - zone_minutes) * 60 + second;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace labkit
