// Where the kit's own things lie. Each has a place from the build and a variable of the environment
// that overrules it.
#pragma once
#include <filesystem>
#include <string>

namespace labkit::cli {

/// The project: labs/ and solutions/ (LABKIT_ROOT).
std::filesystem::path root_directory();
/// Compiled kernels and copy times (LABKIT_CACHE).
std::filesystem::path cache_directory();
/// For CLI11's check(): what is wrong with a file that a report is to be written to; "" if nothing is, or for "-" (stdout).
std::string report_place_error(const std::string& path);
/// The program that checks a lab, beside this one. Throws labkit::Error if it is not built.
std::filesystem::path check_program(const std::string& lab_id);

}  // namespace labkit::cli
