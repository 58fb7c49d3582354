// SHA-256 (FIPS 180-4), for cache keys and receipts.
#pragma once
#include <string>
#include <string_view>

namespace labkit {

/// The digest as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace labkit
