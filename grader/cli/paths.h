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
/// The program that checks a lab, beside this one. Throws labkit::Error if it is not built.
std::filesystem::path check_program(const std::string& lab_id);

}  // namespace labkit::cli
