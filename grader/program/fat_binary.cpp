#include "program/fat_binary.h"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace labkit::program {
namespace {

struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< of all parts
};
constexpr std::uint32_t kMagic = 0xba55ed50;

struct Part {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;             ///< of what follows the header, padded
  std::uint32_t compressed_bytes;  ///< without the padding; 0: it is not compressed
  std::uint32_t options_at;
  std::uint16_t minor, major;
  std::uint32_t arch;  ///< 90
  std::uint32_t name_at, name_bytes;
  std::uint64_t flags;
  std::uint64_t unused;
  std::uint64_t whole_bytes;  ///< once it is unpacked
};
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
/// Of one kernel's PTX; a damaged size must not take all memory.
constexpr std::uint64_t kMost = 1u << 30;

[[noreturn]] void damaged() {
  throw Error(
      "the program's device code cannot be read: its fat binary is damaged, or of a form that is "
      "not known",
      "compile it with nvcc 11.8 to 13, with the option -gencode arch=compute_80,code=compute_80");
}

std::string unpacked(std::span<const std::byte> bytes, const Part& part) {
  const auto* from = reinterpret_cast<const char*>(bytes.data());
  if ((part.flags & (kLz4 | kZstd)) == 0) {
    const std::string text(from, bytes.size());
    return text.substr(0, text.find('\0'));
  }
  if (part.whole_bytes > kMost || part.compressed_bytes > bytes.size()) damaged();
  std::string text(part.whole_bytes, '\0');
  const bool is_lz4 = (part.flags & kLz4) != 0;
  const std::size_t got =
      is_lz4
          ? static_cast<std::size_t>(std::max(
                -1, LZ4_decompress_safe(from, text.data(), static_cast<int>(part.compressed_bytes),
                                        static_cast<int>(text.size()))))
          : ZSTD_decompress(text.data(), text.size(), from, part.compressed_bytes);
  if (got != text.size()) damaged();
  return text.substr(0, text.find('\0'));
}

}  // namespace

std::optional<std::string> ptx_of(std::span<const std::byte> fat_binary, unsigned arch) {
  std::optional<std::string> best;
  unsigned best_arch = 0;
  const auto read = [&]<typename T>(std::size_t at, T& to) {
    if (at > fat_binary.size() || fat_binary.size() - at < sizeof to) damaged();
    std::memcpy(&to, fat_binary.data() + at, sizeof to);
  };
  if (std::uint32_t magic = 0;
      fat_binary.size() < sizeof magic || (read(0, magic), magic != kMagic)) {
    const std::string text(reinterpret_cast<const char*>(fat_binary.data()), fat_binary.size());
    if (text.find(".version") == std::string::npos) damaged();
    return text.substr(0, text.find('\0'));
  }
  for (std::size_t at = 0; at < fat_binary.size();) {
    Header header;
    read(at, header);
    if (header.magic != kMagic || header.header_bytes < sizeof header) damaged();
    at += header.header_bytes;
    if (header.bytes > fat_binary.size() - at) damaged();
    for (const std::size_t end = at + header.bytes; at < end;) {
      Part part;
      read(at, part);
      if (part.header_bytes < sizeof part || part.header_bytes > end - at ||
          part.bytes > end - at - part.header_bytes)
        damaged();
      const bool is_better = !best ||
                             (part.arch <= arch && (best_arch > arch || part.arch > best_arch)) ||
                             (best_arch > arch && part.arch < best_arch);
      if (part.kind == kPtx && is_better) {
        best = unpacked(fat_binary.subspan(at + part.header_bytes, part.bytes), part);
        best_arch = part.arch;
      }
      at += part.header_bytes + part.bytes;
    }
  }
  return best;
}

}  // namespace labkit::program
