// Names of people and of files, as a download has them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/unicode.h"

namespace labkit::course {

/// Every way in which a name may be squashed or turned around: two that share one of these are one ("libo", "Li, Bo").
/// Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name);

struct SafePath {
  std::vector<std::string> parts;  ///< cleaned; never empty, ".", ".." or with a '/'
  std::string refusal;             ///< why it must not be used; then `parts` is empty
};
/// Refuses absolute paths, drive letters, "..", empty names, parts over 255 bytes, more than `max_depth` parts and more than
/// 1024 bytes in all. `backslashes`: they separate too (zip files from Windows).
SafePath take_apart(std::string_view raw, bool backslashes, std::size_t max_depth = 32);

}  // namespace labkit::course
