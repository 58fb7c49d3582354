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
#include <string_view>
#include <vector>

namespace labkit::compile {

struct HeaderSet {
  std::map<std::string, std::string> texts;  ///< as spelled between <> or "" -> text
  /// Asked for, known to be CUDA's, but there is no toolkit directory.
  std::vector<std::string> missing_toolkit;
};

/// All empty and own headers, and the closure of those in `included` (names as spelled) that the
/// toolkit has.
HeaderSet headers_for(const std::vector<std::string>& included, const std::string& toolkit_include);

/// The same for clang: all of them, and CUDA's own as compile/clang/*.def has them.
HeaderSet headers_for_clang();

/// A toolkit header's text that takes our integer types, and our macros where they are there first: whichever of the two is
/// included first, nothing clashes. The toolkit's headers for NVRTC define such types themselves, since there is no host library:
/// cuda_pipeline_helpers.h and libcu++ have uint64_t as a long long, where <cstdint> (ours, and nvcc's) has a long.
std::string with_own_definitions(std::string_view text);

}  // namespace labkit::compile
