// What the source says of the arrays that findings are about.
#pragma once
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace labkit::device {

/// Sets `declared` of each finding about an array whose declaration the source shows (compile/declared_arrays.h and
/// declared_structures.h).
void add_declarations(std::vector<launch::Finding>& findings, std::string_view source);

}  // namespace labkit::device
