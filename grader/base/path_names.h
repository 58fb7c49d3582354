// What paths are called where people read of them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

/// The last part, also of ".", "week1/" and a path that is no UTF-8.
std::string shown_name(const std::filesystem::path& path);

/// Of each path the shortest end that is no other's, such as "week1" or "a/week1".
std::vector<std::string> short_names(const std::vector<std::filesystem::path>& paths);

/// Sorts as a reader expects: "Nov 2" before "Nov 10", and "Lab 3" before "Lab 3 late".
std::string natural_key(std::string_view name);

/// In which * is any text; case and blanks before a number do not matter: "Lab 3 submissions (1).zip" and "lab_3.zip" fit "lab3*",
/// "Lab 31.zip" does not.
bool fits_pattern(std::string_view name, std::string_view pattern);

/// Whether it is a folder, or can become one: what there is of its path is one.
bool may_be_folder(const std::filesystem::path& path);
/// Also the folder itself; never in what is no folder.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace labkit
