// Files of a cache: what is in them can be made again, so that one which cannot be read or written costs time and nothing else.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace labkit {

/// What write_kept() put there. Nothing for a file that is not there, was cut short or altered, or had another name.
std::optional<std::string> read_kept(const std::filesystem::path& file);

/// Makes the folders above it. A full or read-only disk is no error.
void write_kept(const std::filesystem::path& file, std::string_view contents);

}  // namespace labkit
