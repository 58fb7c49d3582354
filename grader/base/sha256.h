// SHA-256 (FIPS 180-4), for cache keys and receipts.
#pragma once
#include <istream>
#include <string>
#include <string_view>

namespace labkit {

/// The digest as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
/// Of all that is left to read: a large file need not be in memory at once.
std::string sha256_hex(std::istream& bytes);

}  // namespace labkit
