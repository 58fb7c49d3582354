#include "launch/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "base/enum_names.h"
#include "base/text.h"

namespace labkit::launch {
namespace {

/// Of one buffer: 64 GiB is beyond what any machine that runs the kit holds, and keeps sizes far
/// from overflow.
constexpr std::uint64_t kMaxBufferBytes = 1ull << 36;
/// CUDA's limit on all parameters of a kernel is 4 KiB (32,764 bytes from compute_70 and CUDA 12.1
/// on).
constexpr std::size_t kMaxStructBytes = 32764;

[[noreturn]] void bad(std::string_view text, const std::string& why) {
  throw std::invalid_argument("'" + std::string(text) + "': " + why);
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

/// "random(-2,2)": what stands between the parentheses.
std::optional<Range> range_of(std::string_view text, std::string_view contents) {
  constexpr std::string_view kBegin = "random(";
  if (!contents.starts_with(kBegin) || !contents.ends_with(')')) return std::nullopt;
  contents = contents.substr(kBegin.size(), contents.size() - kBegin.size() - 1);
  const std::size_t comma = contents.find(',');
  if (comma == std::string_view::npos) bad(text, "a range is written random(LOW,HIGH)");
  Range range;
  for (const auto& [bound, spelled] : {std::pair(&range.low, contents.substr(0, comma)),
                                       {&range.high, contents.substr(comma + 1)}}) {
    const std::vector<std::byte> bytes = number<double>(text, trim(spelled));
    std::memcpy(bound, bytes.data(), sizeof *bound);
  }
  if (!(range.low < range.high)) bad(text, "the range is empty: LOW must be less than HIGH");
  return range;
}

ParsedArgument array(std::string_view text, std::size_t bracket) {
  const std::size_t close = text.find(']', bracket);
  if (close == std::string_view::npos || close + 1 >= text.size() || text[close + 1] != ':')
    bad(text, "an array is written TYPE[COUNT]:CONTENTS, for example f32[1024]:random");
  ParsedArgument parsed;
  Buffer& made = parsed.buffer.emplace();
  const std::size_t equals = text.substr(0, bracket).find('=');
  const std::size_t begin = equals == std::string_view::npos ? 0 : equals + 1;
  if (begin > 0) made.name = trim(text.substr(0, equals));
  const std::string type(trim(text.substr(begin, bracket - begin)));
  const auto element = element_from_name(type);
  if (!element) bad(text, "unknown type '" + type + "'; there are u8 u16 i32 i64 f16 f32 f64");
  made.element = *element;
  const std::string_view count = text.substr(bracket + 1, close - bracket - 1);
  const std::string contents(trim(text.substr(close + 2)));
  constexpr std::string_view kFills[] = {"random", "iota", "zero", "poison"};
  if (const auto fill = value_in<Fill>(kFills, contents)) {
    made.fill = *fill;
  } else if (made.range = range_of(text, contents); made.range) {
    made.fill = Fill::random;
  } else if (contents.find_first_of("./") != std::string::npos) {
    made.fill = Fill::given;
    parsed.file = contents;
    if (count.empty()) return parsed;
  } else {
    bad(text,
        "unknown contents '" + contents +
            "'; there are random, random(LOW,HIGH), iota, zero, poison and files (x.npy, ./x)");
  }
  const auto [next, error] = std::from_chars(count.data(), count.data() + count.size(), made.count);
  if (error != std::errc{} || next != count.data() + count.size())
    bad(text, "'" + std::string(count) + "' is not a number of elements");
  if (made.count > kMaxBufferBytes / size_bytes(made.element))
    bad(text, "an array holds at most 64 GiB");
  return parsed;
}

constexpr struct {
  std::string_view type;
  std::vector<std::byte> (*parse)(std::string_view text, std::string_view value);
} kScalars[] = {{"i32", number<std::int32_t>}, {"u32", number<std::uint32_t>},
                {"i64", number<std::int64_t>}, {"f32", number<float>},
                {"f64", number<double>},       {"hex", hex}};

/// "64x64", "(64, 64)", "{64, 64}", "dim3(64, 64)".
Dim3 shape_of(std::string_view launch, std::string_view text) {
  std::string shape(trim(text));
  if (shape.starts_with("dim3")) shape = trim(shape.substr(4));
  if (shape.size() > 1 && ((shape.front() == '(' && shape.back() == ')') ||
                           (shape.front() == '{' && shape.back() == '}')))
    shape = shape.substr(1, shape.size() - 2);
  std::erase(shape, ' ');
  std::ranges::replace(shape, ',', 'x');
  const auto parsed = parse_dim3(shape);
  if (!parsed)
    bad(launch, "'" + std::string(trim(text)) +
                    "' is no number of blocks or threads: wants 256, 64x64 or 8x8x2, "
                    "none of them 0");
  return *parsed;
}

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

bool is_number(std::string_view text) {
  double value = 0;
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, value).ptr == end;
}

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("([{<").find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}>").find(text[i]) != std::string_view::npos) --depth;
    if (text[i] != ',' || depth != 0) continue;
    pieces.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (!trim(text).empty()) pieces.push_back(text.substr(begin));
  return pieces;
}

ParsedArgument parse_argument(std::string_view text) {
  const std::string written(trim(text));
  const std::string_view view = written;
  if (const std::size_t bracket = view.find('['); bracket != std::string_view::npos)
    return array(view, bracket);
  ParsedArgument parsed;
  const std::size_t colon = view.find(':');
  if (colon == std::string_view::npos) {
    if (is_number(view)) return {.number = written};
    if (is_name(view)) return {.array = written};
    bad(view,
        "wants a number, TYPE[COUNT]:CONTENTS for an array, the name of an array that an earlier "
        "argument made, TYPE:NUMBER, or hex:BYTES for a struct");
  }
  const std::string_view type = view.substr(0, colon);
  for (const auto& scalar : kScalars)
    if (type == scalar.type)
      return {.bytes = scalar.parse(view, view.substr(colon + 1)), .type = std::string(type)};
  bad(view,
      "unknown scalar type '" + std::string(type) + "'; there are i32 i64 u32 f32 f64 and hex");
}

ParsedLaunch parse_launch(std::string_view text) {
  const std::size_t open = text.find("<<<"), close = text.rfind(">>>");
  const std::size_t first = text.find('(', std::min(close, text.size())), last = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      first == std::string_view::npos || last == std::string_view::npos || last < first ||
      (!trim(text.substr(last + 1)).empty() && trim(text.substr(last + 1)) != ";"))
    bad(text, "a launch is written as in CUDA: 'kernel<<<GRID, BLOCK>>>(ARGUMENT, ...)'");
  ParsedLaunch launch;
  launch.kernel = trim(text.substr(0, open));
  if (launch.kernel.empty()) bad(text, "the kernel's name is missing before <<<");
  const auto shape = split_at_commas(text.substr(open + 3, close - open - 3));
  if (shape.size() < 2 || shape.size() > 3)
    bad(text,
        "between <<< and >>> stand the blocks, the threads of a block and, if there is any, "
        "the dynamic shared memory in bytes");
  launch.grid = shape_of(text, shape[0]);
  launch.block = shape_of(text, shape[1]);
  if (shape.size() == 3) {
    const std::vector<std::byte> bytes = number<std::uint32_t>(text, trim(shape[2]));
    std::memcpy(&launch.dynamic_shared_bytes, bytes.data(), sizeof launch.dynamic_shared_bytes);
  }
  for (const std::string_view argument : split_at_commas(text.substr(first + 1, last - first - 1)))
    launch.arguments.push_back(parse_argument(argument));
  return launch;
}

std::vector<std::byte> number_bytes(std::string_view text, bool is_float, std::size_t size) {
  if (is_float) return size == 8 ? number<double>(text, text) : number<float>(text, text);
  const bool is_negative = text.starts_with('-');
  std::vector<std::byte> bytes =
      is_negative ? number<std::int64_t>(text, text) : number<std::uint64_t>(text, text);
  std::int64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  const std::int64_t above = size < 8 ? value >> (8 * size - (is_negative ? 1 : 0)) : 0;
  if (above != 0 && above != -1) bad(text, fmt::format("does not fit {} bytes", size));
  bytes.resize(size);
  return bytes;
}

}  // namespace labkit::launch
