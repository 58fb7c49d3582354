#include "grade/variables.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "launch/array_file.h"
#include "ptx/module.h"

namespace labkit::grade {
namespace {

/// By its name in the source: a static one's is mangled.
const ptx::Variable* find(const ptx::Module& module, const std::string& name) {
  for (const std::string& called : {name, fmt::format("_ZL{}{}", name.size(), name)})
    for (const ptx::Variable& one : module.variables)
      if (one.name == called &&
          (one.space == ptx::Space::global || one.space == ptx::Space::constant))
        return &one;
  return nullptr;
}

std::vector<std::byte> bytes_for(const ptx::Variable& variable, const std::string& name,
                                 const launch::ParsedArgument& value) {
  if (value.buffer) return launch::initial_contents(array_of(value));
  if (value.number.empty()) return value.bytes;
  if (ptx::size_bytes(variable.type) != variable.size_bytes)
    throw std::invalid_argument(
        fmt::format("'{}' is an array or a struct: {}=f32[25]:iota, say", name, name));
  const bool is_float = variable.type == ptx::Type::f32 || variable.type == ptx::Type::f64;
  return launch::number_bytes(value.number, is_float, variable.size_bytes);
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
    const ptx::ParseResult parsed = ptx::parse(ptx);
    if (!parsed.module) return;  // whoever runs it says why
    const ptx::Variable* variable = find(*parsed.module, name);
    if (!variable)
      throw std::invalid_argument(
          fmt::format("'{}' is no __constant__ or __device__ variable that a kernel uses", name));
    const std::vector<std::byte> bytes = bytes_for(*variable, name, value);
    if (bytes.size() != variable->size_bytes)
      throw std::invalid_argument(fmt::format("'{}' has {} bytes, but {} were given for it", name,
                                              variable->size_bytes, bytes.size()));
    std::string list;
    for (const std::byte byte : bytes)
      list += fmt::format("{}{}", list.empty() ? "" : ",", static_cast<unsigned>(byte));
    const auto at = static_cast<std::size_t>(variable->name.data() - parsed.module->text->data());
    const std::size_t begin = ptx.rfind('\n', at) + 1, end = ptx.find(';', at);
    ptx.replace(
        begin, end - begin,
        fmt::format("{}.{} .align {} .b8 {}[{}] = {{{}}}", variable->is_visible ? ".visible " : "",
                    variable->space == ptx::Space::constant ? "const" : "global",
                    variable->align_bytes, variable->name, bytes.size(), list));
  }
}

}  // namespace labkit::grade
