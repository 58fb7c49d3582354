// Is an archive all there? Private to collect.
#pragma once
#include <filesystem>
#include <string>

namespace labkit::course {

/// A zip file ends with the record of its directory, and at most a comment of 64 KiB after it. Members are read as they
/// come, so that a file cut between two would seem whole. A tar ends with two blocks of zeros; one that is packed cannot
/// be unpacked if it is cut. Why the file is broken, or "".
///
/// A zip that unpacks itself has a program before it: its directory counts from the file's beginning or from the
/// archive's, the first local header. Any other distance is that of an archive inside of one that was cut, or behind one.
std::string why_cut_short(const std::filesystem::path& file);

}  // namespace labkit::course
