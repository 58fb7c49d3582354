// The headers that a student's #include can find. All are given to NVRTC in memory; it can open no
// file.
//
// Three kinds: those of the host that device code has no use for (cstdio, cuda_runtime.h, vector)
// are empty; the few of the C++ library that device code does use (cstdint, cmath, type_traits) are
// our own, small; CUDA's (cuda_fp16.h, cooperative_groups.h) are read from the toolkit's include
// directory, with what they include in turn.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace labkit::compile {

struct HeaderSet {
  std::map<std::string, std::string> texts;  ///< as spelled between <> or "" -> text
  std::vector<std::string>
      missing_toolkit;  ///< asked for, known to be CUDA's, but there is no toolkit directory
};

/// All empty and own headers, and the closure of those in `included` (names as spelled) that the
/// toolkit has.
HeaderSet headers_for(const std::vector<std::string>& included, const std::string& toolkit_include);

}  // namespace labkit::compile
