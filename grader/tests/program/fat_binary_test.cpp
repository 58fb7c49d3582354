// PTX out of what compilers embed. Fat binaries are put together here, as nvcc 11.8 to 13.0 were seen to write them.
#include "program/fat_binary.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"

namespace labkit::program {
namespace {

const std::string kPtx = ".version 8.0\n.target sm_80\n.address_size 64\n" + std::string(500, ' ');

enum class Packing : std::uint8_t { none, lz4, zstd };

template <typename T>
void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string part(std::uint16_t kind, std::uint32_t arch, const std::string& text, Packing packing) {
  std::string bytes = text;
  if (packing == Packing::lz4) {
    bytes.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    bytes.resize(static_cast<std::size_t>(LZ4_compress_default(
        text.data(), bytes.data(), static_cast<int>(text.size()), static_cast<int>(bytes.size()))));
  } else if (packing == Packing::zstd) {
    bytes.resize(ZSTD_compressBound(text.size()));
    bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  }
  const auto packed = static_cast<std::uint32_t>(bytes.size());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  std::string made;
  put<std::uint16_t>(made, kind);
  put<std::uint16_t>(made, 0x101);
  put<std::uint32_t>(made, 64);
  put<std::uint64_t>(made, bytes.size());
  put<std::uint32_t>(made, packing == Packing::none ? 0 : packed);
  put<std::uint32_t>(made, 0);
  put<std::uint32_t>(made, 0);
  put<std::uint32_t>(made, arch);
  put<std::uint64_t>(made, 0);
  put<std::uint64_t>(made, packing == Packing::none  ? 0x11
                           : packing == Packing::lz4 ? 0x2011
                                                     : 0x8011);
  put<std::uint64_t>(made, 0);
  put<std::uint64_t>(made, packing == Packing::none ? 0 : text.size());
  return made + bytes;
}

std::string fat(const std::string& parts) {
  std::string made;
  put<std::uint32_t>(made, 0xba55ed50);
  put<std::uint16_t>(made, 1);
  put<std::uint16_t>(made, 16);
  put<std::uint64_t>(made, parts.size());
  return made + parts;
}

std::optional<std::string> read(const std::string& bytes, unsigned arch = 90) {
  return ptx_of(std::as_bytes(std::span(bytes)), arch);
}

class FatBinary : public testing::TestWithParam<Packing> {};

TEST_P(FatBinary, ItsPtxIsRead) {
  EXPECT_EQ(read(fat(part(1, 80, kPtx, GetParam()))), kPtx);
  // nvcc puts an empty one before, and machine code beside
  EXPECT_EQ(read(fat("") +
                 fat(part(2, 90, "machine code", Packing::none) + part(1, 80, kPtx, GetParam()))),
            kPtx);
}

/// Each length that is too short, and each byte of the head another: an Error, or some text, and no read outside.
TEST_P(FatBinary, ADamagedOneIsRefusedOrRead) {
  const std::string whole = fat(part(1, 80, kPtx, GetParam()));
  std::size_t refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      ++refused;
      EXPECT_FALSE(error.remedy().empty());
    }
  };
  for (std::size_t n = 1; n < whole.size(); ++n) attempt(whole.substr(0, n));
  EXPECT_GE(refused, whole.size() - 16);
  for (std::size_t at = 0; at < 80; ++at)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string other = whole;
      other[at] = value;
      attempt(other);
    }
}

INSTANTIATE_TEST_SUITE_P(Packings, FatBinary,
                         testing::Values(Packing::none, Packing::lz4, Packing::zstd));

TEST(FatBinaries, TheNewestThatIsNotTooNewIsTaken) {
  const auto of = [](unsigned arch) {
    return part(1, arch, kPtx + std::to_string(arch), Packing::none);
  };
  EXPECT_EQ(read(fat(of(70) + of(80) + of(100))), kPtx + "80");
  EXPECT_EQ(read(fat(of(100) + of(80) + of(70))), kPtx + "80");
  EXPECT_EQ(read(fat(of(120) + of(100))), kPtx + "100");
}

TEST(FatBinaries, WithoutPtxThereIsNone) {
  EXPECT_EQ(read(fat(part(2, 90, "machine code", Packing::none))), std::nullopt);
}

TEST(FatBinaries, TextIsTakenAsItIs) {
  EXPECT_EQ(read(kPtx + '\0' + "more"), kPtx);
  EXPECT_THROW(read("no PTX"), Error);
}

}  // namespace
}  // namespace labkit::program
