// The path of a member of an archive, which a stranger wrote.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

inline constexpr std::size_t kMostParts = 32;  ///< of a path

struct SafePath {
  std::vector<std::string> parts;  ///< cleaned; never empty, ".", ".." or with a '/'
  std::string refusal;             ///< why it must not be used; then `parts` is empty
};
/// Of any path, also one that is refused; never none.
std::vector<std::string> readable_parts(std::string_view path);
/// Refuses absolute paths, drive letters, "..", empty names, parts over 255 bytes, more than kMostParts parts and more than
/// 1024 bytes in all. `backslashes`: they separate too (zip files from Windows).
SafePath take_apart(std::string_view raw, bool backslashes);

}  // namespace labkit
