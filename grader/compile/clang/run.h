// One run of clang in its jail. Private to compile/clang.
#pragma once
#include <string>

#include "compile/clang/clang.h"

namespace labkit::compile {

/// Fills in the version and the jail of `info.program`. Returns why it cannot be used, or "".
std::string probe_clang(ClangInfo& info);

}  // namespace labkit::compile
