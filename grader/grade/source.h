// What a solution declares of itself: in its first comment, and by marks behind its lines.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::grade {

/// What follows "KEY:" in the file's first comment, up to the line's end; nullopt if it is not there. Wrong
/// solutions declare their `verdict`, `class` and `defect` so, and what must be told of them (`says`), or never (`never`).
std::optional<std::string> declared(std::string_view source, std::string_view key);
/// The same, of each line that has it, in order.
std::vector<std::string> all_declared(std::string_view source, std::string_view key);
std::optional<std::string> declared_verdict(std::string_view source);

/// The lines, from 1, that end with the mark `// <--`: where a wrong solution goes wrong.
std::vector<std::uint32_t> marked_lines(std::string_view source);

/// solutions/classes.toml: the classes of defects that wrong solutions stand for, and why one does not fit a lab.
struct WrongClasses {
  std::vector<std::string> names;
  /// Lab id -> class -> reason.
  std::map<std::string, std::map<std::string, std::string>> does_not_fit;
};
/// Throws labkit::Error naming file, line and mend: an unknown class, an empty reason, a key that nobody knows.
WrongClasses load_wrong_classes(const std::filesystem::path& root);
WrongClasses parse_wrong_classes(std::string_view text, const std::string& name);

/// For each class, in order, the wrong solutions of a lab that declare it. Throws labkit::Error for a class that is not in the
/// list. `sources`: name -> text.
std::map<std::string, std::vector<std::string>> by_class(
    const WrongClasses& classes, const std::map<std::string, std::string>& sources);

}  // namespace labkit::grade
