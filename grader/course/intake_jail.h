// take_in() in a process of its own, in the jail: archives and metadata are strangers' files, and the
// libraries that parse them (libarchive and its decompressors, yaml-cpp) are large.
#pragma once
#include <filesystem>
#include <vector>

#include "course/intake.h"

namespace labkit::course {

/// The same as take_in(), with the same errors. The process can read `input`, the roster and the C
/// library's own data, and nothing else; it cannot write, start anything or use the network. To be
/// called before this process has other threads.
Intake take_in_jailed(const std::filesystem::path& input, const std::vector<lab::Manifest>& labs,
                      const IntakeOptions& options = {});

}  // namespace labkit::course
