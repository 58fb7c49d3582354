// Where NVRTC may lie on a machine, and how to get it where there is none.
#pragma once
#include <string>
#include <vector>

#include "compile/compile.h"
#include "compile/protocol.h"

namespace labkit::compile {

/// Existing candidates in the order in which they are tried, duplicates (by real path) removed.
std::vector<std::string> nvrtc_candidates();

/// CUDA's header directory that belongs to a library of that major version (it has cuda_fp16.h), or
/// empty.
std::string include_directory_for(const std::string& library, int major);

/// What to do to get NVRTC on this system (reads /etc/os-release).
std::string nvrtc_remedy();

Error error_of(const WorkerResponse& response);

}  // namespace labkit::compile
