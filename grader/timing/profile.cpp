// GPU profiles: TOML in which every number carries a unit and a source, checked when it is read.
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

/// By name, as TOML.
const std::map<std::string, std::string>& profile_texts() {
  static const std::map<std::string, std::string> texts = {
#include "timing/profiles.inc"
  };
  return texts;
}

using Setter = std::function<void(GpuProfile&, double)>;

template <typename T>
Setter field(T GpuProfile::*member) {
  return [member](GpuProfile& gpu, double value) { gpu.*member = static_cast<T>(value); };
}

/// By table and name: where the number goes.
const std::map<std::pair<std::string, std::string>, Setter>& fields() {
  using P = GpuProfile;
  static const std::map<std::pair<std::string, std::string>, Setter> all = {
#define NUMBER(table, type, name) {{#table, #name}, field(&P::name)},
#include "timing/profile_numbers.def"
#undef NUMBER
  };
  return all;
}

double entry(const toml::node* node, const std::string& where) {
  const toml::table* table = node ? node->as_table() : nullptr;
  if (!table) throw Error(where + ": missing, or no { value, unit, source }");
  for (const char* word : {"unit", "source"}) {
    const auto text = table->get_as<std::string>(word);
    if (!text || text->get().empty()) throw Error(where + ": has no " + word);
  }
  const auto value = (*table)["value"].value<double>();
  // Before compute capability 8.0 a block costs no more shared memory than it asks for.
  const bool may_be_zero = where.ends_with("limits.shared_bytes_reserved");
  if (!value || !(*value > 0 || (may_be_zero && *value == 0)))
    throw Error(where + ": its value is no positive number");
  return *value;
}

}  // namespace

GpuProfile parse_profile(const std::string& name, const std::string& toml,
                         const std::string& origin) {
  GpuProfile gpu;
  gpu.name = name;
  try {
    const toml::table root = toml::parse(toml, origin);
    const auto title = root["title"].value<std::string>();
    const auto measured = root["measured"].value<bool>();
    if (!title || !measured)
      throw Error(origin + ": needs `title` (text) and `measured` (true or false)");
    gpu.title = *title;
    gpu.measured = *measured;
    for (const auto& [key, set] : fields())
      set(gpu, entry(root.at_path(key.first + "." + key.second).node(),
                     origin + ": " + key.first + "." + key.second));
    for (const auto& [section, node] : root) {
      const toml::table* table = node.as_table();
      if (!table) {
        if (section != "title" && section != "measured")
          throw Error(origin + ": unknown entry " + std::string(section.str()));
        continue;
      }
      for (const auto& [word, value] : *table)
        if (!fields().contains({std::string(section.str()), std::string(word.str())}))
          throw Error(origin + ": unknown entry " + std::string(section.str()) + "." +
                      std::string(word.str()));
    }
  } catch (const toml::parse_error& error) {
    throw Error(origin + ", line " + std::to_string(error.source().begin.line) + ": " +
                std::string(error.description()));
  }
  return gpu;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const auto& [name, toml] : profile_texts()) names.push_back(name);
  return names;
}

std::vector<std::string> measured_profile_names() {
  std::vector<std::string> names = profile_names();
  std::erase_if(names, [](const std::string& name) { return !find_profile(name).measured; });
  return names;
}

const GpuProfile& find_profile(std::string_view name) {
  static const std::map<std::string, GpuProfile, std::less<>> profiles = [] {
    std::map<std::string, GpuProfile, std::less<>> read;
    for (const auto& [name, toml] : profile_texts())
      read[name] = parse_profile(name, toml, "grader/timing/profiles/" + name + ".toml");
    return read;
  }();
  const auto found = profiles.find(name);
  if (found != profiles.end()) return found->second;
  throw Error("there is no GPU profile '" + std::string(name) + "'",
              "choose one of: " + joined(profile_names()));
}

}  // namespace labkit::timing
