#include "observe/update_sources.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::observe {
namespace {

/// Of the sets of loads, all together; a kernel for which that is not enough has no updates, and its races no better advice.
constexpr std::size_t kMostWords = std::size_t{1} << 22;
constexpr std::size_t kMostBranches = 1024;  ///< of a function whose conditions are followed
constexpr std::size_t kMostConditions = 16;  ///< of one store, the last in the text: the inner ones
constexpr int kMostPasses =
    64;  ///< over the program; values that take longer to come round are lost

/// One function's part of the table of values: a value for each register, for its variables (parameters of calls), its
/// own parameters and results, and one for all its local memory.
struct Part {
  const ptx::Function* function = nullptr;
  std::uint32_t first_instruction = 0;
  std::size_t variables = 0, parameters = 0, returns = 0, local = 0, registers = 0;
  std::vector<bool> is_local;  ///< registers that hold an address in local memory
  ptx::ControlFlow blocks;
  std::vector<std::vector<std::int32_t>> conditions;  ///< by block
  std::vector<std::uint8_t>
      definitions;  ///< by register: 0, 1, or 2 for more: variables that ways give different values
};

const ptx::Operand* address_of(const ptx::Instruction& in) {
  for (const auto& operand : in.operands)
    if (operand.kind == ptx::OperandKind::address) return &operand;
  return nullptr;
}

bool reads_memory(ptx::Space space) {
  return space == ptx::Space::global || space == ptx::Space::shared || space == ptx::Space::generic;
}
bool may_meet(ptx::Space a, ptx::Space b) {
  return a == b || a == ptx::Space::generic || b == ptx::Space::generic;
}

/// For each block the predicates that decide whether it is executed, of branches of the same function.
std::vector<std::vector<std::int32_t>> conditions_of(const ptx::Function& function,
                                                     const ptx::ControlFlow& flow) {
  std::vector<std::vector<std::int32_t>> result(flow.blocks.size());
  std::size_t branches = 0;
  std::vector<std::uint32_t> ways(flow.blocks.size()), seen(flow.blocks.size());
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const auto& block = flow.blocks[b];
    if (block.first == block.last || block.successors.size() < 2) continue;
    const auto& last = function.body[static_cast<std::size_t>(block.last) - 1];
    if (last.guard < 0 || ++branches > kMostBranches) continue;
    // blocks that not every way out of the branch leads to, other than by the branch itself
    std::fill(ways.begin(), ways.end(), 0);
    std::fill(seen.begin(), seen.end(), 0);
    std::uint32_t way = 0;
    for (const auto successor : block.successors) {
      ++way;
      seen[b] = way;
      std::vector<std::int32_t> next = {successor};
      while (!next.empty()) {
        const auto at = static_cast<std::size_t>(next.back());
        next.pop_back();
        if (std::exchange(seen[at], way) == way) continue;
        ++ways[at];
        next.insert(next.end(), flow.blocks[at].successors.begin(),
                    flow.blocks[at].successors.end());
      }
    }
    for (std::size_t at = 0; at < ways.size(); ++at)
      if (ways[at] != 0 && ways[at] != way) result[at].push_back(last.guard);
  }
  return result;
}

class Flow {
 public:
  explicit Flow(const simt::Program& program) : facts_(simt::instructions(program)) {
    for (std::uint32_t i = 0; i < facts_.size(); ++i) {
      if (parts_.empty() || parts_.back().function != facts_[i].function) add_part(i);
      load_of_.push_back(-1);
      const auto& in = body(i);
      // .nc is for what no thread writes
      if (facts_[i].is_load && !facts_[i].is_store && reads_memory(facts_[i].space) &&
          !in.has("nc")) {
        load_of_.back() = static_cast<std::int32_t>(loads_.size());
        loads_.push_back(i);
      }
    }
    words_ = (loads_.size() + 63) / 64;
    if (loads_.empty() || values_ * words_ > kMostWords) return;
    bits_.assign(values_ * words_, 0);
    bool changed = true;
    for (int pass = 0; changed && pass < kMostPasses; ++pass) {
      changed = false;
      for (auto& part : parts_) changed = flow_through(part) || changed;
    }
    done_ = true;
    settled_ = !changed;
  }

  bool done() const { return done_; }
  /// By number of load: its value may decide which way some thread goes, by itself or through shared memory, or what it
  /// compares and swaps, or where it does. All of them where the values could not be followed to the end.
  std::vector<bool> deciding() const {
    std::vector<bool> result(loads_.size(), !done_ || !settled_);
    if (!done_ || !settled_) return result;
    std::vector<std::uint64_t> bits(words_, 0);
    auto take = [&](const Part& part, std::int32_t id) {
      const std::size_t at = (part.registers + static_cast<std::size_t>(id)) * words_;
      for (std::size_t w = 0; w < words_; ++w) bits[w] |= bits_[at + w];
    };
    for (const auto& part : parts_)
      for (const auto& in : part.function->body) {
        if (in.guard >= 0) take(part, in.guard);
        const bool swaps = in.has("cas"), updates = in.root() == "atom" || in.root() == "red";
        if (!swaps && !updates && in.root() != "brx") continue;
        for (const auto& operand : in.operands)
          if (!updates || swaps || operand.kind == ptx::OperandKind::address)
            ptx::visit_registers(operand, [&](std::int32_t id) { take(part, id); });
      }
    // what one thread found, put down in shared memory for the others to go by
    auto shared = [&](std::uint32_t i) { return facts_[i].space != ptx::Space::global; };
    int pass = 0;
    for (std::vector<std::uint64_t> before; before != bits;) {
      if (++pass > kMostPasses) return std::vector<bool>(loads_.size(), true);
      before = bits;
      bool is_read = false;
      for (std::size_t k = 0; k < loads_.size(); ++k)
        is_read = is_read || ((bits[k / 64] >> (k % 64) & 1) != 0 && shared(loads_[k]));
      if (!is_read) break;
      for (const auto& part : parts_)
        for (std::size_t i = 0; i < part.function->body.size(); ++i) {
          const auto& in = part.function->body[i];
          const auto index = part.first_instruction + static_cast<std::uint32_t>(i);
          if (in.root() != "st" || in.operands.size() < 2 || !facts_[index].is_store ||
              !reads_memory(facts_[index].space) || !shared(index))
            continue;
          ptx::visit_registers(in.operands[1], [&](std::int32_t id) { take(part, id); });
        }
    }
    for (std::size_t k = 0; k < loads_.size(); ++k) result[k] = (bits[k / 64] >> (k % 64) & 1) != 0;
    return result;
  }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<std::uint32_t>& loads() const { return loads_; }
  const ptx::Instruction& body(std::uint32_t instruction) const {
    const auto& facts = facts_[instruction];
    return facts.function->body[static_cast<std::size_t>(facts.body_index)];
  }
  /// Adds to `numbers` the loads that a register comes from, of those that may meet what is in `space`.
  void loads_of(const Part& part, std::int32_t id, ptx::Space space,
                std::vector<std::uint32_t>& numbers) const {
    const std::size_t at = (part.registers + static_cast<std::size_t>(id)) * words_;
    for (std::uint32_t k = 0; k < loads_.size(); ++k)
      if ((bits_[at + k / 64] >> (k % 64) & 1) != 0 && may_meet(facts_[loads_[k]].space, space))
        numbers.push_back(k);
  }

 private:
  void add_part(std::uint32_t instruction) {
    Part part;
    part.function = facts_[instruction].function;
    part.first_instruction = instruction;
    auto take = [&](std::size_t count) { return std::exchange(values_, values_ + count); };
    part.registers = take(part.function->registers.size());
    part.variables = take(part.function->variables.size());
    part.parameters = take(part.function->parameters.size());
    part.returns = take(part.function->returns.size());
    part.local = take(1);
    part.is_local.assign(part.function->registers.size(), false);
    part.blocks = ptx::control_flow(*part.function);
    part.conditions = conditions_of(*part.function, part.blocks);
    part.definitions.assign(part.function->registers.size(), 0);
    for (const auto& in : part.function->body)
      ptx::visit_defs(in, [&](std::int32_t id) {
        auto& count = part.definitions[static_cast<std::size_t>(id)];
        count = static_cast<std::uint8_t>(std::min(count + 1, 2));
      });
    part_of_[part.function->name] = parts_.size();
    parts_.push_back(std::move(part));
  }

  bool join(std::size_t to, std::size_t from) {
    std::uint64_t more = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      more |= bits_[from * words_ + w] & ~bits_[to * words_ + w];
      bits_[to * words_ + w] |= bits_[from * words_ + w];
    }
    return more != 0;
  }
  bool add_load(std::size_t to, std::int32_t load) {
    const auto k = static_cast<std::size_t>(load);
    auto& word = bits_[to * words_ + k / 64];
    const bool is_new = !(word >> (k % 64) & 1);
    word |= 1ull << (k % 64);
    return is_new;
  }

  /// The value that a parameter's address stands for; -1: none that is followed.
  static std::int64_t place_of(const Part& part, const ptx::Operand& operand) {
    const auto id = static_cast<std::size_t>(operand.id);
    if (operand.id < 0) return -1;
    switch (operand.symbol) {
      case ptx::SymbolKind::function_variable:
        return static_cast<std::int64_t>(part.variables + id);
      case ptx::SymbolKind::parameter:
        return static_cast<std::int64_t>(part.parameters + id);
      case ptx::SymbolKind::return_parameter:
        return static_cast<std::int64_t>(part.returns + id);
      default:
        return -1;
    }
  }

  /// Arguments to parameters, results back; of functions that are only declared nothing comes back.
  bool call(const Part& part, const ptx::Instruction& in) {
    const ptx::Operand *callee = nullptr, *results = nullptr, *arguments = nullptr;
    for (const auto& operand : in.operands) {
      if (operand.kind == ptx::OperandKind::symbol) callee = &operand;
      if (operand.kind == ptx::OperandKind::list)
        (callee == nullptr ? results : arguments) = &operand;
    }
    if (callee == nullptr) return false;
    const auto at = part_of_.find(callee->name);
    if (at == part_of_.end()) return false;
    const auto& other = parts_[at->second];
    bool changed = false;
    auto pass = [&](const ptx::Operand* list, std::size_t first, std::size_t count, bool back) {
      for (std::size_t k = 0; list != nullptr && k < std::min(list->elements.size(), count); ++k) {
        const auto place = place_of(part, list->elements[k]);
        if (place < 0) continue;
        const auto mine = static_cast<std::size_t>(place);
        changed = (back ? join(mine, first + k) : join(first + k, mine)) || changed;
      }
    };
    pass(arguments, other.parameters, other.function->parameters.size(), false);
    pass(results, other.returns, other.function->returns.size(), true);
    return changed;
  }

  bool flow_through(Part& part) {
    bool changed = false;
    const auto& body = part.function->body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const auto& in = body[i];
      const auto index = part.first_instruction + static_cast<std::uint32_t>(i);
      if (in.root() == "call") {
        changed = call(part, in) || changed;
        continue;
      }
      const auto* address = in.root() == "ld" || in.root() == "st" ? address_of(in) : nullptr;
      changed = decide(part, i) || changed;
      if (address == nullptr) {
        changed = compute(part, in) || changed;
        continue;
      }
      std::int64_t place = -1;
      if (in.has("param"))
        place = place_of(part, *address);
      else if (in.has("local") || (address->base == ptx::OperandKind::reg &&
                                   part.is_local[static_cast<std::size_t>(address->id)]))
        place = static_cast<std::int64_t>(part.local);
      if (in.root() == "st") {
        if (place < 0 || in.operands.size() < 2) continue;
        const auto to = static_cast<std::size_t>(place);
        ptx::visit_registers(in.operands[1], [&](std::int32_t id) {
          changed = join(to, part.registers + static_cast<std::size_t>(id)) || changed;
        });
        continue;
      }
      ptx::visit_defs(in, [&](std::int32_t id) {
        const auto to = part.registers + static_cast<std::size_t>(id);
        if (place >= 0) changed = join(to, static_cast<std::size_t>(place)) || changed;
        if (place < 0 && load_of_[index] >= 0) changed = add_load(to, load_of_[index]) || changed;
      });
    }
    return changed;
  }

  /// A variable that has its value from one of several ways has it from what decided the way, too: `d = d || more;`.
  bool decide(const Part& part, std::size_t i) {
    bool changed = false;
    const auto& ids = part.conditions[static_cast<std::size_t>(part.blocks.block_of[i])];
    if (ids.empty()) return false;
    ptx::visit_defs(part.function->body[i], [&](std::int32_t id) {
      const auto to = static_cast<std::size_t>(id);
      if (part.definitions[to] < 2) return;
      for (std::size_t k = ids.size() - std::min(ids.size(), kMostConditions); k < ids.size(); ++k)
        changed =
            join(part.registers + to, part.registers + static_cast<std::size_t>(ids[k])) || changed;
    });
    return changed;
  }

  /// Whatever else writes registers: the result comes from all that is read.
  bool compute(Part& part, const ptx::Instruction& in) {
    bool changed = false;
    bool local = false;
    for (const auto& operand : in.operands)
      if (operand.kind == ptx::OperandKind::symbol &&
          operand.symbol == ptx::SymbolKind::function_variable &&
          part.function->variables[static_cast<std::size_t>(operand.id)].space == ptx::Space::local)
        local = true;
    ptx::visit_defs(in, [&](std::int32_t to) {
      for (std::size_t k = 1; k < in.operands.size(); ++k)
        ptx::visit_registers(in.operands[k], [&](std::int32_t from) {
          changed = join(part.registers + static_cast<std::size_t>(to),
                         part.registers + static_cast<std::size_t>(from)) ||
                    changed;
          local = local || part.is_local[static_cast<std::size_t>(from)];
        });
      if (!local || part.is_local[static_cast<std::size_t>(to)]) return;
      part.is_local[static_cast<std::size_t>(to)] = true;
      changed = true;
    });
    return changed;
  }

  std::span<const simt::InstructionFacts> facts_;
  std::vector<Part> parts_;
  std::map<std::string_view, std::size_t> part_of_;
  std::vector<std::uint32_t> loads_;
  std::vector<std::int32_t> load_of_;  ///< by instruction
  std::size_t values_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
  bool done_ = false, settled_ = false;
};

/// For each register the last instruction in the text that writes it.
std::vector<const ptx::Instruction*> makers_of(const ptx::Function& function) {
  std::vector<const ptx::Instruction*> makers(function.registers.size(), nullptr);
  for (const auto& in : function.body)
    ptx::visit_defs(in, [&](std::int32_t to) { makers[static_cast<std::size_t>(to)] = &in; });
  return makers;
}

UpdateOperation operation_of(std::string_view root) {
  using enum UpdateOperation;
  if (root == "add" || root == "fma" || root == "mad") return add;
  if (root == "sub") return subtract;
  if (root == "max" || root == "min" || root == "selp") return extreme;
  if (root == "and") return and_;
  if (root == "or") return or_;
  return root == "xor" ? xor_ : other;
}

/// What makes a register out of what was loaded, copies and conversions aside: one operation, or several of a kind. Else,
/// as for 2 * x + 1, no atomic function does the same.
UpdateOperation operation_of(const std::vector<const ptx::Instruction*>& makers, std::int32_t id) {
  using enum UpdateOperation;
  constexpr std::size_t kMostSteps = 256;  // an inner loop that was unrolled
  UpdateOperation operation = other;
  std::vector<std::int32_t> next = {id};
  for (std::size_t step = 0; step < next.size() && step < kMostSteps; ++step) {
    const auto* made_by = makers[static_cast<std::size_t>(next[step])];
    if (made_by == nullptr) continue;
    const auto root = made_by->root();
    if (root == "ld") {
      if (operation != other) return operation;
      continue;
    }
    const bool copies = root == "mov" || root == "cvt";
    const auto here = operation_of(root);
    if (!copies && (here == other || (operation != other && here != operation))) continue;
    if (!copies) operation = here;
    // of a product only what is added to it
    const bool product = root == "fma" || root == "mad";
    for (std::size_t k = product ? 3 : 1; k < made_by->operands.size(); ++k)
      ptx::visit_registers(made_by->operands[k], [&](std::int32_t from) { next.push_back(from); });
  }
  return other;
}

}  // namespace

UpdateSources::UpdateSources(const simt::Program& program) {
  const auto facts = simt::instructions(program);
  store_of_.assign(facts.size(), -1);
  load_of_.assign(facts.size(), -1);
  decides_.assign(facts.size(), true);
  const Flow flow(program);
  if (!flow.done()) return;
  const auto deciding = flow.deciding();
  for (std::size_t k = 0; k < deciding.size(); ++k) decides_[flow.loads()[k]] = deciding[k];
  std::vector<std::int32_t> number(flow.loads().size(), -1);
  auto keep = [&](std::vector<std::uint32_t>& loads) {
    std::sort(loads.begin(), loads.end());
    loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
    for (auto& load : loads) {
      auto& at = number[load];
      if (at < 0) {
        at = static_cast<std::int32_t>(loads_.size());
        load_of_[flow.loads()[load]] = at;
        loads_.push_back(flow.loads()[load]);
      }
      load = static_cast<std::uint32_t>(at);
    }
  };
  for (const auto& part : flow.parts()) {
    const auto makers = makers_of(*part.function);
    for (std::size_t i = 0; i < part.function->body.size(); ++i) {
      const auto index = part.first_instruction + static_cast<std::uint32_t>(i);
      const auto& in = part.function->body[i];
      if (in.root() != "st" || in.operands.size() < 2 || !facts[index].is_store ||
          !reads_memory(facts[index].space))
        continue;
      Store store;
      ptx::visit_registers(in.operands[1], [&](std::int32_t id) {
        flow.loads_of(part, id, facts[index].space, store.values);
        if (store.operation == UpdateOperation::other) store.operation = operation_of(makers, id);
      });
      if (in.guard >= 0) flow.loads_of(part, in.guard, facts[index].space, store.conditions);
      const auto& ids = part.conditions[static_cast<std::size_t>(part.blocks.block_of[i])];
      for (std::size_t k = ids.size() - std::min(ids.size(), kMostConditions); k < ids.size(); ++k)
        flow.loads_of(part, ids[k], facts[index].space, store.conditions);
      if (store.values.empty() && store.conditions.empty()) continue;
      if (store.values.empty()) store.operation = UpdateOperation::extreme;
      keep(store.values);
      keep(store.conditions);
      store_of_[index] = static_cast<std::int32_t>(stores_.size());
      stores_.push_back(std::move(store));
    }
  }
}

bool UpdateSources::exchanges(std::uint32_t store, std::uint32_t load) const {
  const Store* here = this->store(store);
  const auto number = load_of_[load];
  if (here == nullptr || number < 0) return false;
  const auto has = [](const Store& one, std::int32_t load) {
    return std::find(one.values.begin(), one.values.end(), static_cast<std::uint32_t>(load)) !=
           one.values.end();
  };
  return !here->values.empty() && !has(*here, number) &&
         std::any_of(stores_.begin(), stores_.end(), [&](const Store& other) {
           return &other != here && has(other, number) &&
                  std::none_of(here->values.begin(), here->values.end(), [&](std::uint32_t value) {
                    return has(other, static_cast<std::int32_t>(value));
                  });
         });
}

}  // namespace labkit::observe
