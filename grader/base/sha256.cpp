#include "base/sha256.h"

#include <nettle/sha2.h>

#include <cstdint>
#include <fstream>

#include "base/error.h"

namespace labkit {
namespace {

class Hash {
 public:
  Hash() { sha256_init(&state_); }
  void add(std::string_view bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }
  std::string hex() {
    std::uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&state_, sizeof digest, digest);
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * sizeof digest);
    for (const std::uint8_t byte : digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }

 private:
  sha256_ctx state_;
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream bytes(path, std::ios::binary);
  if (!bytes) throw Error("cannot read " + path.string());
  Hash hash;
  char part[1 << 16];
  while (bytes.read(part, sizeof part), bytes.gcount() > 0)
    hash.add({part, static_cast<std::size_t>(bytes.gcount())});
  return hash.hex();
}

}  // namespace labkit
