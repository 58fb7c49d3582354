// Reading a table of a TOML file strictly: types are checked, what nobody asked for is an error, and
// every complaint names file and line.
#pragma once
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace labkit::grade {

/// The file's table. Throws labkit::Error naming the line that is not TOML.
inline toml::table parse_toml(std::string_view text, const std::string& name, std::string remedy) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw Error(
        fmt::format("{}:{}: not TOML: {}", name, error.source().begin.line, error.description()),
        std::move(remedy));
  }
}

/// "{ a = 1, b = 2 }"
template <typename Map>
std::string inline_table(const Map& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return fmt::format("{{ {} }}", text);
}

/// One table of the file, read key by key; what nobody asked for is an unknown key.
class TomlReader {
 public:
  TomlReader(const toml::table& table, std::string file, std::string what,
             std::string remedy = "grader/grade/manifest.h explains every key")
      : table_(table), file_(std::move(file)), what_(std::move(what)), remedy_(std::move(remedy)) {}

  [[noreturn]] void fail(const std::string& why, const toml::node* at = nullptr) const {
    const auto line = (at ? at->source() : table_.source()).begin.line;
    throw Error(fmt::format("{}:{}: {}: {}", file_, line, what_, why), remedy_);
  }

  const toml::node* find(const char* key) {
    asked_.insert(key);
    return table_.get(key);
  }

  template <typename T>
  T required(const char* key, const char* type) {
    const toml::node* node = find(key);
    if (!node) fail(fmt::format("`{}` is missing", key));
    return convert<T>(*node, key, type);
  }
  template <typename T>
  T optional(const char* key, const char* type, T otherwise) {
    const toml::node* node = find(key);
    return node ? convert<T>(*node, key, type) : otherwise;
  }
  /// `range`: for the complaint, "must be 1 to 64".
  std::uint64_t whole(const char* key, std::uint64_t otherwise, std::int64_t low, std::int64_t high,
                      const char* range) {
    const auto value = optional(key, "a whole number", static_cast<std::int64_t>(otherwise));
    if (value < low || value > high) fail(fmt::format("`{}` {}", key, range));
    return static_cast<std::uint64_t>(value);
  }
  std::string text(const char* key) {
    auto value = required<std::string>(key, "a string");
    if (trim(value).empty()) fail(fmt::format("`{}` is empty", key), table_.get(key));
    return value;
  }
  std::vector<std::string> texts(const char* key) {
    const toml::node* node = find(key);
    if (!node) fail(fmt::format("`{}` is missing", key));
    if (!node->is_array()) fail(fmt::format("`{}` must be an array of strings", key), node);
    std::vector<std::string> values;
    for (const toml::node& entry : *node->as_array())
      values.push_back(convert<std::string>(entry, key, "an array of strings"));
    if (values.empty()) fail(fmt::format("`{}` is empty", key), node);
    return values;
  }
  /// `kind`: for the complaint, "a table of figures". Null if there is none.
  const toml::table* table(const char* key, const char* kind) {
    const toml::node* node = find(key);
    if (node && !node->is_table()) fail(fmt::format("`{}` must be {}", key, kind), node);
    return node ? node->as_table() : nullptr;
  }
  /// Whole numbers by name; empty if there are none.
  std::map<std::string, int> sizes(const char* key) {
    std::map<std::string, int> sizes;
    const toml::table* values = table(key, "a table like { rows = 2048 }");
    if (!values) return sizes;
    for (const auto& [name, value] : *values) {
      const auto number = value.value_exact<std::int64_t>();
      if (!number || *number < 0 || *number > (1 << 30))
        fail(fmt::format("{} `{}` must be a whole number, at most 2^30", key, name.str()), values);
      sizes[std::string(name.str())] = static_cast<int>(*number);
    }
    return sizes;
  }
  /// The tables of `[[key]]`.
  std::vector<const toml::table*> tables(const char* key) {
    std::vector<const toml::table*> values;
    const toml::node* node = find(key);
    if (!node) return values;
    if (!node->is_array_of_tables()) fail(fmt::format("`{0}` must be written [[{0}]]", key), node);
    for (const toml::node& entry : *node->as_array()) values.push_back(entry.as_table());
    return values;
  }

  void no_other_keys() const {
    for (const auto& [key, node] : table_)
      if (!asked_.count(std::string(key.str())))
        fail(fmt::format("unknown key `{}`", key.str()), &node);
  }

 private:
  template <typename T>
  T convert(const toml::node& node, const char* key, const char* type) const {
    if constexpr (std::is_same_v<T, double>) {
      if (const auto value = node.value<double>(); value && node.is_number()) return *value;
    } else {
      if (const auto value = node.value_exact<T>()) return *value;
    }
    fail(fmt::format("`{}` must be {}", key, type), &node);
  }

  const toml::table& table_;
  std::string file_, what_, remedy_;
  std::set<std::string> asked_;
};

}  // namespace labkit::grade
