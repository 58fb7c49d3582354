#include "ptx/dependent.h"

#include <algorithm>

#include "ptx/defs.h"

namespace labkit::ptx {
namespace {

bool any_part(const Operand& operand, const std::function<bool(const Operand&)>& is) {
  return is(operand) || std::ranges::any_of(operand.elements, [&](const Operand& element) {
           return any_part(element, is);
         });
}

/// What a barrier gives is the same for all threads.
bool has_result(const Instruction& in) {
  return writes_first_operand(in) && !is_any(in, {"bar", "barrier"});
}

}  // namespace

bool any_source(const Instruction& in, const std::function<bool(const Operand&)>& is) {
  for (std::size_t k = 1; k < in.operands.size(); ++k)
    if (any_part(in.operands[k], is)) return true;
  return false;
}

Registers spread(const Function& function, Registers marked,
                 const std::function<bool(const Instruction&, const Registers&)>& is_marked) {
  until_settled(function, [&](const Instruction& in, const auto& changed) {
    if (!has_result(in) || !is_marked(in, marked)) return;
    visit_defs(in, [&](std::int32_t id) {
      if (marked[id]) return;
      marked[id] = true;
      changed(id);
    });
  });
  return marked;
}

Registers none_of(const Function& function) { return Registers(function.registers.size(), false); }

Registers dependent(const Function& function,
                    const std::function<bool(std::string_view)>& is_source, bool from_memory) {
  using enum OperandKind;
  return spread(function, none_of(function), [&](const Instruction& in, const Registers& differs) {
    if (in.has("local")) return false;
    const bool from_data =
        from_memory && in.root() == "ld" && (in.has("global") || in.has("shared"));
    return in.root() == "atom" || from_data || is_in(differs, in.guard) ||
           any_source(in, [&](const Operand& operand) {
             if (operand.kind == special) return is_source(operand.name);
             return (operand.kind == reg || (operand.kind == address && operand.base == reg)) &&
                    is_in(differs, operand.id);
           });
  });
}

Registers thread_dependent(const Function& function) {
  return dependent(function, [](std::string_view special) {
    return special.starts_with("%tid") || special.starts_with("%lane") ||
           special.starts_with("%warpid");
  });
}

}  // namespace labkit::ptx
