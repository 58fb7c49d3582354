#include <algorithm>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

/// Pairs of a register and a block that it lives in: solutions have some thousands.
constexpr std::size_t kMostLive = std::size_t{1} << 24;

/// What a block does with a register.
struct Mention {
  std::int32_t reg = 0, block = 0;
  bool upward = false;  ///< read before it is written
  bool kills = false;   ///< written; a guarded write leaves the old value in some lanes
};

/// By register, then by block.
std::vector<Mention> mentions_of(const Function& function, const ControlFlow& flow) {
  std::vector<Mention> mentions;
  std::vector<std::int32_t> latest(function.registers.size(), -1);  // of each register
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const auto begin = static_cast<std::int32_t>(mentions.size());
    const auto mention = [&](std::int32_t reg) -> Mention& {
      std::int32_t& at = latest[reg];
      if (at < begin) {
        at = static_cast<std::int32_t>(mentions.size());
        mentions.push_back({reg, static_cast<std::int32_t>(b)});
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
  return mentions;
}

}  // namespace

bool follow_lives(
    const Function& function, const ControlFlow& flow,
    const std::function<void(std::int32_t reg, std::int32_t block)>& into,
    const std::function<void(std::int32_t reg, std::int32_t block, bool is_mentioned)>& out_of) {
  const std::vector<Mention> mentions = mentions_of(function, flow);
  std::vector<std::int32_t> out_for(flow.blocks.size(), -1);  // the last register of which so
  std::vector<const Mention*> mention_in(flow.blocks.size(), nullptr);  // the last
  std::size_t lives = 0;
  for (std::size_t m = 0; m < mentions.size();) {
    const std::int32_t reg = mentions[m].reg;
    std::vector<std::int32_t> in;  // blocks that it lives into
    for (; m < mentions.size() && mentions[m].reg == reg; ++m) {
      mention_in[mentions[m].block] = &mentions[m];
      if (mentions[m].upward) in.push_back(mentions[m].block);
    }
    while (!in.empty()) {
      const std::int32_t b = in.back();
      in.pop_back();
      into(reg, b);
      for (const std::int32_t from : flow.blocks[b].predecessors) {
        if (out_for[from] == reg) continue;
        out_for[from] = reg;
        if (++lives > kMostLive) return false;
        const Mention* const there = mention_in[from];
        const bool is_mentioned = there != nullptr && there->reg == reg;
        out_of(reg, from, is_mentioned);
        if (!is_mentioned || (!there->kills && !there->upward)) in.push_back(from);
      }
    }
  }
  return true;
}

}  // namespace labkit::ptx
