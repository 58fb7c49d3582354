#include "base/path_names.h"

#include <algorithm>

#include "base/unicode.h"

namespace labkit {

std::string shown_name(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  if (name.empty() || name == "." || name == "..") {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path, ignored);
    name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  }
  return clean_name(decode_name(name));
}

std::vector<std::string> short_names(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::vector<std::string>> ends;  // of the paths, the shortest first
  for (const std::filesystem::path& path : paths) {
    std::error_code ignored;
    std::filesystem::path above = std::filesystem::weakly_canonical(path, ignored).parent_path();
    std::vector<std::string>& all = ends.emplace_back(1, shown_name(path));
    for (; above.has_filename(); above = above.parent_path())
      all.push_back(clean_name(decode_name(above.filename().string())) + "/" + all.back());
  }
  std::vector<std::string> names;
  for (const std::vector<std::string>& all : ends)
    names.push_back(*std::ranges::find_if(all, [&](const std::string& end) {
      return end == all.back() || std::ranges::count_if(ends, [&](const auto& other) {
                                    return std::ranges::find(other, end) != other.end();
                                  }) == 1;
    }));
  return names;
}

}  // namespace labkit
