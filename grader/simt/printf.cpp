// Device printf. The format string and its arguments come from the kernel, so nothing is handed to the host's printf but
// one conversion at a time, rebuilt from parts that were checked.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <functional>

#include "simt/access.h"
#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

constexpr std::size_t kMostPrinted = 1u << 20;  ///< bytes kept of a launch
constexpr std::size_t kMostFormat = 1u << 16;
constexpr int kMostWidth = 1024;
/// Arguments as vprintf receives them: packed, each at its natural alignment.
class Arguments {
 public:
  explicit Arguments(const auto& read) : read_(read) {}
  std::uint64_t take(std::uint32_t bytes) {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    read_(at_, bytes, &value);
    at_ += bytes;
    return value;
  }

 private:
  std::function<void(std::uint32_t, std::uint32_t, void*)> read_;
  std::uint32_t at_ = 0;
};

struct Conversion {
  std::string flags;
  int width = -1, precision = -1;
  std::string length;
  char letter = 0;
};

template <typename... A>
void append(std::string& out, const Conversion& c, const char* length, A... value) {
  std::string format = "%" + c.flags;
  if (c.width >= 0) format += std::to_string(c.width);
  if (c.precision >= 0) format += "." + std::to_string(c.precision);
  format += length;
  format += c.letter;
  char buffer[2 * kMostWidth + 512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int n = std::snprintf(buffer, sizeof buffer, format.c_str(), value...);
#pragma GCC diagnostic pop
  if (n > 0)
    out.append(buffer, std::min<std::size_t>(static_cast<std::size_t>(n), sizeof buffer - 1));
}

template <typename Text>
std::string format_text(const std::string& format, Arguments& arguments, const Text& text_at) {
  std::string out;
  for (std::size_t i = 0; i < format.size() && out.size() < kMostPrinted; ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (++i >= format.size()) break;
    if (format[i] == '%') {
      out += '%';
      continue;
    }
    Conversion c;
    while (i < format.size() && std::strchr("-+ #0", format[i]) != nullptr) {
      if (c.flags.find(format[i]) == std::string::npos) c.flags += format[i];
      ++i;
    }
    auto number = [&]() -> int {
      if (i < format.size() && format[i] == '*') {
        ++i;
        return static_cast<std::int32_t>(arguments.take(4));
      }
      int value = -1;
      while (i < format.size() && format[i] >= '0' && format[i] <= '9')
        value = std::min(kMostWidth, std::max(value, 0) * 10 + (format[i++] - '0'));
      return value;
    };
    c.width = number();
    if (c.width < -1) {
      if (c.flags.find('-') == std::string::npos) c.flags += '-';
      c.width = c.width == INT32_MIN ? kMostWidth : -c.width;
    }
    c.width = std::min(c.width, kMostWidth);
    if (i < format.size() && format[i] == '.') {
      ++i;
      c.precision = std::min(std::max(number(), 0), kMostWidth);
    }
    while (i < format.size() && std::strchr("hlLzjt", format[i]) != nullptr)
      c.length += format[i++];
    if (i >= format.size()) break;
    c.letter = format[i];
    const bool wide = c.length.find_first_of("lzjt") != std::string::npos;
    switch (c.letter) {
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':  // the letter says how it is read
        if (wide)
          append(out, c, "ll", arguments.take(8));
        else
          append(out, c,
                 c.length == "hh"  ? "hh"
                 : c.length == "h" ? "h"
                                   : "",
                 static_cast<unsigned>(arguments.take(4)));
        break;
      case 'c':
        append(out, c, "", static_cast<int>(arguments.take(4)) & 0xFF);
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        append(out, c, "", std::bit_cast<double>(arguments.take(8)));
        break;
      case 's':
        append(out, c, "", text_at(arguments.take(8)).c_str());
        break;
      case 'p':
        append(out, c, "", reinterpret_cast<void*>(arguments.take(8)));
        break;  // NOLINT: printed, never followed
      default:
        out += '%', out += c.letter;
    }
  }
  return out;
}

}  // namespace

bool Worker::print(Warp& warp, const Op& op, std::uint32_t mask) {
  const auto& site = program_.calls[op.aux];
  block_cost_ += kPrintCost;
  if (block_cost_ > launch_.budget) {  // loops look only now and then
    budget_fault(warp, warp.splits[static_cast<std::size_t>(warp.current)], true);
    return false;
  }
  for (const std::uint32_t lane : LanesOf(mask)) {
    auto* parameters =
        warp.parameters.data() + std::size_t{lane} * program_.parameter_bytes_per_lane;
    std::uint64_t format_address, arguments_address;
    std::memcpy(&format_address, parameters + site.arguments[0].offset, 8);
    std::memcpy(&arguments_address, parameters + site.arguments[1].offset, 8);
    if (!site.results.empty())
      std::memset(parameters + site.results[0].offset, 0, site.results[0].bytes);
    if (printed_bytes_ + print_.size() >= kMostPrinted) continue;
    auto generic = [&](std::uint64_t address, std::uint32_t bytes) -> const std::byte* {
      if (address >= kLocalWindow)
        return locate_lane(kLocalSpace, address - kLocalWindow, bytes, lane, false);
      if (address >= kSharedWindow)
        return locate_lane(kSharedSpace, address - kSharedWindow, bytes, lane, false);
      return locate_lane(kGlobalSpace, address, bytes, lane, false);
    };
    auto text_at = [&](std::uint64_t address) {
      std::string text;
      for (; text.size() < kMostFormat; ++address) {
        const auto* c = generic(address, 1);
        if (c == nullptr || *c == std::byte{0}) break;
        text += static_cast<char>(*c);
      }
      return text;
    };
    Arguments arguments([&](std::uint32_t offset, std::uint32_t bytes, void* to) {
      if (const auto* from = generic(arguments_address + offset, bytes))
        std::memcpy(to, from, bytes);
    });
    print_ += format_text(text_at(format_address), arguments, text_at);
  }
  return true;
}

}  // namespace labkit::simt
