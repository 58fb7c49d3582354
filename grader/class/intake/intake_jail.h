// take_in() in a process of its own, in the jail: archives and metadata are strangers' files, and the
// libraries that parse them (libarchive and its decompressors, yaml-cpp) are large.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "class/intake/intake.h"

namespace labkit::course {

/// What the program itself does while another reads.
struct IntakeWatch {
  /// A few times a second, with the number of files looked at.
  std::function<void(std::size_t files)> look = {};
  /// A megabyte of whatever text takes a tenth of a second.
  double file_cpu_seconds = 10;
};

/// The same as take_in(), with the same errors. The process can read the inputs, the roster and the C
/// library's own data, and nothing else; it cannot write, start anything or use the network. A file that takes more than
/// its share of time is refused as one that cannot be read is, and the others go on. To be
/// called before this process has other threads.
Intake take_in_jailed(const std::vector<std::filesystem::path>& inputs,
                      const std::vector<lab::Manifest>& labs, const IntakeOptions& options = {},
                      const IntakeWatch& watch = {});
inline Intake take_in_jailed(const std::filesystem::path& input,
                             const std::vector<lab::Manifest>& labs,
                             const IntakeOptions& options = {}, const IntakeWatch& watch = {}) {
  return take_in_jailed(std::vector{input}, labs, options, watch);
}

}  // namespace labkit::course
