#include "grade/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "grade/toml_reader.h"

namespace labkit::grade {
namespace {

constexpr const char* kRemedy = "solutions/classes.toml lists the classes and says how it is read";

/// Without comment marks; // lines that follow one another count as one. Empty if something else stands before it.
std::string first_comment(std::string_view source) {
  source = trim(source);
  if (source.starts_with("/*")) {
    const std::size_t end = source.find("*/");
    return std::string(trim(source.substr(2, end == std::string_view::npos ? end : end - 2)));
  }
  std::string comment;
  for (std::string_view line : split_lines(source)) {
    line = trim(line);
    if (!line.starts_with("//")) break;
    if (!comment.empty()) comment += '\n';
    comment += trim(line.substr(2));
  }
  return comment;
}

}  // namespace

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

WrongClasses parse_wrong_classes(std::string_view text, const std::string& name) {
  const toml::table table = parse_toml(text, name, kRemedy);
  TomlReader reader(table, name, "the file", kRemedy);
  WrongClasses classes;
  classes.names = reader.texts("classes");
  constexpr const char* kTables = "tables, one a lab";
  if (const toml::table* labs = reader.table("does_not_fit", kTables)) {
    for (const auto& [lab, node] : *labs) {
      if (!node.is_table()) reader.fail(fmt::format("`does_not_fit` must be {}", kTables), &node);
      TomlReader one(*node.as_table(), name, fmt::format("[does_not_fit.{}]", lab.str()), kRemedy);
      for (const std::string& known : classes.names)
        if (one.find(known.c_str()))
          classes.does_not_fit[std::string(lab.str())][known] = one.text(known.c_str());
      one.no_other_keys();
    }
  }
  reader.no_other_keys();
  return classes;
}

WrongClasses load_wrong_classes(const std::filesystem::path& root) {
  const auto file = root / "solutions" / "classes.toml";
  return parse_wrong_classes(read_file(file), file.string());
}

std::map<std::string, std::vector<std::string>> by_class(
    const WrongClasses& classes, const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& [name, source] : sources) {
    const auto declared_class = declared(source, "class");
    if (!declared_class) continue;
    if (!std::ranges::count(classes.names, *declared_class))
      throw Error(fmt::format("{}: there is no class `{}`", name, *declared_class), kRemedy);
    found[*declared_class].push_back(name);
  }
  return found;
}

}  // namespace labkit::grade
