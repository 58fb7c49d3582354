// Registers by liveness.
//
// For each register the blocks through which it lives are found by walking back from its uses;
// memory stays linear in the size of the text, because a block keeps only the weight of what lives
// through it and the names of those that it mentions itself. What ptxas makes anew instead of
// keeping (parameters and constants come from the constant bank,
// `%ctaid` and the like from uniform registers) weighs nothing.
#include <algorithm>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

// What stands on top of the live values: the ABI keeps R1 for the stack, addresses and loop counts take temporaries.
// With 4, twelve of thirteen register-blocked products and polynomials that ptxas 13.0 -v (sm_90) gives 40 to 126
// registers are met within 16%, one within 25%. Below 32, where more cost no occupancy, ptxas takes what it likes; and
// it may load late what the PTX loads early (32 doubles copied: 70 estimated, 32 used).
constexpr std::uint32_t kOverhead = 4;

std::uint32_t weight_of(Type type) {
  const std::uint32_t bytes = size_bytes(type);
  return type == Type::pred ? 0 : std::max<std::uint32_t>(1, bytes / 4);
}

/// Values that are cheaper to fetch again than to keep: bit r is set if register r has one
/// definition, and that is a parameter, a constant, the address of a variable, or a conversion of
/// such a one.
std::vector<bool> rematerialised(const Function& function) {
  std::vector<std::uint32_t> definitions(function.registers.size(), 0);
  for (const Instruction& instruction : function.body)
    visit_defs(instruction, [&](std::int32_t id) { ++definitions[id]; });
  std::vector<bool> cheap(function.registers.size(), false);
  for (const Instruction& instruction : function.body) {
    if (!writes_first_operand(instruction) || instruction.guard >= 0 ||
        instruction.operands.size() < 2)
      continue;
    const Operand& source = instruction.operands[1];
    const std::string_view root = instruction.root();
    const bool parameter =
        root == "ld" && instruction.has("param") && source.symbol == SymbolKind::parameter;
    const bool moves = root == "mov" || root == "cvta";
    const bool constant =
        moves && (source.kind == OperandKind::immediate || source.kind == OperandKind::symbol ||
                  source.kind == OperandKind::float32 || source.kind == OperandKind::float64);
    const bool uniform = root == "mov" && source.kind == OperandKind::special &&
                         (source.name.starts_with("%ctaid") || source.name.starts_with("%ntid") ||
                          source.name.starts_with("%nctaid"));
    const bool copy = moves && source.kind == OperandKind::reg && cheap[source.id];
    if (!parameter && !constant && !uniform && !copy) continue;
    visit_defs(instruction, [&](std::int32_t id) {
      if (definitions[id] == 1) cheap[id] = true;
    });
  }
  return cheap;
}

/// A thread has no more.
constexpr std::uint32_t kMostPerThread = 255;
}  // namespace

std::uint32_t estimate_registers(const Function& function, const ControlFlow& flow) {
  const std::vector<bool> cheap = rematerialised(function);
  const auto weight = [&](std::int32_t id) {
    return cheap[id] ? 0 : weight_of(function.registers[id].type);
  };
  const std::size_t n = flow.blocks.size();

  std::vector<std::uint32_t> through(n, 0);  // weight that lives past the end of a block
  std::vector<std::vector<std::int32_t>> mentioned_live_out(n);
  const auto live_out = [&](std::int32_t reg, std::int32_t block, bool is_mentioned) {
    if (weight(reg) == 0) return;
    through[block] += weight(reg);
    if (is_mentioned) mentioned_live_out[block].push_back(reg);
  };
  if (!follow_lives(
          function, flow, [](std::int32_t, std::int32_t) {}, live_out))
    return kMostPerThread;

  std::uint32_t most = 0;
  std::vector<bool> live(function.registers.size(), false);
  for (std::size_t b = 0; b < n; ++b) {
    std::uint32_t now = through[b];
    for (const std::int32_t id : mentioned_live_out[b]) live[id] = true;
    most = std::max(most, now);
    std::vector<std::int32_t> touched = mentioned_live_out[b];
    for (std::int32_t i = flow.blocks[b].last; i-- > flow.blocks[b].first;) {
      const Instruction& instruction = function.body[i];
      visit_defs(instruction, [&](std::int32_t id) {
        if (instruction.guard >= 0 || !live[id]) return;
        live[id] = false;
        now -= weight(id);
      });
      visit_uses(instruction, [&](std::int32_t id) {
        if (live[id]) return;
        live[id] = true;
        touched.push_back(id);
        now += weight(id);
      });
      most = std::max(most, now);
    }
    for (const std::int32_t id : touched) live[id] = false;
  }
  return std::min(kMostPerThread, most + kOverhead);
}

}  // namespace labkit::ptx
