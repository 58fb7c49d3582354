// Where the kit's own things lie. No place is compiled in: a kit that was moved or copied works where it lies now, and on
// nothing else.
#pragma once
#include <filesystem>
#include <string>

namespace labkit::cli {

/// The kit, which holds labs/ and solutions/: LABKIT_ROOT, else the nearest folder above this program that holds labs, else
/// the nearest above the working directory (of programs built or installed elsewhere). Throws labkit::Error if none does.
std::filesystem::path root_directory();
/// Compiled kernels and copy times: LABKIT_CACHE, else `cache` beside the folder of this program.
std::filesystem::path cache_directory();
/// For CLI11's check(): what is wrong with a file that a report is to be written to; "" if nothing is, or for "-" (stdout).
std::string report_place_error(const std::string& path);
/// lab_check, beside this program. Throws labkit::Error if it is not built.
std::filesystem::path check_program();

}  // namespace labkit::cli
