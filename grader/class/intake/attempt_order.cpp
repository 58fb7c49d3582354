#include "class/intake/attempt_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <regex>

#include "class/intake/archive.h"
#include "class/intake/names.h"

namespace labkit::course {

std::string local_time_text(std::int64_t seconds, const char* format) {
  const std::time_t time = seconds;
  std::tm parts{};
  std::array<char, 64> text{};
  if (!::localtime_r(&time, &parts)) return std::to_string(seconds);
  return std::string(text.data(), std::strftime(text.data(), text.size(), format, &parts));
}

namespace {

template <typename T>
int sign_of(const T& a, const T& b) {
  return (a > b) - (a < b);
}

std::optional<std::int64_t> time_of(const Attempt& one) {
  return one.submitted_at ? one.submitted_at : one.file_time;
}

/// One submission with what the order was found by; seconds only where they are needed.
std::string text_of(const Attempt& one, Order::By by, const char* format) {
  const std::string from =
      !one.input.empty() ? one.input : fmt::format("an earlier download ({})", one.path);
  if (by == Order::By::lms && !one.submitted_at && one.lms_order > 0)
    return fmt::format("{} (Canvas's file {})", from, one.lms_order);
  const std::optional<std::int64_t> time = time_of(one);
  return time ? fmt::format("{} ({})", from, local_time_text(*time, format)) : from;
}

constexpr const char* kMinutes = "%Y-%m-%d %H:%M";
constexpr const char* kSeconds = "%Y-%m-%d %H:%M:%S";

/// Of submissions whose times differ, minutes if these show it.
const char* format_for(const std::vector<Attempt>& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const auto a = time_of(all[i]), b = time_of(all[k]);
      if (a && b && *a != *b && local_time_text(*a, kMinutes) == local_time_text(*b, kMinutes))
        return kSeconds;
    }
  return kMinutes;
}

}  // namespace

Order order_of(const Attempt& a, const Attempt& b) {
  if (a.readable != b.readable) return {a.readable ? 1 : -1, Order::By::contents};
  if (a.untouched != b.untouched) return {a.untouched ? -1 : 1, Order::By::contents};
  if (a.submitted_at && b.submitted_at)
    return {sign_of(*a.submitted_at, *b.submitted_at), Order::By::lms};
  if (a.lms_order && b.lms_order) return {sign_of(a.lms_order, b.lms_order), Order::By::lms};
  const auto at = time_of(a), bt = time_of(b);
  if (at && bt && *at != *bt) return {sign_of(*at, *bt), Order::By::file_times};
  return {};
}

int order_in_time(Attempt a, const Attempt& b) {
  a.readable = b.readable;
  a.untouched = b.untouched;
  return order_of(a, b).sign;
}

std::size_t newest_of(const std::vector<Attempt>& all) {
  // Whoever is older beyond doubt than another is out; times, which then decide, are one order for
  // all. Pair by pair the two could lead in a circle.
  std::size_t timed = all.size(), last = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_out = std::any_of(all.begin(), all.end(), [&](const Attempt& other) {
      const Order order = order_of(other, all[i]);
      return order.is_sure() && order.sign > 0;
    });
    if (is_out) continue;
    const auto time = time_of(all[i]);
    if (time && (timed == all.size() || *time >= *time_of(all[timed]))) timed = i;
    if (!time || timed == i) last = i;
  }
  return last;
}

std::vector<Attempt> rivals_of(const Attempt& counts, const std::vector<Attempt>& others) {
  std::vector<Attempt> rivals;
  for (const Attempt& one : others) {
    const auto is_older_than = [&](const Attempt& other) {
      const Order order = order_of(other, one);
      return order.is_sure() && order.sign > 0;
    };
    if (one.source_sha256 == counts.source_sha256 || one.download_key.empty() ||
        one.download_key == counts.download_key || order_of(counts, one).is_sure() ||
        std::any_of(others.begin(), others.end(), is_older_than))
      continue;
    rivals.push_back(one);
  }
  return rivals;
}

std::vector<Attempt> unread_after(const Attempt& counts, const std::vector<Attempt>& others) {
  std::vector<Attempt> unread;
  if (!counts.readable) return unread;
  for (const Attempt& one : others)
    if (!one.readable && order_in_time(one, counts) >= 0) unread.push_back(one);
  return unread;
}

std::string rivals_text(const Attempt& counts, const std::vector<Attempt>& rivals) {
  static constexpr std::array<const char*, 5> kWords = {"no", "one", "two", "three", "four"};
  std::vector<Attempt> all = rivals;
  all.push_back(counts);
  const char* format = format_for(all);
  std::string others;
  for (std::size_t i = 0; i < rivals.size(); ++i)
    others += (i == 0                   ? ""
               : i + 1 == rivals.size() ? " and "
                                        : ", ") +
              text_of(rivals[i], Order::By::file_times, format);
  return fmt::format("{} submissions, the one from {} counts; {} from {}",
                     all.size() < kWords.size() ? kWords[all.size()] : std::to_string(all.size()),
                     text_of(counts, Order::By::file_times, format),
                     rivals.size() == 1 ? "the other is" : "the others are", others);
}

std::pair<std::string, std::string> attempt_texts(const Attempt& a, const Attempt& b,
                                                  Order::By by) {
  const char* format = format_for({a, b});
  return {text_of(a, by, format), text_of(b, by, format)};
}

std::string download_key(const std::string& name) {
  static const std::regex copy(R"((\s*[-_ ]?\(\d{1,3}\)|[-_ ]+copy)$)", std::regex::icase);
  // 2026-11-09, 20261109, with "T1200", "_12-00-00" or nothing after it; 09.11.2026
  static const std::regex date(
      R"((^|[^0-9])((19|20)\d\d[-_. ]?(0[1-9]|1[0-2])[-_. ]?(0[1-9]|[12]\d|3[01])([-_ tT]+\d\d[-_:.h]?\d\d([-_:.]?\d\d)?)?|(0?[1-9]|[12]\d|3[01])[-_.](0?[1-9]|1[0-2])[-_.](19|20)\d\d)(?![0-9]))");
  const std::string bare = cut_utf8(without_archive_ending(name), 255);
  std::string rest = bare;
  for (std::string before; before != rest;) {
    before = rest;
    rest = std::regex_replace(rest, copy, "");
    rest = std::regex_replace(rest, date, "$1");
  }
  const bool empty = fold_name(rest).empty();
  return slug(empty ? bare : rest);
}

}  // namespace labkit::course
