// Device printf. The format string and its arguments come from the kernel, so nothing is handed to the host's printf but
// one conversion at a time, rebuilt from parts that were checked.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "simt/access.h"
#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

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

/// By the host's printf.
template <typename T>
void append(std::string& out, const std::string& conversion, T value) {
  char buffer[2 * kMostWidth + 512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int n = std::snprintf(buffer, sizeof buffer, conversion.c_str(), value);
#pragma GCC diagnostic pop
  if (n > 0)
    out.append(buffer, std::min<std::size_t>(static_cast<std::size_t>(n), sizeof buffer - 1));
}

template <typename Text>
std::string format_text(std::string_view rest, Arguments& arguments, const Text& text_at) {
  std::string out;
  const auto take = [&](std::size_t size) {
    const auto taken = rest.substr(0, size);
    rest.remove_prefix(taken.size());
    return taken;
  };
  const auto take_all = [&](std::string_view letters) {
    return take(rest.find_first_not_of(letters));
  };
  const auto take_number = [&]() -> int {  // -1: there is none
    if (rest.starts_with('*')) {
      take(1);
      return static_cast<std::int32_t>(arguments.take(4));
    }
    int value = -1;
    for (const char digit : take_all("0123456789"))
      value = std::min(kMostWidth, std::max(value, 0) * 10 + (digit - '0'));
    return value;
  };
  while (out.size() < kMostPrinted) {
    out += take(rest.find('%'));
    take(1);
    if (rest.empty()) break;
    if (rest.starts_with('%')) {
      out += take(1);
      continue;
    }
    std::string conversion = "%";
    for (const char flag : take_all("-+ #0"))
      if (conversion.find(flag) == std::string::npos) conversion += flag;
    const std::int64_t width = take_number();
    if (width < -1 && conversion.find('-') == std::string::npos) conversion += '-';
    if (width != -1)
      conversion += std::to_string(std::min<std::int64_t>(std::abs(width), kMostWidth));
    if (rest.starts_with('.')) {
      take(1);
      conversion += "." + std::to_string(std::clamp(take_number(), 0, kMostWidth));
    }
    const auto length = take_all("hlLzjt");
    if (rest.empty()) break;
    const char letter = take(1).front();
    const auto is_one_of = [&](std::string_view letters) {
      return letters.find(letter) != std::string_view::npos;
    };
    if (is_one_of("diuxXo")) {  // the letter says how it is read
      if (length.find_first_of("lzjt") != std::string_view::npos)
        append(out, conversion + "ll" + letter, arguments.take(8));
      else
        append(out,
               conversion + (length == "hh" || length == "h" ? std::string(length) : "") + letter,
               static_cast<unsigned>(arguments.take(4)));
    } else if (letter == 'c') {
      append(out, conversion + letter, static_cast<int>(arguments.take(4)) & 0xFF);
    } else if (is_one_of("fFeEgGaA")) {
      append(out, conversion + letter, std::bit_cast<double>(arguments.take(8)));
    } else if (letter == 's') {
      append(out, conversion + letter, text_at(arguments.take(8)).c_str());
    } else if (letter == 'p') {  // NOLINT: printed, never followed
      append(out, conversion + letter, reinterpret_cast<void*>(arguments.take(8)));
    } else {
      out += '%';
      out += letter;
    }
  }
  return out;
}

}  // namespace

const std::byte* Worker::locate_generic(std::uint64_t address, std::uint32_t bytes,
                                        std::uint32_t lane) {
  if (address >= kLocalWindow)
    return locate_lane(kLocalSpace, address - kLocalWindow, bytes, lane, false);
  if (address >= kSharedWindow)
    return locate_lane(kSharedSpace, address - kSharedWindow, bytes, lane, false);
  return locate_lane(kGlobalSpace, address, bytes, lane, false);
}

std::string Worker::text_of(std::uint64_t address, std::uint32_t lane, std::size_t most) {
  std::string text;
  for (; text.size() < most; ++address) {
    const auto* c = locate_generic(address, 1, lane);
    if (c == nullptr || *c == std::byte{0}) break;
    text += static_cast<char>(*c);
  }
  return text;
}

bool Worker::print(Warp& warp, const Op& op, std::uint32_t mask) {
  const auto& site = program_.calls[op.aux];
  block_cost_ += kPrintCost;
  if (block_cost_ > launch_.budget) {  // loops look only now and then
    budget_fault(warp, warp.split(warp.current), true);
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
    const auto text_at = [&](std::uint64_t address) { return text_of(address, lane, kMostFormat); };
    Arguments arguments([&](std::uint32_t offset, std::uint32_t bytes, void* to) {
      if (const auto* from = locate_generic(arguments_address + offset, bytes, lane))
        std::memcpy(to, from, bytes);
    });
    const std::string format = text_at(format_address);
    print_ += format_text(format, arguments, text_at);
  }
  return true;
}

}  // namespace labkit::simt
