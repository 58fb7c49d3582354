// SHA-256 (FIPS 180-4), for cache keys and receipts.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace labkit {

/// The digest as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
/// Of what is in a file, which need not be in memory at once. Throws Error where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace labkit
