#include "grade/profile_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "compile/declarations.h"
#include "compile/outline.h"
#include "grade/parameter_types.h"
#include "grade/steps.h"
#include "grade/variables.h"

namespace labkit::grade {
namespace {

/// As far as PTX tells parameters apart: bits and structs are none of these.
constexpr struct Kind {
  ptx::Type type;
  std::string_view name;
} kKinds[] = {{ptx::Type::f32, "a float"},
              {ptx::Type::f64, "a double"},
              {ptx::Type::u32, "an integer of 4 bytes"},
              {ptx::Type::s32, "an integer of 4 bytes"},
              {ptx::Type::u64, "a pointer or an integer of 8 bytes"},
              {ptx::Type::s64, "a pointer or an integer of 8 bytes"}};

std::string_view kind_of(const ptx::Parameter& parameter) {
  const auto* const kind = std::ranges::find(kKinds, parameter.type, &Kind::type);
  return kind == std::end(kKinds) ? "" : kind->name;
}

/// Whether what PTX says of the parameter rules the argument out. A pointer and an integer are the same to it.
bool is_of_another_kind(const launch::ParsedArgument& argument, const ptx::Parameter& parameter) {
  using enum ptx::Type;
  const bool takes_float = parameter.type == f32 || parameter.type == f64;
  if (argument.buffer || !argument.array.empty()) return takes_float;
  if (kind_of(parameter).empty() || argument.type.empty() || argument.type == "hex") return false;
  return takes_float != argument.type.starts_with('f');
}

/// The bytes of a scalar or a struct.
std::vector<std::byte> bytes_of(const launch::ParsedArgument& argument,
                                const ptx::Parameter& parameter) {
  if (argument.number.empty()) return argument.bytes;
  if (parameter.size_bytes > 8)
    throw std::invalid_argument(
        fmt::format("'{}': the parameter is a struct of {} bytes: hex:BYTES", argument.number,
                    parameter.size_bytes));
  const bool takes_float = parameter.type == ptx::Type::f32 || parameter.type == ptx::Type::f64;
  return launch::number_bytes(argument.number, takes_float, parameter.size_bytes);
}

/// What a pointer of that type points to; nullopt: structures, or nothing is known.
std::optional<launch::Element> element_of(std::string type) {
  using enum launch::Element;
  static const std::map<std::string_view, launch::Element> kElements = {
      {"bool", u8},           {"char", u8},          {"signed char", u8},
      {"unsigned char", u8},  {"short", u16},        {"unsigned short", u16},
      {"int", i32},           {"unsigned int", i32}, {"long", i64},
      {"unsigned long", i64}, {"long long", i64},    {"unsigned long long", i64},
      {"__half", f16},        {"float", f32},        {"double", f64}};
  for (const char* word : {" const", " volatile", " restrict"})
    type = replace_all(std::move(type), word, "");
  if (!type.ends_with('*')) return std::nullopt;
  type.pop_back();
  const auto at = kElements.find(type);
  return at == kElements.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

void require_fitting(const launch::ParsedLaunch& launch, const ptx::Function& function) {
  const auto& parameters = function.parameters;
  if (parameters.size() != launch.arguments.size())
    throw std::invalid_argument(fmt::format("{} takes {} parameters, but the launch has {}",
                                            launch.kernel, parameters.size(),
                                            launch.arguments.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const launch::ParsedArgument& argument = launch.arguments[i];
    const bool is_array = argument.buffer || !argument.array.empty();
    const std::string type = parameter_type(function.name, i);
    if (!argument.number.empty() && argument.number != "0" && type.ends_with('*'))
      throw std::invalid_argument(fmt::format(
          "argument {} is {}, but parameter {} of {} is a pointer: write an array, such as "
          "f32[1024]:random",
          i + 1, argument.number, i + 1, launch.kernel));
    const auto element = element_of(type);
    if (argument.buffer && element && *element != argument.buffer->element)
      throw std::invalid_argument(fmt::format(
          "argument {} is an array of {}, but parameter {} of {} is {}: write {}[COUNT]:CONTENTS",
          i + 1, launch::name_of(argument.buffer->element), i + 1, launch.kernel, type,
          launch::name_of(*element)));
    const std::uint64_t size = is_array ? 8 : bytes_of(argument, parameters[i]).size();
    if (size != parameters[i].size_bytes)
      throw std::invalid_argument(
          fmt::format("argument {} has {} bytes, but parameter {} of {} has {}", i + 1, size, i + 1,
                      launch.kernel, parameters[i].size_bytes));
    if (is_of_another_kind(argument, parameters[i]))
      throw std::invalid_argument(fmt::format("argument {} is {}, but parameter {} of {} is {}",
                                              i + 1, is_array ? "an array" : argument.type, i + 1,
                                              launch.kernel, kind_of(parameters[i])));
  }
}

LaunchSetup Arrays::setup_of(const launch::ParsedLaunch& launch, const ptx::Function& function) {
  LaunchSetup setup;
  setup.launch = {.kernel = launch.kernel,
                  .grid = launch.grid,
                  .block = launch.block,
                  .dynamic_shared_bytes = launch.dynamic_shared_bytes};
  std::string base = compile::base_name(launch.kernel);
  base.erase(0, base.rfind(':') + 1);  // of its namespace
  const auto names = compile::kernel_head(compile::Tokens(source_), base).parameters;
  std::map<std::string, launch::BufferRef> here;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const launch::ParsedArgument& argument = launch.arguments[i];
    if (!argument.buffer && argument.array.empty()) {
      setup.launch.arguments.emplace_back(bytes_of(argument, function.parameters[i]));
      continue;
    }
    std::string name = argument.array;
    if (argument.buffer && !argument.buffer->name.empty() && here.contains(argument.buffer->name))
      throw std::invalid_argument(
          fmt::format("two arguments of {} make an array '{}': give them two names, or write {} "
                      "for the same array",
                      launch.kernel, argument.buffer->name, argument.buffer->name));
    if (argument.buffer) name = make(argument, i < names.size() ? names[i] : "", base, i);
    const auto at = arrays_.find(name);
    if (at == arrays_.end())
      throw std::invalid_argument(fmt::format(
          "'{}' names no array: one is made by an earlier argument, such as {}=f32[1024]:random",
          name, name));
    const auto [used, is_first] = here.try_emplace(name);
    if (is_first) {
      setup.add_buffer(at->second);
      used->second = std::get<launch::BufferRef>(setup.launch.arguments.back());
    } else {
      setup.launch.arguments.emplace_back(used->second);
    }
  }
  before_ += launch.arguments.size();
  return setup;
}

void Arrays::take(const LaunchSetup& setup, const device::Outcome& outcome) {
  for (const device::Output& output : outcome.outputs) {
    launch::Buffer& array = arrays_.at(setup.buffers.at(output.buffer).name);
    if (!output.undefined.empty() && std::ranges::count(output.undefined, 0) == 0) continue;
    array.fill = launch::Fill::given;
    array.data = output.bytes;
  }
}

std::string Arrays::make(const launch::ParsedArgument& argument, std::string_view parameter,
                         const std::string& kernel, std::size_t i) {
  launch::Buffer buffer = array_of(argument);
  if (buffer.name.empty()) buffer.name = parameter;
  if (buffer.name.empty()) buffer.name = fmt::format("argument {}", i + 1);
  buffer.seed = request_.seed + before_ + i;  // two random arrays differ
  if (request_.check) buffer.padding = compile::padding_of_pointed(source_, kernel, i);
  // Without another launch nobody needs what is left in it.
  buffer.is_output = request_.launches.size() > 1 || request_.wanted_arrays.contains(buffer.name);
  std::string name = buffer.name;
  arrays_.insert_or_assign(name, std::move(buffer));
  return name;
}

namespace {

/// A half is compared as the float that it is.
std::vector<std::byte> as_floats(const std::vector<std::byte>& halves) {
  std::vector<std::byte> floats(2 * halves.size());
  for (std::size_t i = 0; i < halves.size() / 2; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, halves.data() + 2 * i, sizeof bits);
    const float value = launch::half_value(bits);
    std::memcpy(floats.data() + 4 * i, &value, sizeof value);
  }
  return floats;
}

/// The grader holds that NaN never equals; who expects one has said so.
template <typename T>
void forget_equal_nans(std::vector<std::byte>& is, std::vector<std::byte>& right) {
  for (std::size_t at = 0; at < is.size(); at += sizeof(T)) {
    T got{}, expected{};
    std::memcpy(&got, is.data() + at, sizeof got);
    std::memcpy(&expected, right.data() + at, sizeof expected);
    if (got == got || expected == expected) continue;
    std::memset(is.data() + at, 0, sizeof got);
    std::memset(right.data() + at, 0, sizeof expected);
  }
}

}  // namespace

std::optional<Mismatch> compare_with(const launch::Buffer& array, std::vector<std::byte> right,
                                     double tolerance) {
  std::vector<std::byte> is = launch::initial_contents(array);
  if (is.size() != right.size())
    throw std::invalid_argument(
        fmt::format("{} has {} bytes, but {} were expected", array.name, is.size(), right.size()));
  ArrayData wanted{.name = array.name, .cols = array.count, .is_vector = true, .is_output = true};
  wanted.element = array.element;
  if (array.element == launch::Element::f16) {
    wanted.element = launch::Element::f32;
    is = as_floats(is);
    right = as_floats(right);
  }
  if (launch::name_of(wanted.element).starts_with('f'))
    launch::with_type_of(wanted.element, [&]<typename T>(T) { forget_equal_nans<T>(is, right); });
  wanted.bytes = std::move(right);
  if (tolerance > 0 && launch::name_of(wanted.element).starts_with('f'))
    launch::with_type_of(wanted.element, [&]<typename T>(T value) {
      for (std::uint64_t i = 0; i < array.count; ++i) {
        std::memcpy(&value, wanted.bytes.data() + i * sizeof value, sizeof value);
        const auto number = static_cast<double>(value);
        wanted.expected.push_back(number);
        wanted.bound.push_back(std::isfinite(number) ? tolerance * std::max(1.0, std::fabs(number))
                                                     : 0);
      }
    });
  return compare_output(wanted, is);
}

}  // namespace labkit::grade
