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
/// Pairs of a register and a block that it lives in. Where there are more, so many registers live through so many blocks
/// that there is nothing to estimate.
constexpr std::size_t kMostLive = std::size_t{1} << 24;

struct Mention {
  std::int32_t reg = 0;
  std::int32_t block = 0;
  bool upward = false;  ///< read before any unguarded write in the block
  bool kills = false;
};

}  // namespace

std::uint32_t estimate_registers(const Function& function, const ControlFlow& flow) {
  const std::vector<bool> cheap = rematerialised(function);
  const auto weight = [&](std::int32_t id) {
    return cheap[id] ? 0 : weight_of(function.registers[id].type);
  };
  const std::size_t n = flow.blocks.size();

  // What each block mentions, sorted by register.
  std::vector<Mention> mentions;
  std::vector<std::int32_t> slot(function.registers.size(), -1);
  for (std::size_t b = 0; b < n; ++b) {
    const std::size_t begin = mentions.size();
    const auto mention = [&](std::int32_t id) -> Mention& {
      std::int32_t& at = slot[id];
      if (at < static_cast<std::int32_t>(begin)) {
        at = static_cast<std::int32_t>(mentions.size());
        mentions.push_back({id, static_cast<std::int32_t>(b), false, false});
      }
      return mentions[at];
    };
    for (const Instruction& instruction : instructions_of(function, flow.blocks[b])) {
      visit_uses(instruction, [&](std::int32_t id) {
        Mention& m = mention(id);
        m.upward = m.upward || !m.kills;
      });
      visit_defs(instruction, [&](std::int32_t id) {
        Mention& m = mention(id);
        m.kills = m.kills || instruction.guard < 0;
      });
    }
  }
  std::ranges::stable_sort(mentions, {}, &Mention::reg);

  std::vector<std::uint32_t> through(n, 0);  // weight that lives past the end of a block
  std::vector<std::vector<std::int32_t>> mentioned_live_out(n);
  std::vector<std::int32_t> live_out_for(n, -1);
  std::vector<std::int32_t> mention_for(n, -1);
  std::vector<const Mention*> mention_in(n, nullptr);
  std::size_t lives = 0;
  for (std::size_t m = 0; m < mentions.size();) {
    const std::int32_t reg = mentions[m].reg;
    std::vector<std::int32_t> live_in;
    for (; m < mentions.size() && mentions[m].reg == reg; ++m) {
      const std::int32_t b = mentions[m].block;
      mention_for[b] = reg;
      mention_in[b] = &mentions[m];
      if (mentions[m].upward) live_in.push_back(b);
    }
    if (weight(reg) == 0) continue;
    while (!live_in.empty()) {
      const std::int32_t b = live_in.back();
      live_in.pop_back();
      for (const std::int32_t p : flow.blocks[b].predecessors) {
        if (live_out_for[p] == reg) continue;
        live_out_for[p] = reg;
        if (++lives > kMostLive) return kMostPerThread;
        through[p] += weight(reg);
        const bool mentioned = mention_for[p] == reg;
        if (mentioned) mentioned_live_out[p].push_back(reg);
        if (!mentioned || (!mention_in[p]->kills && !mention_in[p]->upward)) live_in.push_back(p);
      }
    }
  }

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
