#include "base/safe_path.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"

namespace labkit {

std::vector<std::string> readable_parts(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '/'))
    if (std::string clean = cut_utf8(clean_name(part), 200);
        !clean.empty() && clean != "." && clean != ".." && parts.size() < kMostParts)
      parts.push_back(std::move(clean));
  return parts.empty() ? std::vector<std::string>{"?"} : parts;
}

SafePath take_apart(std::string_view raw, bool backslashes) {
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
  if (path.parts.size() > kMostParts) return refuse("it lies too many folders deep");
  return path;
}

}  // namespace labkit
