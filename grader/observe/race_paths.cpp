#include "observe/race_paths.h"

#include <algorithm>
#include <vector>

#include "ptx/defs.h"
#include "ptx/dependent.h"

namespace labkit::observe {
namespace {

std::vector<bool> reached_from(const ptx::ControlFlow& flow, std::int32_t start, std::int32_t but) {
  std::vector<bool> reached(flow.blocks.size(), false);
  std::vector<std::int32_t> next = {start};
  while (!next.empty()) {
    const auto block = next.back();
    next.pop_back();
    if (block == but || reached[block]) continue;
    reached[block] = true;
    const auto& more = flow.blocks[block].successors;
    next.insert(next.end(), more.begin(), more.end());
  }
  return reached;
}

/// Whether anything reads the register that the instruction writes.
bool result_is_read(const ptx::Function& function, const ptx::Instruction& in) {
  if (in.operands.empty() || in.operands[0].kind != ptx::OperandKind::reg) return false;
  const auto reads = [&](const ptx::Instruction& other) {
    bool found = other.guard == in.operands[0].id;
    for (const auto& operand : other.operands)
      ptx::visit_registers(operand,
                           [&](std::int32_t id) { found = found || id == in.operands[0].id; });
    return found;
  };
  return std::ranges::any_of(
      function.body, [&](const ptx::Instruction& other) { return &other != &in && reads(other); });
}

}  // namespace

bool leads_down(const ptx::ControlFlow& flow, std::int32_t from, std::int32_t to) {
  if (to <= from) return false;
  const auto start = flow.block_of[from], end = flow.block_of[to];
  std::vector<bool> reached(flow.blocks.size(), false);
  reached[start] = true;
  for (auto block = start; block < end; ++block)
    if (reached[block])
      for (const auto next : flow.blocks[block].successors)
        if (next > block) reached[next] = true;
  return reached[end];
}

std::vector<bool> decided_by(const ptx::ControlFlow& flow, std::int32_t branch) {
  const auto& successors = flow.blocks[branch].successors;
  std::vector<std::size_t> ways(flow.blocks.size());
  for (const auto successor : successors) {
    const auto reached = reached_from(flow, successor, branch);
    for (std::size_t k = 0; k < ways.size(); ++k) ways[k] += reached[k] ? 1 : 0;
  }
  std::vector<bool> decided(ways.size());
  for (std::size_t k = 0; k < ways.size(); ++k)
    decided[k] = ways[k] != 0 && ways[k] != successors.size();
  return decided;
}

bool RacePaths::take_steps(std::size_t steps) const {
  steps_left_ -= std::min(steps, steps_left_);
  return steps_left_ > 0;
}

bool RacePaths::leads_to(std::uint32_t from, std::uint32_t to,
                         const std::function<bool(std::uint32_t)>& around) const {
  const auto instructions = simt::instructions(program_);
  const auto &a = instructions[from], &b = instructions[to];
  if (a.function != b.function || !take_steps(a.function->body.size()))
    return true;  // a call in a loop, for all that is known
  const auto flow = ptx::control_flow(*a.function);
  const std::uint32_t first = from - static_cast<std::uint32_t>(a.body_index);  // of the function
  std::vector<bool> seen(flow.blocks.size(), false);
  std::vector<std::int32_t> next;
  bool arrives = false;
  const auto go_on = [&](std::int32_t number, std::int32_t begin) {
    const auto& block = flow.blocks[number];
    for (auto at = begin; at < block.last; ++at) {
      arrives = arrives || at == b.body_index;
      if (arrives || (around && around(first + static_cast<std::uint32_t>(at)))) return;
    }
    next.insert(next.end(), block.successors.begin(), block.successors.end());
  };
  go_on(flow.block_of[a.body_index], a.body_index + 1);
  while (!arrives && !next.empty()) {
    const auto number = static_cast<std::size_t>(next.back());
    next.pop_back();
    if (seen[number]) continue;
    seen[number] = true;
    go_on(static_cast<std::int32_t>(number), flow.blocks[number].first);
  }
  return arrives;
}

bool RacePaths::leads_down_to(std::uint32_t from, std::uint32_t to) const {
  const auto instructions = simt::instructions(program_);
  const auto &a = instructions[from], &b = instructions[to];
  if (a.function != b.function || !take_steps(a.function->body.size())) return true;
  return leads_down(ptx::control_flow(*a.function), a.body_index, b.body_index);
}

bool RacePaths::begins_with(std::uint32_t to,
                            const std::function<bool(std::uint32_t)>& around) const {
  const auto first = to - static_cast<std::uint32_t>(simt::instructions(program_)[to].body_index);
  return first == to || (!around(first) && leads_to(first, to, around));
}

bool RacePaths::is_copy(std::uint32_t one, std::uint32_t other) const {
  const auto all = simt::instructions(program_);
  const auto &a = all[one], &b = all[other];
  // a generic access does not say what it is to; builds that have them for all are not unrolled
  if (a.space == ptx::Space::generic) return false;
  return one != other && a.location.line != 0 && a.function == b.function &&
         a.is_load == b.is_load && a.is_store == b.is_store && a.space == b.space &&
         a.location == b.location && a.inlined_at == b.inlined_at;
}

bool RacePaths::stands_before(std::uint32_t instruction, std::uint32_t end) const {
  for (std::uint32_t i = 0; i < end; ++i)
    if (is_copy(i, instruction)) return true;
  return false;
}

bool RacePaths::takes_turns_until(std::uint32_t first, std::uint32_t second) const {
  bool has_second = false;
  for (std::uint32_t i = first + 1; i < second; ++i) {
    has_second = has_second || is_copy(i, second);
    if (has_second && is_copy(i, first)) return true;
  }
  return false;
}

bool RacePaths::comes_again(std::uint32_t instruction) const {
  const auto count = static_cast<std::uint32_t>(simt::instructions(program_).size());
  return stands_before(instruction, count) || leads_to(instruction, instruction);
}

bool RacePaths::only_of_some_threads(std::uint32_t instruction) const {
  const auto& facts = simt::instructions(program_)[instruction];
  const auto& function = *facts.function;
  if (!take_steps(function.body.size())) return false;
  const auto differs = ptx::thread_dependent(function);
  const auto guarded = [&](const ptx::Instruction& in) {
    return in.guard >= 0 && differs[in.guard];
  };
  if (guarded(text(instruction))) return true;
  const auto flow = ptx::control_flow(function);
  const auto here = flow.block_of[facts.body_index];
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(flow.blocks.size()); ++b) {
    const auto& block = flow.blocks[b];
    if (block.first == block.last || block.successors.size() < 2 ||
        !guarded(function.body[static_cast<std::size_t>(block.last) - 1]))
      continue;
    if (!take_steps(block.successors.size() * flow.blocks.size())) return false;
    if (decided_by(flow, b)[here]) return true;
  }
  return false;
}

bool RacePaths::loop_ends_apart(std::uint32_t instruction) const {
  const auto& facts = simt::instructions(program_)[instruction];
  const auto& function = *facts.function;
  if (!take_steps(function.body.size())) return false;
  const auto flow = ptx::control_flow(function);
  const auto loop = ptx::loops_around(function, flow)[facts.body_index];
  const auto differs = ptx::thread_dependent(function);
  const auto is_inside = [&](std::int32_t block) {
    return flow.blocks[block].first >= loop.first && flow.blocks[block].first < loop.last;
  };
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(flow.blocks.size()); ++b) {
    const auto& block = flow.blocks[b];
    if (block.first == block.last || block.successors.size() < 2 || !is_inside(b)) continue;
    const auto& branch = function.body[static_cast<std::size_t>(block.last) - 1];
    const bool leaves =
        std::ranges::any_of(block.successors, [&](std::int32_t next) { return !is_inside(next); });
    if (leaves && branch.guard >= 0 && differs[branch.guard]) return true;
  }
  return false;
}

bool RacePaths::meet_between(std::uint32_t upper, std::uint32_t lower) const {
  const auto instructions = simt::instructions(program_);
  const auto &a = instructions[upper], &b = instructions[lower];
  if (a.function != b.function || a.body_index >= b.body_index) return false;
  const auto flow = ptx::control_flow(*a.function);
  const auto last = flow.block_of[b.body_index];
  for (auto at = flow.block_of[a.body_index] + 1; at < last; ++at) {
    const auto& block = flow.blocks[at];
    if (block.first != block.last &&
        !only_of_some_threads(upper + static_cast<std::uint32_t>(block.first - a.body_index)))
      return true;
  }
  return false;
}

std::optional<RacePaths::HandOver> RacePaths::unfenced(std::uint32_t first, std::uint32_t second,
                                                       bool between_blocks) const {
  const auto instructions = simt::instructions(program_);
  const auto count = static_cast<std::uint32_t>(instructions.size());
  if (instructions[first].function != instructions[second].function ||
      instructions[first].is_strong || instructions[second].is_strong)
    return std::nullopt;
  std::optional<std::uint32_t> taken, given;
  // of a ring buffer, the reads lead to the flag only by way of the writes of the next iteration: that flag says nothing of
  // what was read
  const auto hands_on = [&](std::uint32_t from, std::uint32_t to, std::uint32_t around) {
    return leads_down_to(from, to) ||
           leads_to(from, to, [&](std::uint32_t i) { return i == around; });
  };
  const auto is_plain = [&](std::uint32_t i) {
    return (instructions[i].is_load || instructions[i].is_store) && !instructions[i].is_strong;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& facts = instructions[i];
    if (!facts.is_strong || facts.function != instructions[first].function) continue;
    // waited for: read again and again until it says so, with nothing else done, and the access comes after it
    if (facts.acquires && !taken && i != second && hands_on(i, second, first) &&
        leads_to(i, i, is_plain) && result_is_read(*facts.function, text(i)))
      taken = i;
    if ((facts.is_store || facts.is_atomic) && i != first && i != taken &&
        hands_on(first, i, second))
      given = i;
  }
  const auto stops = [&](std::uint32_t i) {
    return is_fence(text(i)) && !(between_blocks && text(i).has("cta"));
  };
  // there is no fence, or one for the block alone
  const auto fenced_for_block = [&](std::uint32_t until) {
    return !leads_to(first, until, [&](std::uint32_t i) { return is_fence(text(i)); });
  };
  if (!taken && between_blocks && instructions[first].is_store && instructions[second].is_load) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& facts = instructions[i];
      if (facts.function == instructions[first].function && text(i).root() == "atom" &&
          facts.space != ptx::Space::shared && take_steps(facts.function->body.size()) &&
          result_is_read(*facts.function, text(i)) && leads_to(first, i, stops) &&
          leads_to(i, second))
        return HandOver{i, i, fenced_for_block(i), true};
    }
  }
  if (!taken || !given || !leads_to(first, *given, stops)) return std::nullopt;
  return HandOver{*taken, *given, fenced_for_block(*given), false};
}

}  // namespace labkit::observe
