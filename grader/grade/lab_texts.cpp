#include "grade/lab_texts.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>

#include "base/error.h"
#include "base/files.h"
#include "grade/toml_reader.h"

namespace labkit::grade {

words::Texts read_texts(const std::filesystem::path& file) {
  constexpr const char* kRemedy =
      "each line must read \"English\" = \"the same in the other language\"";
  words::Texts texts;
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return texts;
  for (const auto& [english, node] : parse_toml(read_file(file), file.string(), kRemedy)) {
    const auto text = node.value<std::string>();
    if (!text)
      throw Error(fmt::format("{}:{}: no text", file.string(), node.source().begin.line), kRemedy);
    texts.emplace(english.str(), *text);
  }
  return texts;
}

words::Texts read_lab_texts(const std::filesystem::path& labs, std::string_view language) {
  const std::string name = fmt::format("{}.toml", language);
  words::Texts texts = read_texts(labs / name);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(labs, none))
    if (entry.is_directory(none)) texts.merge(read_texts(entry.path() / name));
  return texts;
}

}  // namespace labkit::grade
