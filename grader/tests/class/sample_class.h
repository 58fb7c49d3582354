// docker/sample_class in each of the formats that classes come in.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace labkit::course {

/// A class as a program is given it: a folder or an archive.
struct PackedClass {
  std::string format;  ///< "plain", "zip", "tar", "canvas", "moodle", "gradescope"
  std::filesystem::path input;
};

/// Writes all formats and roster.csv below `out`; the same bytes each time. Throws if `root` (of the
/// project) lacks a file that class.toml names.
std::vector<PackedClass> pack_sample_class(const std::filesystem::path& root,
                                           const std::filesystem::path& out);

}  // namespace labkit::course
