#include "base/path_names.h"

#include <algorithm>
#include <regex>

#include "base/text.h"
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

std::string natural_key(std::string_view name) {
  std::string key;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    while (i + 1 < end && name[i] == '0') ++i;
    // a number has its length before it
    if (end > i) key += {'0', static_cast<char>(std::min<std::size_t>(end - i, 127))};
    end = std::max(end, i + 1);
    key += name.substr(i, end - i);
    i = end;
  }
  return key;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  static const std::regex special(R"([.^$|()\[\]{}+?\\])"), before_number("([a-z])[ _-]*(?=[0-9])"),
      number_and_any(R"((\d)\.\*)");
  std::string form = std::regex_replace(to_lower(pattern), special, "\\$&");
  form = std::regex_replace(replace_all(form, "*", ".*"), number_and_any, "$1(?!\\d).*");
  form = std::regex_replace(form, before_number, "$1[ _-]*");
  return std::regex_match(to_lower(name.substr(0, 255)), std::regex(form));
}

bool may_be_folder(const std::filesystem::path& path) {
  std::error_code unknown;
  std::filesystem::path there = std::filesystem::absolute(path, unknown);
  while (there.has_relative_path() && !std::filesystem::exists(there, unknown))
    there = there.parent_path();
  return std::filesystem::is_directory(there, unknown);
}

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code unknown;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, unknown);
  const std::filesystem::path relative =
      std::filesystem::weakly_canonical(path, unknown).lexically_relative(whole);
  return !relative.empty() && *relative.begin() != ".." &&
         std::filesystem::is_directory(whole, unknown);
}

}  // namespace labkit
