#include "class/intake/names.h"

#include <algorithm>

namespace labkit::course {

std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(':'); });
  return keys;
}

}  // namespace labkit::course
