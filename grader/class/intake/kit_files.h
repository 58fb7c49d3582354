// The kit's own solutions, as they lie in a student's copy of the kit. Private to intake.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grade/manifest.h"

namespace labkit::course {

/// SHA-256 of a source, whatever ends its lines: git on Windows changes that.
std::string kit_file_hash(std::string_view source);
/// Of all files in solutions/<lab>/correct and wrong beside the folder of `labs`; none where they are not
/// handed out.
std::set<std::string> kit_file_hashes(const std::vector<lab::Manifest>& labs);

/// Whether a path has solutions/<lab>/correct/ or wrong/ in it.
bool is_in_kits_place(const std::vector<std::string>& parts);

}  // namespace labkit::course
