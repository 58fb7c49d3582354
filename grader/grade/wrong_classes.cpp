#include "grade/wrong_classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "grade/source.h"
#include "grade/toml_reader.h"

namespace labkit::grade {
namespace {

constexpr const char* kRemedy = "solutions/classes.toml lists the classes and says how it is read";

bool is_class(const WrongClasses& classes, const std::string& name) {
  return std::find(classes.names.begin(), classes.names.end(), name) != classes.names.end();
}

}  // namespace

WrongClasses parse_wrong_classes(std::string_view text, const std::string& name) {
  const toml::table table = parse_toml(text, name, kRemedy);
  TomlReader reader(table, name, "the file", kRemedy);
  WrongClasses classes;
  classes.names = reader.texts("classes");
  if (const toml::node* labs = reader.find("does_not_fit")) {
    if (!labs->is_table()) reader.fail("`does_not_fit` must be tables, one a lab", labs);
    for (const auto& [lab, node] : *labs->as_table()) {
      if (!node.is_table()) reader.fail("`does_not_fit` must be tables, one a lab", &node);
      TomlReader one(*node.as_table(), name, fmt::format("[does_not_fit.{}]", lab.str()), kRemedy);
      for (const std::string& known : classes.names)
        if (node.as_table()->contains(known))
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
    if (!is_class(classes, *declared_class))
      throw Error(fmt::format("{}: there is no class `{}`", name, *declared_class), kRemedy);
    found[*declared_class].push_back(name);
  }
  return found;
}

}  // namespace labkit::grade
