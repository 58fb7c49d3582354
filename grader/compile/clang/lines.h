// Source lines in the PTX that clang makes.
#pragma once
#include <string>

namespace labkit::compile {

/// What clang made of several lines, or moved, has line 0. An access keeps that, as with NVRTC: its line is then taken from the
/// unoptimised build. The rest belongs to the line before it in its block, and where there is none to the one that its block
/// ends with. `ptx` is made with -use-unknown-locations=Enable.
std::string with_settled_lines(const std::string& ptx);

}  // namespace labkit::compile
