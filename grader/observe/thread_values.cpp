#include "observe/thread_values.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include "ptx/defs.h"
#include "ptx/dependent.h"

namespace labkit::observe {
namespace {

using ptx::any_source;
using ptx::dependent;
using ptx::is_in;
using ptx::none_of;
using ptx::Registers;
using ptx::spread;

bool is_register_in(const Registers& set, const ptx::Operand& operand) {
  return operand.kind == ptx::OperandKind::reg && is_in(set, operand.id);
}

/// A value of `set`, other than by way of memory.
bool comes_from(const ptx::Instruction& in, const Registers& set) {
  return in.root() != "ld" && in.root() != "atom" &&
         any_source(in, [&](const ptx::Operand& from) { return is_register_in(set, from); });
}

/// Computed from others, and not only copied or moved on by a constant.
Registers picked(const ptx::Function& function) {
  return spread(function, none_of(function), [](const ptx::Instruction& in, const Registers& set) {
    if (in.operands[0].kind != ptx::OperandKind::reg) return false;
    const auto sources = std::span(in.operands).subspan(1);
    if (std::ranges::any_of(sources, [&](const auto& from) { return is_register_in(set, from); }))
      return true;
    const auto root = in.root();
    return root != "mov" && root != "cvta" &&
           (root != "add" ||
            std::ranges::count(sources, ptx::OperandKind::reg, &ptx::Operand::kind) > 1);
  });
}

/// Worked out from a number of the thread's that was cut to so few bits.
Registers cut(const ptx::Function& function, int bits) {
  const auto of_thread = dependent(function, [](std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%ctaid");
  });
  return spread(function, none_of(function), [&](const ptx::Instruction& in, const Registers& set) {
    return (bits_kept(in) == bits && is_register_in(of_thread, in.operands[1])) ||
           comes_from(in, set);
  });
}

bool address_is(const simt::Program& program, std::uint32_t instruction,
                const std::function<Registers(const ptx::Function&)>& of) {
  const auto instructions = simt::instructions(program);
  if (instruction >= instructions.size()) return false;
  const auto& facts = instructions[instruction];
  const auto holds = of(*facts.function);
  return std::ranges::any_of(facts.text().operands, [&](const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::address && operand.base == ptx::OperandKind::reg &&
           is_in(holds, operand.id);
  });
}

}  // namespace

int bits_kept(const ptx::Instruction& in) {
  const bool converts = in.root() == "cvt";
  const bool masks = in.root() == "and" && in.operands.size() == 3 &&
                     in.operands[2].kind == ptx::OperandKind::immediate;
  const auto mask = masks ? in.operands[2].bits : 0;
  if (mask == 0xFF || (converts && (in.has("u8") || in.has("s8")))) return 8;
  return mask == 0xFFFF || (converts && (in.has("u16") || in.has("s16"))) ? 16 : 0;
}

bool address_differs_by_thread(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, ptx::thread_dependent);
}

bool address_comes_from(const simt::Program& program, std::uint32_t instruction,
                        std::string_view special) {
  return address_is(program, instruction, [&](const ptx::Function& function) {
    return dependent(function, [&](std::string_view name) { return name.starts_with(special); });
  });
}

bool address_comes_from_memory(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, [](const ptx::Function& function) {
    return dependent(
        function, [](std::string_view) { return false; }, true);
  });
}

int address_bits(const simt::Program& program, std::uint32_t instruction) {
  for (const int bits : {8, 16})
    if (address_is(program, instruction,
                   [&](const ptx::Function& function) { return cut(function, bits); }))
      return bits;
  return 0;
}

bool value_goes_to(const simt::Program& program, std::uint32_t load, std::uint32_t use,
                   std::int32_t reg) {
  const auto instructions = simt::instructions(program);
  const auto& function = *instructions[load].function;
  if (&function != instructions[use].function) return false;
  Registers loaded = none_of(function);
  ptx::visit_defs(instructions[load].text(), [&](std::int32_t id) { loaded[id] = true; });
  return is_in(spread(function, std::move(loaded), comes_from), reg);
}

bool picks_element(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, picked);
}

}  // namespace labkit::observe
