#include "class/intake/names.h"

#include <algorithm>

#include "base/text.h"

namespace labkit::course {

std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(':'); });
  return keys;
}

SafePath take_apart(std::string_view raw, bool backslashes, std::size_t max_depth) {
  const auto refuse = [](std::string why) { return SafePath{{}, std::move(why)}; };
  std::string name = decode_name(raw);
  if (backslashes) std::ranges::replace(name, '\\', '/');
  if (name.size() > 1024) return refuse("its path is longer than 1024 bytes");
  if (name.find('\0') != std::string::npos) return refuse("its path holds a zero byte");
  if (name.starts_with('/')) return refuse("its path is absolute");
  if (name.size() >= 2 && name[1] == ':' && is_letter(name[0]))
    return refuse("its path names a drive");
  SafePath path;
  for (const std::string_view part : split(name, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("its path leads out of the folder (..)");
    if (part.size() > 255) return refuse("a part of its path is longer than 255 bytes");
    std::string clean = clean_name(part);
    if (clean.empty() || clean == "." || clean == "..")
      return refuse("a part of its path has no readable name");
    path.parts.push_back(std::move(clean));
  }
  if (path.parts.empty()) return refuse("its path is empty");
  if (path.parts.size() > max_depth) return refuse("it lies too many folders deep");
  return path;
}

}  // namespace labkit::course
