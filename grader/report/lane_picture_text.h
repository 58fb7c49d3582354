// A lane picture for a terminal: at most 76 columns beside its indent, readable without colour, and in ASCII where the
// locale has no more.
#pragma once
#include <string>
#include <string_view>

#include "explain/lane_picture.h"
#include "report/style.h"

namespace labkit::report {

/// The words, then the picture: sectors with what of them is used, or the 32 banks wavefront by wavefront. Each line begins
/// with `indent`.
std::string lane_picture_text(const explain::LanePicture& picture, const Style& style,
                              std::string_view indent = "");

}  // namespace labkit::report
