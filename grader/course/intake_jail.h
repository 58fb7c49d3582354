// take_in() in a process of its own, in the jail: archives and metadata are strangers' files, and the
// libraries that parse them (libarchive and its decompressors, yaml-cpp) are large.
#pragma once
#include <filesystem>
#include <vector>

#include "course/intake.h"

namespace labkit::course {

/// The same as take_in(), with the same errors. The process can read the inputs, the roster and the C
/// library's own data, and nothing else; it cannot write, start anything or use the network. To be
/// called before this process has other threads.
Intake take_in_jailed(const std::vector<std::filesystem::path>& inputs,
                      const std::vector<lab::Manifest>& labs, const IntakeOptions& options = {});
inline Intake take_in_jailed(const std::filesystem::path& input,
                             const std::vector<lab::Manifest>& labs,
                             const IntakeOptions& options = {}) {
  return take_in_jailed(std::vector{input}, labs, options);
}

}  // namespace labkit::course
