// `labkit profile --arg`: TYPE[COUNT]:FILL, i32:V i64:V u32:V f32:V f64:V, hex:BYTES.
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "launch/launch.h"

namespace labkit::launch {
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
