#include "grade/variables.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "launch/array_file.h"

namespace labkit::grade {
namespace {

/// ".visible .const .align 4 .b8 mask[100] = {...};" in a PTX.
struct Declared {
  std::size_t begin = 0, end = 0;  ///< of the line, with its semicolon
  std::string before, type, name;  ///< ".visible .const .align 4 ", ".b8", "mask"
  std::size_t bytes = 0;
};

std::size_t bytes_of_type(std::string_view type) {
  const std::size_t digit = type.find_first_of("0123456789");
  return digit == std::string_view::npos ? 0 : std::stoul(std::string(type.substr(digit))) / 8;
}

/// `called`: as the PTX spells it.
std::optional<Declared> find(std::string_view ptx, const std::string& called) {
  for (const std::string_view space : {".const ", ".global "})
    for (std::size_t at = ptx.find(space); at != std::string_view::npos;
         at = ptx.find(space, at + 1)) {
      Declared found;
      found.begin = ptx.rfind('\n', at) + 1;
      found.end = ptx.find(';', at);
      if (found.end == std::string_view::npos) break;
      std::string_view line = ptx.substr(found.begin, found.end - found.begin);
      line = trim(line.substr(0, line.find('=')));
      const std::size_t bracket = std::min(line.find('['), line.size());
      const std::size_t name = line.rfind(' ', bracket) + 1;
      if (line.substr(name, bracket - name) != called || name == 0) continue;
      const std::size_t type = line.rfind(' ', name - 2) + 1;
      found.before = line.substr(0, type);
      found.type = line.substr(type, name - 1 - type);
      found.name = called;
      found.bytes = bytes_of_type(found.type);
      if (bracket < line.size()) found.bytes *= std::stoul(std::string(line.substr(bracket + 1)));
      return found;
    }
  return std::nullopt;
}

}  // namespace

launch::Buffer array_of(const launch::ParsedArgument& argument) {
  launch::Buffer buffer = *argument.buffer;
  if (argument.file.empty()) return buffer;
  buffer.data = launch::read_array(argument.file, buffer.element);
  const std::uint64_t count = buffer.data.size() / launch::size_bytes(buffer.element);
  if (buffer.count != 0 && buffer.count != count)
    throw std::invalid_argument(
        fmt::format("{} holds {} elements, not {}", argument.file.string(), count, buffer.count));
  buffer.count = count;
  return buffer;
}

void set_variables(std::string& ptx,
                   const std::map<std::string, launch::ParsedArgument>& variables) {
  for (const auto& [name, value] : variables) {
    std::optional<Declared> declared = find(ptx, name);
    if (!declared) declared = find(ptx, fmt::format("_ZL{}{}", name.size(), name));  // static
    if (!declared)
      throw std::invalid_argument(
          fmt::format("'{}' is no __constant__ or __device__ variable that a kernel uses", name));
    std::vector<std::byte> bytes = value.bytes;
    if (value.buffer) bytes = launch::initial_contents(array_of(value));
    if (!value.number.empty()) {
      const bool is_float = declared->type.starts_with(".f");
      if (declared->type == ".b8")
        throw std::invalid_argument(
            fmt::format("'{}' is an array or a struct: {}=f32[25]:iota, say", name, name));
      bytes = launch::number_bytes(value.number, is_float, declared->bytes);
    }
    if (bytes.size() != declared->bytes)
      throw std::invalid_argument(fmt::format("'{}' has {} bytes, but {} were given for it", name,
                                              declared->bytes, bytes.size()));
    std::string list;
    for (const std::byte byte : bytes)
      list += fmt::format("{}{}", list.empty() ? "" : ",", static_cast<unsigned>(byte));
    ptx.replace(declared->begin, declared->end - declared->begin,
                fmt::format("{}.b8 {}[{}] = {{{}}}", declared->before, declared->name,
                            declared->bytes, list));
  }
}

}  // namespace labkit::grade
