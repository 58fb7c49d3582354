#include "class/intake/cut_short.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>

namespace labkit::course {
namespace {

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// By how many bytes the directory lies further on than the record of it at `at` of `end` says, `begin` being where `end`
/// begins: it ends where the record begins (APPNOTE 4.3.16), or where the records of zip64 do (4.3.14, 4.3.15). Not 0 where
/// something lies before the archive, or where the record is that of an archive inside of the file, which counts from its
/// own beginning. nullopt: that is no such record.
std::optional<std::uint64_t> shift_of_directory(std::string_view end, std::size_t at,
                                                std::uint64_t begin) {
  if (end.size() - at < 22) return std::nullopt;
  const std::uint64_t size = little_endian(end, at + 12, 4),
                      offset = little_endian(end, at + 16, 4);
  if (at >= 76 && end.substr(at - 20, 4) == "PK\6\7") {
    // Where it says, or, with something before the archive, where it lies but for its extensions.
    const std::uint64_t says = little_endian(end, at - 12, 8), lies = begin + at - 76;
    for (const std::uint64_t record : {says, lies}) {
      if (record < begin || record > lies) continue;
      const std::size_t there = record - begin;
      const std::uint64_t ends =
          little_endian(end, there + 40, 8) + little_endian(end, there + 48, 8);
      if (end.substr(there, 4) == "PK\6\6" && ends == says) return record - says;
    }
  }
  if (offset + size > begin + at) return std::nullopt;
  return begin + at - offset - size;
}

}  // namespace

std::string why_cut_short(const std::filesystem::path& file) {
  constexpr std::streamoff kMostTail = 56 + 20 + 22 + 65535;
  constexpr std::streamoff kMostProgram = 1 << 20;
  std::ifstream in(file, std::ios::binary);
  std::string magic(262, '\0');
  in.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  const bool is_program = magic.starts_with("MZ") || magic.starts_with(
                                                         "\x7f"
                                                         "ELF");
  const bool is_zip = magic.starts_with("PK\3\4");
  const bool is_tar = in && std::string_view(magic).substr(257, 5) == "ustar";
  if (!is_zip && !is_tar && !is_program) return {};
  in.clear();
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  const auto read_at = [&](std::streamoff from, std::streamoff bytes) {
    std::string text(static_cast<std::size_t>(bytes), '\0');
    in.seekg(from);
    if (!in.read(text.data(), bytes)) text.clear();
    return text;
  };
  std::size_t first = 0;
  if (is_program) {
    first = read_at(0, std::min(size, kMostProgram)).find("PK\3\4");
    if (first == std::string::npos) return {};  // no zip
  }
  const std::streamoff tail = std::min<std::streamoff>(size, is_tar ? 1024 : kMostTail);
  const std::string end = read_at(size - tail, tail);
  if (end.empty()) return {};
  if (is_tar)
    return end.find_first_not_of('\0') == std::string::npos ? ""
                                                            : "it is broken: its end is missing";
  const std::string no_end = "it is broken: its end is missing";
  bool is_whole = false;
  for (std::size_t at = end.rfind("PK\5\6"); at != std::string::npos;
       at = at == 0 ? std::string::npos : end.rfind("PK\5\6", at - 1)) {
    const auto shift = shift_of_directory(end, at, static_cast<std::uint64_t>(size - tail));
    if (!shift) continue;
    // The record that the file ends with decides; behind another there is more than its comment.
    const bool ends_here = at + 22 + little_endian(end, at + 20, 2) == end.size();
    is_whole |= *shift == 0;
    if (!ends_here) continue;
    if (*shift == 0) return {};
    if (*shift == first && at >= 20 && end.substr(at - 20, 4) == "PK\6\7")
      return "it is a program that unpacks itself, with a zip64 archive, which the kit does not "
             "read";
    if (*shift == first) return {};
    return fmt::format(
        "{}, or something else lies before its beginning (its directory is {} bytes further on "
        "than "
        "it says)",
        no_end, *shift);
  }
  return is_whole ? "" : no_end;
}

}  // namespace labkit::course
