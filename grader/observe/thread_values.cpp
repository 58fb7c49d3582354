#include "observe/thread_values.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

#include "ptx/defs.h"

namespace labkit::observe {
namespace {

bool any_register(const ptx::Operand& operand, const std::function<bool(const ptx::Operand&)>& is) {
  if (is(operand)) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const auto& element) { return any_register(element, is); });
}

bool has_result(const ptx::Instruction& in) {
  constexpr std::string_view kNone[] = {"st",   "bra",  "bar",    "barrier", "red",  "ret",
                                        "exit", "call", "membar", "fence",   "trap", "cp"};
  return !in.operands.empty() &&
         std::find(std::begin(kNone), std::end(kNone), in.root()) == std::end(kNone);
}

/// Lets `step` mark what instructions write, each at first and then whenever something that it reads was marked. `step`
/// calls its second argument with each register that it marks.
void spread(const ptx::Function& function, std::vector<bool>& marked,
            const std::function<void(const ptx::Instruction&,
                                     const std::function<void(std::int32_t)>&)>& step) {
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
void mark_results(const ptx::Instruction& in, const std::function<void(std::int32_t)>& mark) {
  any_register(in.operands[0], [&](const ptx::Operand& to) {
    if (to.kind == ptx::OperandKind::reg) mark(to.id);
    return false;
  });
}

/// By register: worked out from special registers of which `is_source` is true.
std::vector<bool> dependent(const ptx::Function& function,
                            const std::function<bool(std::string_view)>& is_source,
                            bool from_memory = false) {
  std::vector<bool> differs(function.registers.size(), false);
  const auto is_different = [&](const ptx::Operand& operand) {
    using enum ptx::OperandKind;
    if (operand.kind == special) return is_source(operand.name);
    const bool is_register =
        operand.kind == reg || (operand.kind == address && operand.base == reg);
    return is_register && operand.id >= 0 && differs[static_cast<std::size_t>(operand.id)];
  };
  spread(function, differs, [&](const ptx::Instruction& in, const auto& mark) {
    if (!has_result(in) || in.has("local")) return;
    bool from = in.root() == "atom" ||
                (from_memory && in.root() == "ld" && (in.has("global") || in.has("shared"))) ||
                (in.guard >= 0 && differs[static_cast<std::size_t>(in.guard)]);
    for (std::size_t k = 1; k < in.operands.size(); ++k)
      from = from || any_register(in.operands[k], is_different);
    if (from) mark_results(in, mark);
  });
  return differs;
}

/// By register: computed from others, and not only copied or moved on by a constant.
std::vector<bool> picked(const ptx::Function& function) {
  std::vector<bool> result(function.registers.size(), false);
  const auto is_picked = [&](const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::reg && operand.id >= 0 &&
           result[static_cast<std::size_t>(operand.id)];
  };
  spread(function, result, [&](const ptx::Instruction& in, const auto& mark) {
    if (!has_result(in) || in.operands[0].kind != ptx::OperandKind::reg) return;
    const auto root = in.root();
    int registers = 0;
    bool from = false;
    for (std::size_t k = 1; k < in.operands.size(); ++k) {
      registers += in.operands[k].kind == ptx::OperandKind::reg ? 1 : 0;
      from = from || is_picked(in.operands[k]);
    }
    const bool moves = root == "mov" || root == "cvta";
    if (from || (!moves && (root != "add" || registers > 1))) mark(in.operands[0].id);
  });
  return result;
}

bool address_is(const simt::Program& program, std::uint32_t instruction,
                const std::function<std::vector<bool>(const ptx::Function&)>& of) {
  const auto instructions = simt::instructions(program);
  if (instruction >= instructions.size()) return false;
  const auto& facts = instructions[instruction];
  const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
  const auto holds = of(*facts.function);
  return std::any_of(in.operands.begin(), in.operands.end(), [&](const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::address && operand.base == ptx::OperandKind::reg &&
           operand.id >= 0 && holds[static_cast<std::size_t>(operand.id)];
  });
}

}  // namespace

std::vector<bool> thread_dependent(const ptx::Function& function) {
  return dependent(function, [](std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%lane") ||
           special.starts_with("%warpid");
  });
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
  const auto comes_from_cut = [&](std::uint64_t mask, std::string_view u, std::string_view s) {
    return address_is(program, instruction, [&](const ptx::Function& function) {
      const auto of_thread = dependent(function, [](std::string_view special) {
        return special.starts_with("%tid") || special.starts_with("%ctaid");
      });
      std::vector<bool> cut(function.registers.size(), false);
      const auto holds = [](const std::vector<bool>& set, const ptx::Operand& operand) {
        return operand.kind == ptx::OperandKind::reg && operand.id >= 0 &&
               set[static_cast<std::size_t>(operand.id)];
      };
      spread(function, cut, [&](const ptx::Instruction& in, const auto& mark) {
        if (!has_result(in) || in.root() == "ld" || in.root() == "atom" || in.operands.size() < 2)
          return;
        const bool cuts =
            (in.root() == "and" && in.operands.size() == 3 &&
             in.operands[2].kind == ptx::OperandKind::immediate && in.operands[2].bits == mask) ||
            (in.root() == "cvt" && (in.has(u) || in.has(s)));
        bool from = cuts && holds(of_thread, in.operands[1]);
        for (std::size_t k = 1; k < in.operands.size(); ++k)
          from = from ||
                 any_register(in.operands[k], [&](const ptx::Operand& o) { return holds(cut, o); });
        if (from) mark_results(in, mark);
      });
      return cut;
    });
  };
  if (comes_from_cut(0xFF, "u8", "s8")) return 8;
  return comes_from_cut(0xFFFF, "u16", "s16") ? 16 : 0;
}

bool value_goes_to(const simt::Program& program, std::uint32_t load, std::uint32_t use,
                   std::int32_t reg) {
  const auto instructions = simt::instructions(program);
  if (instructions[load].function != instructions[use].function) return false;
  const auto& function = *instructions[load].function;
  std::vector<bool> has(function.registers.size(), false);
  const auto is_value = [&](const ptx::Operand& from) {
    return from.kind == ptx::OperandKind::reg && from.id >= 0 &&
           has[static_cast<std::size_t>(from.id)];
  };
  mark_results(function.body[static_cast<std::size_t>(instructions[load].body_index)],
               [&](std::int32_t id) {
                 if (id >= 0) has[static_cast<std::size_t>(id)] = true;
               });
  spread(function, has, [&](const ptx::Instruction& in, const auto& mark) {
    if (!has_result(in) || in.root() == "ld" || in.root() == "atom") return;
    for (std::size_t k = 1; k < in.operands.size(); ++k)
      if (any_register(in.operands[k], is_value)) return mark_results(in, mark);
  });
  return reg >= 0 && has[static_cast<std::size_t>(reg)];
}

bool picks_element(const simt::Program& program, std::uint32_t instruction) {
  return address_is(program, instruction, picked);
}

}  // namespace labkit::observe
