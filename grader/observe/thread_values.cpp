#include "observe/thread_values.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

#include "ptx/defs.h"

namespace labkit::observe {
namespace {

using Registers = std::vector<bool>;  ///< by number
using Mark = std::function<void(std::int32_t)>;

bool is_in(const Registers& set, std::int32_t id) {
  return id >= 0 && set[static_cast<std::size_t>(id)];
}

bool is_register_in(const Registers& set, const ptx::Operand& operand) {
  return operand.kind == ptx::OperandKind::reg && is_in(set, operand.id);
}

bool any_part(const ptx::Operand& operand, const std::function<bool(const ptx::Operand&)>& is) {
  return is(operand) || std::ranges::any_of(operand.elements, [&](const ptx::Operand& element) {
           return any_part(element, is);
         });
}

/// Of what the instruction reads.
bool any_source(const ptx::Instruction& in, const std::function<bool(const ptx::Operand&)>& is) {
  for (std::size_t k = 1; k < in.operands.size(); ++k)
    if (any_part(in.operands[k], is)) return true;
  return false;
}

bool has_result(const ptx::Instruction& in) {
  constexpr std::string_view kNone[] = {"st",   "bra",  "bar",    "barrier", "red",  "ret",
                                        "exit", "call", "membar", "fence",   "trap", "cp"};
  return !in.operands.empty() && std::ranges::find(kNone, in.root()) == std::end(kNone);
}

bool is_read(const ptx::Instruction& in) { return in.root() == "ld" || in.root() == "atom"; }

/// Lets `step` mark what instructions write, each at first and then whenever something that it reads was marked. `step`
/// calls its second argument with each register that it marks.
void spread(const ptx::Function& function, Registers& marked,
            const std::function<void(const ptx::Instruction&, const Mark&)>& step) {
  std::vector<std::vector<std::size_t>> readers(function.registers.size());
  std::vector<std::size_t> work;
  for (std::size_t i = function.body.size(); i-- > 0;) {  // text order first
    ptx::visit_uses(function.body[i], [&](std::int32_t id) {
      if (id >= 0) readers[static_cast<std::size_t>(id)].push_back(i);
    });
    work.push_back(i);
  }
  const auto mark = [&](std::int32_t id) {
    if (id < 0 || marked[static_cast<std::size_t>(id)]) return;
    marked[static_cast<std::size_t>(id)] = true;
    const auto& again = readers[static_cast<std::size_t>(id)];
    work.insert(work.end(), again.begin(), again.end());
  };
  while (!work.empty()) {
    const std::size_t i = work.back();
    work.pop_back();
    step(function.body[i], mark);
  }
}

/// Calls `mark` with each register of the first operand.
void mark_results(const ptx::Instruction& in, const Mark& mark) {
  any_part(in.operands[0], [&](const ptx::Operand& to) {
    if (to.kind == ptx::OperandKind::reg) mark(to.id);
    return false;
  });
}

/// Worked out from special registers of which `is_source` is true.
Registers dependent(const ptx::Function& function,
                    const std::function<bool(std::string_view)>& is_source,
                    bool from_memory = false) {
  Registers differs(function.registers.size(), false);
  const auto is_different = [&](const ptx::Operand& operand) {
    using enum ptx::OperandKind;
    if (operand.kind == special) return is_source(operand.name);
    return (operand.kind == reg || (operand.kind == address && operand.base == reg)) &&
           is_in(differs, operand.id);
  };
  spread(function, differs, [&](const ptx::Instruction& in, const Mark& mark) {
    if (!has_result(in) || in.has("local")) return;
    const bool from_data =
        from_memory && in.root() == "ld" && (in.has("global") || in.has("shared"));
    if (in.root() == "atom" || from_data || is_in(differs, in.guard) ||
        any_source(in, is_different))
      mark_results(in, mark);
  });
  return differs;
}

/// Computed from others, and not only copied or moved on by a constant.
Registers picked(const ptx::Function& function) {
  Registers result(function.registers.size(), false);
  spread(function, result, [&](const ptx::Instruction& in, const Mark& mark) {
    if (!has_result(in) || in.operands[0].kind != ptx::OperandKind::reg) return;
    const auto root = in.root();
    int registers = 0;
    bool from = false;
    for (std::size_t k = 1; k < in.operands.size(); ++k) {
      registers += in.operands[k].kind == ptx::OperandKind::reg ? 1 : 0;
      from = from || is_register_in(result, in.operands[k]);
    }
    const bool moves = root == "mov" || root == "cvta";
    if (from || (!moves && (root != "add" || registers > 1))) mark(in.operands[0].id);
  });
  return result;
}

/// Worked out from a number of the thread's that was cut to so few bits.
Registers cut(const ptx::Function& function, int bits) {
  const auto of_thread = dependent(function, [](std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%ctaid");
  });
  Registers result(function.registers.size(), false);
  spread(function, result, [&](const ptx::Instruction& in, const Mark& mark) {
    if (!has_result(in) || is_read(in) || in.operands.size() < 2) return;
    const bool cuts = bits_kept(in) == bits && is_register_in(of_thread, in.operands[1]);
    if (cuts || any_source(in, [&](const auto& from) { return is_register_in(result, from); }))
      mark_results(in, mark);
  });
  return result;
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

Registers thread_dependent(const ptx::Function& function) {
  return dependent(function, [](std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%lane") ||
           special.starts_with("%warpid");
  });
}

int bits_kept(const ptx::Instruction& in) {
  const bool converts = in.root() == "cvt";
  const bool masks = in.root() == "and" && in.operands.size() == 3 &&
                     in.operands[2].kind == ptx::OperandKind::immediate;
  const auto mask = masks ? in.operands[2].bits : 0;
  if (mask == 0xFF || (converts && (in.has("u8") || in.has("s8")))) return 8;
  return mask == 0xFFFF || (converts && (in.has("u16") || in.has("s16"))) ? 16 : 0;
}

bool address_differs_by_thread(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, thread_dependent);
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
  Registers has(function.registers.size(), false);
  mark_results(instructions[load].text(), [&](std::int32_t id) {
    if (id >= 0) has[static_cast<std::size_t>(id)] = true;
  });
  spread(function, has, [&](const ptx::Instruction& in, const Mark& mark) {
    if (has_result(in) && !is_read(in) &&
        any_source(in, [&](const auto& from) { return is_register_in(has, from); }))
      mark_results(in, mark);
  });
  return is_in(has, reg);
}

bool picks_element(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, picked);
}

}  // namespace labkit::observe
