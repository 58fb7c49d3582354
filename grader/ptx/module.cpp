#include "ptx/module.h"

#include <array>

#include "base/enum_names.h"

namespace labkit::ptx {
namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  std::uint32_t bytes;
};
// In the order of the enumeration; module_test walks it.
constexpr std::array<TypeRow, 21> kTypes = {{
    {Type::none, "none", 0},     {Type::pred, "pred", 0},   {Type::b8, "b8", 1},
    {Type::b16, "b16", 2},       {Type::b32, "b32", 4},     {Type::b64, "b64", 8},
    {Type::b128, "b128", 16},    {Type::u8, "u8", 1},       {Type::u16, "u16", 2},
    {Type::u32, "u32", 4},       {Type::u64, "u64", 8},     {Type::s8, "s8", 1},
    {Type::s16, "s16", 2},       {Type::s32, "s32", 4},     {Type::s64, "s64", 8},
    {Type::f16, "f16", 2},       {Type::f16x2, "f16x2", 4}, {Type::bf16, "bf16", 2},
    {Type::bf16x2, "bf16x2", 4}, {Type::f32, "f32", 4},     {Type::f64, "f64", 8},
}};

}  // namespace

std::uint32_t size_bytes(Type type) { return kTypes.at(static_cast<std::size_t>(type)).bytes; }

std::string_view name_of(Type type) { return kTypes.at(static_cast<std::size_t>(type)).name; }

std::optional<Type> type_from_name(std::string_view word) {
  for (const TypeRow& row : kTypes)
    if (row.type != Type::none && row.name == word) return row.type;
  return std::nullopt;
}

std::string_view name_of(Space space) {
  constexpr std::string_view kNames[] = {"reg",   "sreg",  "const",  "global",
                                         "local", "param", "shared", "generic"};
  return name_in(kNames, space);
}

const Function* Module::find_function(std::string_view name) const {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const Variable* Module::find_variable(std::string_view name) const {
  for (const Variable& variable : variables)
    if (variable.name == name) return &variable;
  return nullptr;
}

}  // namespace labkit::ptx
