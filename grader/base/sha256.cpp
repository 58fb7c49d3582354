#include "base/sha256.h"

#include <nettle/sha2.h>

#include <cstdint>

namespace labkit {

std::string sha256_hex(std::string_view bytes) {
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  sha256_digest(&state, sizeof digest, digest);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * sizeof digest);
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace labkit
