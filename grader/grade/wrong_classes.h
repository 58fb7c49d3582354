// solutions/classes.toml: the classes of defects that wrong solutions stand for, and why one does not fit a lab.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace labkit::grade {

struct WrongClasses {
  std::vector<std::string> names;
  std::map<std::string, std::map<std::string, std::string>>
      does_not_fit;  ///< lab id -> class -> reason
};
/// Throws labkit::Error naming file, line and mend: an unknown class, an empty reason, a key that nobody knows.
WrongClasses load_wrong_classes(const std::filesystem::path& root);
WrongClasses parse_wrong_classes(std::string_view text, const std::string& name);

/// For each class, in order, the wrong solutions of a lab that declare it. Throws labkit::Error for a class that is not in the
/// list. `sources`: name -> text.
std::map<std::string, std::vector<std::string>> by_class(
    const WrongClasses& classes, const std::map<std::string, std::string>& sources);

}  // namespace labkit::grade
