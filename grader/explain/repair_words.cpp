// A change that was tried: what to do, and the lines as they are and as they must become.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "explain/words.h"
#include "grade/change.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

/// Its lines; what all but the first, which has no spaces in front, are indented by is left out.
std::vector<std::string> unindented(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t indent = std::string::npos;
  for (const std::string_view line : split_lines(text)) {
    if (!lines.empty()) indent = std::min(indent, line.find_first_not_of(' '));
    lines.emplace_back(line);
  }
  if (!lines.empty()) lines.front() = trim(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i].erase(0, indent);
  return lines;
}

/// The change that was seen to help, after what it mends, if the source shows that.
std::vector<std::string> tell_change(const grade::TestResult& test) {
  std::vector<std::string> lines;
  const bool is_told =
      !test.idle.empty() && std::ranges::any_of(test.repair->why, [&](const words::Message& one) {
        return one.id == Id::change_returns_early &&
               *one.find("line") == words::Value{std::int64_t{test.idle.front().line}};
      });
  if (!test.idle.empty() && !is_told && !says_more(test))
    lines.push_back(tell_slip(test.idle.front()));
  const std::vector<grade::ChangedLine>& all = test.repair->lines;
  const words::Parameter launches = {"launches", words::count(test.repair->launches)};
  const auto fix = [](const words::Message& message) { return fix_lines(message).front(); };
  if (all.size() == 2 && all[0].after == all[1].before && all[1].after == all[0].before) {
    lines.push_back(fix(
        {Id::repair_tried_swap,
         {{"first", std::int64_t{all[0].line}}, {"second", std::int64_t{all[1].line}}, launches}}));
    return lines;
  }
  const bool deletes = std::ranges::all_of(  // a comment of its own goes with a line
      all, [](const auto& line) { return line.after.empty() || line.after.starts_with("//"); });
  const bool adds = std::ranges::all_of(all, [](const auto& line) {
    const auto after = split_lines(line.after);
    return after.size() > 1 && (trim(after.back()) == line.before || after.front() == line.before);
  });
  const words::Id id = test.repair->launches > 0 ? deletes ? Id::repair_tried_deletion
                                                   : adds  ? Id::repair_tried_addition
                                                           : Id::repair_tried
                       : deletes                 ? Id::repair_tried_limit_deletion
                                                 : Id::repair_tried_limit;
  std::size_t count = all.size();
  if (adds) {
    count = 0;
    for (const grade::ChangedLine& line : all) count += split_lines(line.after).size() - 1;
  }
  lines.push_back(fix({id, {{"lines", words::count(count)}, launches}}));
  // those that follow each other as they stood, then as they must become
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    for (end = first + 1; end < all.size() && all[end].line == all[end - 1].line + 1;) ++end;
    for (std::size_t i = first; i < end; ++i)
      if (!adds) lines.push_back(fmt::format("{:>4} - {}", all[i].line, all[i].before));
    for (std::size_t i = first; i < end && !deletes; ++i) {
      const std::vector<std::string> after = unindented(all[i].after);
      for (std::size_t k = 0; k < after.size(); ++k) {  // what is new has no number yet
        const bool is_old = adds && after[k] == all[i].before;
        const bool has_number = adds ? is_old : k == 0;
        lines.push_back(fmt::format("{:>4} {} {}",
                                    has_number ? std::to_string(all[i].line) : std::string(),
                                    is_old ? ' ' : '+', after[k]));
      }
    }
  }
  return lines;
}

}  // namespace

bool says_more(const grade::TestResult& test) {
  const std::vector<grade::ChangedLine>& lines = test.repair->lines;
  return !test.idle.empty() && lines.size() == 1 && lines.front().line == test.idle.front().line &&
         grade::names_only_places(test.repair->why);
}

std::string tell_slip(const device::IdleStatement& idle) {
  return words::text(Id::lead_at_line,
                     {{"line", std::to_string(idle.line)}, {"cause", words::render(idle.what)}});
}

std::vector<std::string> tell_repair(const grade::TestResult& test) {
  if (!test.repair) return {};
  std::vector<std::string> lines = tell_change(test);
  if (test.repair->why.empty()) lines.push_back(words::text(Id::repair_in_part));
  return lines;
}

}  // namespace labkit::explain
