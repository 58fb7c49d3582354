#include "launch/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/files.h"
#include "base/text.h"

namespace labkit::launch {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw std::invalid_argument(path.string() + " " + why);
}

/// What stands behind a key of the header: "{'descr': '<f4', 'fortran_order': False, ...}".
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(" '"), value.size()));
  return value.substr(0, value.find_first_of("',}"));
}

/// Of a shape like "(3, 4)", "(64,)" or "()": how many elements; nullopt: it is no shape, or more than 2^63.
std::optional<std::uint64_t> elements_of(std::string_view header) {
  const std::size_t at = header.find("'shape':");
  const std::size_t open = header.find('(', std::min(at, header.size()));
  const std::size_t close = header.find(')', std::min(open, header.size()));
  if (close == std::string_view::npos) return std::nullopt;
  std::uint64_t elements = 1;
  std::string_view shape = header.substr(open + 1, close - open - 1);
  while (!trim(shape).empty()) {
    const std::size_t comma = std::min(shape.find(','), shape.size());
    const std::string_view extent = trim(shape.substr(0, comma));
    std::uint64_t value = 0;
    const char* const end = extent.data() + extent.size();
    if (std::from_chars(extent.data(), end, value).ptr != end || extent.empty())
      return std::nullopt;
    if (value != 0 && elements > (std::uint64_t{1} << 63) / value) return std::nullopt;
    elements *= value;
    shape.remove_prefix(std::min(comma + 1, shape.size()));
  }
  return elements;
}

/// "<f4": NumPy's name of the type, with its byte order; "|u1".
std::string descr_of(Element element) {
  const bool is_float = name_of(element).starts_with('f');
  const bool is_signed = name_of(element).starts_with('i');
  const std::uint32_t bytes = size_bytes(element);
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<',
                     is_float    ? 'f'
                     : is_signed ? 'i'
                                 : 'u',
                     bytes);
}

/// Of a text that begins as .npy does: where its numbers begin.
std::size_t require_fitting(const std::filesystem::path& path, std::string_view text,
                            Element element) {
  const bool is_first = text.size() > 6 && text[6] == '\1';
  const std::size_t length_bytes = is_first ? 2 : 4, at = kMagic.size() + 2;
  std::uint32_t length = 0;
  if (text.size() < at + length_bytes) refuse(path, "is a broken .npy: its header is cut off");
  std::memcpy(&length, text.data() + at, length_bytes);
  const std::size_t begin = at + length_bytes + length;
  if (begin > text.size()) refuse(path, "is a broken .npy: its header is cut off");
  const std::string_view header = text.substr(at + length_bytes, length);
  if (value_of(header, "fortran_order") != "False")
    refuse(path, "is in Fortran's order: save numpy.ascontiguousarray() of it");
  const std::string_view descr = value_of(header, "descr");
  const std::string wanted = descr_of(element);
  // Signed or not is the kernel's affair, and so are booleans.
  const auto kind = [](std::string_view one) {
    return one.size() < 2 ? '?' : one[1] == 'f' ? 'f' : one[1] == 'c' || one[1] == 'V' ? '?' : 'i';
  };
  if (descr.starts_with('>') || kind(descr) != kind(wanted) ||
      descr.substr(std::min<std::size_t>(descr.size(), 2)) != std::string_view(wanted).substr(2))
    refuse(path, fmt::format("holds '{}', but {} is '{}'", descr, name_of(element), wanted));
  const std::optional<std::uint64_t> elements = elements_of(header);
  const std::uint64_t there = (text.size() - begin) / size_bytes(element);
  if (!elements || *elements != there || (text.size() - begin) % size_bytes(element) != 0)
    refuse(path, elements
                     ? fmt::format("is a broken .npy: its header says {} elements, but it has {}",
                                   *elements, there)
                     : "is a broken .npy: its header gives no shape");
  return begin;
}

}  // namespace

std::vector<std::byte> read_array(const std::filesystem::path& path, Element element) {
  if (!std::filesystem::is_regular_file(path)) refuse(path, "is no file");
  const std::string text = read_file(path, std::uint64_t{1} << 36);
  const bool is_numpy = text.starts_with(kMagic);
  if (!is_numpy && path.extension() == ".npy") refuse(path, "is no .npy file");
  const std::size_t begin = is_numpy ? require_fitting(path, text, element) : 0;
  if ((text.size() - begin) % size_bytes(element) != 0)
    refuse(path, fmt::format("has {} bytes, which is no number of {}", text.size() - begin,
                             name_of(element)));
  std::vector<std::byte> bytes(text.size() - begin);
  std::memcpy(bytes.data(), text.data() + begin, bytes.size());
  return bytes;
}

void write_array(const std::filesystem::path& path, Element element,
                 std::span<const std::byte> bytes) {
  std::string text;
  if (path.extension() == ".npy") {
    constexpr std::size_t kUnit = 64, kBefore = 10;
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}",
                                     descr_of(element), bytes.size() / size_bytes(element));
    header.append(kUnit - 1 - (kBefore + header.size()) % kUnit, ' ');
    header += '\n';
    text = kMagic;
    text += {'\1', '\0', static_cast<char>(header.size() & 0xff),
             static_cast<char>(header.size() >> 8)};
    text += header;
  }
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  write_file_atomically(path, text);
}

}  // namespace labkit::launch
