// Folders and archives made for a test.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../base/temporary_folder.h"
#include "grade/manifest.h"

namespace labkit::course {

struct Packed {
  enum class Kind : std::uint8_t { file, folder, symlink, hardlink, fifo };
  std::string name;  ///< raw bytes
  std::string contents = {};
  Kind kind = Kind::file;
  std::string target = {};  ///< of links
};

struct PackOptions {
  std::string ending =
      ".zip";             ///< .zip, .tar, .tar.gz, .tar.bz2, .tar.xz, .tar.zst, .tar.lz4, .tar.Z
  bool utf8_flag = true;  ///< zip: say that names are UTF-8 (and they must be)
  std::string password = {};                 ///< zip: encrypt with it
  std::int64_t modified_at = 1'790'000'000;  ///< of all members, seconds since 1970
  bool zip64 = false;                        ///< zip: with its records, needed or not
};
/// The archive's bytes, the same for the same entries.
std::string pack(const std::vector<Packed>& entries, const PackOptions& options = {});

/// The kit's own labs.
const std::vector<grade::Manifest>& kit_labs();
/// A kernel of the lab that is not empty; `mark` makes it differ from others.
std::string kernel_of(const std::string& lab, const std::string& mark = "1");

}  // namespace labkit::course
