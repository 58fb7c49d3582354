// What paths are called where people read of them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace labkit {

/// The last part, also of ".", "week1/" and a path that is no UTF-8.
std::string shown_name(const std::filesystem::path& path);

/// Of each path the shortest end that is no other's, such as "week1" or "a/week1".
std::vector<std::string> short_names(const std::vector<std::filesystem::path>& paths);

}  // namespace labkit
