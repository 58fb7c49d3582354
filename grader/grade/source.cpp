#include "grade/source.h"

#include "base/text.h"

namespace labkit::grade {
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

}  // namespace labkit::grade
