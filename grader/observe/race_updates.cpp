#include "observe/race_updates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "observe/race_paths.h"
#include "ptx/defs.h"

namespace labkit::observe {
namespace {

/// Of the sets of loads, all together; a kernel for which that is not enough has no updates, and its races no better advice.
constexpr std::size_t kMostWords = std::size_t{1} << 22;
constexpr std::size_t kMostBranches = 1024;  ///< of a function whose conditions are followed
constexpr std::size_t kMostConditions = 16;  ///< of one store, the last in the text: the inner ones
/// Over the program; values that take longer to come round are lost.
constexpr int kMostPasses = 64;

/// One function's part of the table of values: a value for each register, for its variables (parameters of calls), its
/// own parameters and results, and one for all its local memory.
struct Part {
  const ptx::Function* function = nullptr;
  std::uint32_t first_instruction = 0;
  std::size_t variables = 0, parameters = 0, returns = 0, local = 0, registers = 0;
  std::vector<bool> is_local;  ///< registers that hold an address in local memory
  ptx::ControlFlow flow;
  std::vector<std::vector<std::int32_t>> of_block;  ///< conditions_of()
  /// By register: 0, 1, or 2 for more: variables that ways give different values.
  std::vector<std::uint8_t> definitions;

  /// The predicates that decide whether an instruction of the body is executed.
  const std::vector<std::int32_t>& conditions(std::size_t at) const {
    return of_block[flow.block_of[at]];
  }
  std::size_t of_register(std::int32_t id) const {
    return registers + static_cast<std::size_t>(id);
  }
};

bool reads_memory(ptx::Space space) {
  return space == ptx::Space::global || space == ptx::Space::shared || space == ptx::Space::generic;
}
bool may_meet(ptx::Space a, ptx::Space b) {
  return a == b || a == ptx::Space::generic || b == ptx::Space::generic;
}
/// Of a plain store, whose second operand is what it stores.
bool is_store(const simt::InstructionFacts& facts) {
  return facts.is_store && reads_memory(facts.space) && facts.text().root() == "st" &&
         facts.text().operands.size() >= 2;
}

/// For each block the predicates that decide whether it is executed, of branches of the same function.
std::vector<std::vector<std::int32_t>> conditions_of(const ptx::Function& function,
                                                     const ptx::ControlFlow& flow) {
  std::vector<std::vector<std::int32_t>> result(flow.blocks.size());
  std::size_t branches = 0;
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const auto& block = flow.blocks[b];
    if (block.first == block.last || block.successors.size() < 2) continue;
    const auto& last = function.body[static_cast<std::size_t>(block.last) - 1];
    if (last.guard < 0 || ++branches > kMostBranches) continue;
    const auto decided = decided_by(flow, static_cast<std::int32_t>(b));
    for (std::size_t at = 0; at < decided.size(); ++at)
      if (decided[at]) result[at].push_back(last.guard);
  }
  for (auto& all : result)
    if (all.size() > kMostConditions) all.erase(all.begin(), all.end() - kMostConditions);
  return result;
}

class Flow {
 public:
  explicit Flow(const simt::Program& program) : facts_(simt::instructions(program)) {
    for (std::uint32_t i = 0; i < facts_.size(); ++i) {
      const auto& facts = facts_[i];
      if (parts_.empty() || parts_.back().function != facts.function) add_part(i);
      // .nc is for what no thread writes
      const bool is_load =
          facts.is_load && !facts.is_store && reads_memory(facts.space) && !facts.text().has("nc");
      load_of_.push_back(is_load ? static_cast<std::int32_t>(loads_.size()) : -1);
      if (is_load) loads_.push_back(i);
    }
    words_ = (loads_.size() + 63) / 64;
    if (loads_.empty() || values_ * words_ > kMostWords) return;
    bits_.assign(values_ * words_, 0);
    changed_ = true;
    for (int pass = 0; changed_ && pass < kMostPasses; ++pass) {
      changed_ = false;
      for (auto& part : parts_) flow_through(part);
    }
    done_ = true;
  }

  bool done() const { return done_; }
  /// By number of load: its value may decide which way some thread goes, by itself or through shared memory, or what it
  /// compares and swaps, or where it does. All of them where the values could not be followed to the end.
  std::vector<bool> deciding() const {
    if (!done_ || changed_) return std::vector<bool>(loads_.size(), true);
    std::vector<std::uint64_t> bits(words_, 0);
    const auto take = [&](const Part& part, std::int32_t id) {
      const auto* from = bits_.data() + part.of_register(id) * words_;
      for (std::size_t w = 0; w < words_; ++w) bits[w] |= from[w];
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
    const auto is_shared = [&](std::size_t i) { return facts_[i].space != ptx::Space::global; };
    const auto is_taken = [&](std::size_t k) { return has_bit(bits.data(), k); };
    bool is_read = false;
    for (std::size_t k = 0; k < loads_.size(); ++k)
      is_read = is_read || (is_taken(k) && is_shared(loads_[k]));
    for (const auto& part : parts_)
      for (std::size_t i = 0; is_read && i < part.function->body.size(); ++i)
        if (const auto at = part.first_instruction + i; is_store(facts_[at]) && is_shared(at))
          ptx::visit_registers(facts_[at].text().operands[1],
                               [&](std::int32_t id) { take(part, id); });
    std::vector<bool> result;
    for (std::size_t k = 0; k < loads_.size(); ++k) result.push_back(is_taken(k));
    return result;
  }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<std::uint32_t>& loads() const { return loads_; }
  /// Adds to `numbers` the loads that a register comes from, of those that may meet what is in `space`.
  void loads_of(const Part& part, std::int32_t id, ptx::Space space,
                std::vector<std::uint32_t>& numbers) const {
    for (std::uint32_t k = 0; k < loads_.size(); ++k)
      if (has(part.of_register(id), k) && may_meet(facts_[loads_[k]].space, space))
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
    part.flow = ptx::control_flow(*part.function);
    part.of_block = conditions_of(*part.function, part.flow);
    part.definitions.assign(part.function->registers.size(), 0);
    for (const auto& in : part.function->body)
      ptx::visit_defs(in, [&](std::int32_t id) {
        auto& count = part.definitions[id];
        count = static_cast<std::uint8_t>(std::min(count + 1, 2));
      });
    part_of_[part.function->name] = parts_.size();
    parts_.push_back(std::move(part));
  }

  static bool has_bit(const std::uint64_t* words, std::size_t k) {
    return (words[k / 64] >> k % 64 & 1) != 0;
  }
  bool has(std::size_t value, std::size_t load) const {
    return has_bit(bits_.data() + value * words_, load);
  }
  void join(std::size_t to, std::size_t from) {
    std::uint64_t more = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      more |= bits_[from * words_ + w] & ~bits_[to * words_ + w];
      bits_[to * words_ + w] |= bits_[from * words_ + w];
    }
    changed_ = changed_ || more != 0;
  }
  void add_load(std::size_t to, std::size_t load) {
    changed_ = changed_ || !has(to, load);
    bits_[to * words_ + load / 64] |= 1ull << load % 64;
  }

  /// The value that a parameter's address stands for; nullopt: none that is followed.
  static std::optional<std::size_t> place_of(const Part& part, const ptx::Operand& operand) {
    const auto id = static_cast<std::size_t>(operand.id);
    if (operand.id < 0) return std::nullopt;
    switch (operand.symbol) {
      case ptx::SymbolKind::function_variable:
        return part.variables + id;
      case ptx::SymbolKind::parameter:
        return part.parameters + id;
      case ptx::SymbolKind::return_parameter:
        return part.returns + id;
      default:
        return std::nullopt;
    }
  }

  /// Arguments to parameters, results back; of functions that are only declared nothing comes back.
  void call(const Part& part, const ptx::Instruction& in) {
    const ptx::Operand *callee = nullptr, *results = nullptr, *arguments = nullptr;
    for (const auto& operand : in.operands) {
      if (operand.kind == ptx::OperandKind::symbol) callee = &operand;
      if (operand.kind == ptx::OperandKind::list)
        (callee == nullptr ? results : arguments) = &operand;
    }
    if (callee == nullptr) return;
    const auto at = part_of_.find(callee->name);
    if (at == part_of_.end()) return;
    const auto& other = parts_[at->second];
    const auto each = [&](const ptx::Operand* list, std::size_t count, const auto& pass) {
      for (std::size_t k = 0; list != nullptr && k < std::min(list->elements.size(), count); ++k)
        if (const auto mine = place_of(part, list->elements[k])) pass(*mine, k);
    };
    each(arguments, other.function->parameters.size(),
         [&](std::size_t mine, std::size_t k) { join(other.parameters + k, mine); });
    each(results, other.function->returns.size(),
         [&](std::size_t mine, std::size_t k) { join(mine, other.returns + k); });
  }

  void flow_through(Part& part) {
    for (std::size_t i = 0; i < part.function->body.size(); ++i) {
      const auto& in = part.function->body[i];
      if (in.root() == "call") {
        call(part, in);
        continue;
      }
      decide(part, i);
      const auto address =
          std::ranges::find(in.operands, ptx::OperandKind::address, &ptx::Operand::kind);
      if (address == in.operands.end() || (in.root() != "ld" && in.root() != "st")) {
        compute(part, in);
        continue;
      }
      std::optional<std::size_t> place;
      if (in.has("param"))
        place = place_of(part, *address);
      else if (in.has("local") ||
               (address->base == ptx::OperandKind::reg && part.is_local[address->id]))
        place = part.local;
      if (in.root() == "st") {
        if (place && in.operands.size() >= 2)
          ptx::visit_registers(in.operands[1],
                               [&](std::int32_t id) { join(*place, part.of_register(id)); });
        continue;
      }
      const auto load = load_of_[part.first_instruction + i];
      ptx::visit_defs(in, [&](std::int32_t id) {
        if (place)
          join(part.of_register(id), *place);
        else if (load >= 0)
          add_load(part.of_register(id), static_cast<std::size_t>(load));
      });
    }
  }

  /// A variable that has its value from one of several ways has it from what decided the way, too: `d = d || more;`.
  void decide(const Part& part, std::size_t i) {
    if (part.conditions(i).empty()) return;
    ptx::visit_defs(part.function->body[i], [&](std::int32_t to) {
      if (part.definitions[to] < 2) return;
      for (const auto condition : part.conditions(i))
        join(part.of_register(to), part.of_register(condition));
    });
  }

  /// Whatever else writes registers: the result comes from all that is read.
  void compute(Part& part, const ptx::Instruction& in) {
    bool local = std::ranges::any_of(in.operands, [&](const ptx::Operand& operand) {
      return operand.kind == ptx::OperandKind::symbol &&
             operand.symbol == ptx::SymbolKind::function_variable &&
             part.function->variables[operand.id].space == ptx::Space::local;
    });
    ptx::visit_defs(in, [&](std::int32_t to) {
      for (std::size_t k = 1; k < in.operands.size(); ++k)
        ptx::visit_registers(in.operands[k], [&](std::int32_t from) {
          join(part.of_register(to), part.of_register(from));
          local = local || part.is_local[from];
        });
      if (!local || part.is_local[to]) return;
      part.is_local[to] = true;
      changed_ = true;
    });
  }

  std::span<const simt::InstructionFacts> facts_;
  std::vector<Part> parts_;
  std::map<std::string_view, std::size_t> part_of_;
  std::vector<std::uint32_t> loads_;
  std::vector<std::int32_t> load_of_;  ///< by instruction
  std::size_t values_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;  ///< of each value, the loads that it comes from
  bool done_ = false;
  bool changed_ = false;  ///< by the last pass: the values could not be followed to the end
};

/// For each register the last instruction in the text that writes it.
std::vector<const ptx::Instruction*> makers_of(const ptx::Function& function) {
  std::vector<const ptx::Instruction*> makers(function.registers.size(), nullptr);
  for (const auto& in : function.body)
    ptx::visit_defs(in, [&](std::int32_t to) { makers[to] = &in; });
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
    const auto* made_by = makers[next[step]];
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
    std::ranges::sort(loads);
    loads.erase(std::ranges::unique(loads).begin(), loads.end());
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
      const auto index = part.first_instruction + i;
      if (!is_store(facts[index])) continue;
      const auto& in = part.function->body[i];
      const auto space = facts[index].space;
      Store store;
      ptx::visit_registers(in.operands[1], [&](std::int32_t id) {
        flow.loads_of(part, id, space, store.values);
        if (store.operation == UpdateOperation::other) store.operation = operation_of(makers, id);
      });
      if (in.guard >= 0) flow.loads_of(part, in.guard, space, store.conditions);
      for (const auto condition : part.conditions(i))
        flow.loads_of(part, condition, space, store.conditions);
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
  if (here == nullptr || load_of_[load] < 0) return false;
  const auto stores = [](const Store& one, std::uint32_t value) {
    return std::ranges::count(one.values, value) != 0;
  };
  const auto number = static_cast<std::uint32_t>(load_of_[load]);
  return !here->values.empty() && !stores(*here, number) &&
         std::ranges::any_of(stores_, [&](const Store& other) {
           return &other != here && stores(other, number) &&
                  std::ranges::none_of(here->values,
                                       [&](std::uint32_t value) { return stores(other, value); });
         });
}

}  // namespace labkit::observe
