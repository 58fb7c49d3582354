#include "class/intake/kit_files.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/files.h"
#include "base/sha256.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 1u << 20;  // as IntakeLimits::source_bytes

}  // namespace

std::string kit_file_hash(std::string_view source) {
  std::string text(source);
  std::erase(text, '\r');
  return sha256_hex(text);
}

std::set<std::string> kit_file_hashes(const std::vector<lab::Manifest>& labs) {
  std::set<std::string> hashes;
  for (const lab::Manifest& lab : labs)
    for (const char* kind : {"correct", "wrong"}) {
      const fs::path folder =
          lab.directory.parent_path().parent_path() / "solutions" / lab.folder / kind;
      std::error_code none;
      for (fs::recursive_directory_iterator it(folder, none), end; !none && it != end;
           it.increment(none))
        if (it->is_regular_file(none))
          hashes.insert(kit_file_hash(read_file(it->path(), kMostBytes)));
    }
  return hashes;
}

bool is_in_kits_place(const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i + 3 < parts.size(); ++i)
    if (parts[i] == "solutions" && (parts[i + 2] == "correct" || parts[i + 2] == "wrong"))
      return true;
  return false;
}

}  // namespace labkit::course
