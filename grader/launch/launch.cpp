#include "launch/launch.h"

#include <charconv>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "base/enum_names.h"

namespace labkit::launch {

std::optional<Dim3> parse_dim3(std::string_view text) {
  std::uint32_t parts[3] = {1, 1, 1};
  int count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    if (count == 3) return std::nullopt;
    std::uint32_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || value == 0 || value > 0x7fffffffu) return std::nullopt;
    parts[count++] = value;
    if (next == end) break;
    if (*next != 'x') return std::nullopt;
    at = next + 1;
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

std::string to_string(const Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += "x" + std::to_string(dim.y);
  if (dim.z != 1) text += "x" + std::to_string(dim.z);
  return text;
}

std::string triple(const Dim3& dim) {
  return "(" + std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z) +
         ")";
}

std::uint32_t size_bytes(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::u16:
    case Element::f16:
      return 2;
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::f64:
      return 8;
  }
  return 0;
}

constexpr std::string_view kElements[] = {"u8", "u16", "i32", "i64", "f16", "f32", "f64"};
std::string_view name_of(Element element) { return name_in(kElements, element); }
std::optional<Element> element_from_name(std::string_view name) {
  return value_in<Element>(kElements, name);
}

std::string_view name_of(Access access) {
  constexpr std::string_view kNames[] = {"none", "read", "write", "atomic"};
  return name_in(kNames, access);
}

bool has_evidence(const Finding& finding, words::Id id) {
  return std::any_of(finding.evidence.begin(), finding.evidence.end(),
                     [&](const words::Message& message) { return message.id == id; });
}

std::string_view name_of(FindingKind kind) {
  constexpr std::string_view kNames[] = {
      "race",   "out_of_bounds", "misaligned", "uninitialized", "barrier",
      "assert", "budget",        "trap",       "unsupported",   "launch"};
  return name_in(kNames, kind);
}

std::string Declaration::element(const std::string& array, std::uint64_t index) const {
  std::string member;
  if (member_extent != 0) {
    member = "." + members.front() + "[" + std::to_string(index % member_extent) + "]";
    index /= member_extent;
  } else if (!members.empty()) {
    member = "." + members[index % members.size()];
    index /= members.size();
  }
  std::string indices;
  for (std::size_t i = extents.size(); i-- > 1;) {
    indices.insert(0, "[" + std::to_string(index % extents[i]) + "]");
    index /= extents[i];
  }
  return array + "[" + std::to_string(index) + "]" + indices + member;
}

namespace {

/// Of one buffer: 64 GiB is beyond what any machine that runs the kit holds, and keeps sizes far
/// from overflow.
constexpr std::uint64_t kMaxBufferBytes = 1ull << 36;
/// CUDA's limit on all parameters of a kernel is 4 KiB (32,764 bytes from compute_70 and CUDA 12.1
/// on).
constexpr std::size_t kMaxStructBytes = 32764;

[[noreturn]] void bad(std::string_view text, const std::string& why) {
  throw std::invalid_argument("--arg '" + std::string(text) + "': " + why);
}

template <typename T>
std::vector<std::byte> number(std::string_view text, std::string_view value) {
  T parsed{};
  const bool plus = value.size() > 1 && value[0] == '+';  // from_chars takes no plus sign
  const char* const end = value.data() + value.size();
  const auto [next, error] = std::from_chars(value.data() + plus, end, parsed);
  if (error == std::errc::result_out_of_range)
    bad(text, "'" + std::string(value) + "' does not fit the type");
  if (error != std::errc{} || next != end || value.empty())
    bad(text, "'" + std::string(value) + "' is not a number of that type");
  std::vector<std::byte> bytes(sizeof parsed);
  std::memcpy(bytes.data(), &parsed, sizeof parsed);
  return bytes;
}

std::vector<std::byte> hex(std::string_view text, std::string_view digits) {
  if (digits.empty() || digits.size() % 2 != 0)
    bad(text, "hex: wants pairs of hexadecimal digits, two a byte, lowest address first");
  if (digits.size() / 2 > kMaxStructBytes)
    bad(text, "a kernel's parameters hold at most 32764 bytes");
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned value = 0;
    const char* const end = digits.data() + i + 2;
    const auto [next, error] = std::from_chars(digits.data() + i, end, value, 16);
    if (error != std::errc{} || next != end)
      bad(text, "'" + std::string(digits.substr(i, 2)) + "' is not a byte in hexadecimal");
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

Fill fill_from_name(std::string_view text, std::string_view name) {
  if (name == "random") return Fill::random;
  if (name == "iota") return Fill::iota;
  if (name == "zero") return Fill::zero;
  if (name == "poison") return Fill::poison;
  bad(text,
      "unknown contents '" + std::string(name) + "'; there are random, iota, zero and poison");
}

Buffer buffer(std::string_view text, std::size_t bracket) {
  const std::size_t close = text.find(']', bracket);
  if (close == std::string_view::npos || close + 1 >= text.size() || text[close + 1] != ':')
    bad(text, "a buffer is written TYPE[COUNT]:CONTENTS, for example f32[1024]:random");
  Buffer made;
  const auto element = element_from_name(text.substr(0, bracket));
  if (!element)
    bad(text, "unknown type '" + std::string(text.substr(0, bracket)) +
                  "'; there are u8 u16 i32 i64 f16 f32 f64");
  made.element = *element;
  const std::string_view count = text.substr(bracket + 1, close - bracket - 1);
  const auto [next, error] = std::from_chars(count.data(), count.data() + count.size(), made.count);
  if (error != std::errc{} || next != count.data() + count.size())
    bad(text, "'" + std::string(count) + "' is not a number of elements");
  if (made.count > kMaxBufferBytes / size_bytes(made.element))
    bad(text, "a buffer holds at most 64 GiB");
  made.fill = fill_from_name(text, text.substr(close + 2));
  return made;
}

}  // namespace

ParsedArgument parse_argument(std::string_view text) {
  ParsedArgument parsed;
  const std::size_t bracket = text.find('[');
  if (bracket != std::string_view::npos) {
    parsed.buffer = buffer(text, bracket);
    return parsed;
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    bad(text,
        "wants TYPE[COUNT]:CONTENTS for a buffer, TYPE:VALUE for a scalar or hex:BYTES for a "
        "struct");
  const std::string_view type = text.substr(0, colon), value = text.substr(colon + 1);
  if (type == "i32")
    parsed.bytes = number<std::int32_t>(text, value);
  else if (type == "u32")
    parsed.bytes = number<std::uint32_t>(text, value);
  else if (type == "i64")
    parsed.bytes = number<std::int64_t>(text, value);
  else if (type == "f32")
    parsed.bytes = number<float>(text, value);
  else if (type == "f64")
    parsed.bytes = number<double>(text, value);
  else if (type == "hex")
    parsed.bytes = hex(text, value);
  else
    bad(text,
        "unknown scalar type '" + std::string(type) + "'; there are i32 i64 u32 f32 f64 and hex");
  return parsed;
}

}  // namespace labkit::launch
