#include <algorithm>
#include <map>
#include <tuple>

#include "ptx/defs.h"
#include "ptx/passes.h"
#include "ptx/trailing_zeros.h"

namespace labkit::ptx {
namespace {

bool in_shared(const Instruction& instruction) {
  return instruction.has("shared") || instruction.has("shared::cta");
}

/// A plain, unguarded access of one 4-byte value.
bool mergeable(const Instruction& instruction) {
  if (instruction.guard >= 0 || instruction.parts.size() != 3 || instruction.operands.size() != 2 ||
      !in_shared(instruction))
    return false;
  const auto type = type_from_name(instruction.parts.back());
  return type && size_bytes(*type) == 4;
}

class Merger {
 public:
  Merger(const Function& function, const std::vector<std::int64_t>& shared_offset_of,
         const std::vector<std::int64_t>& module_shared_offset_of)
      : function_(function),
        zeros_(function, shared_offset_of, module_shared_offset_of),
        version_(function.registers.size(), 0) {
    merges_.group_of.assign(function.body.size(), -1);
  }

  SharedMerges run(const ControlFlow& flow) {
    for (const BasicBlock& block : flow.blocks) {
      for (std::int32_t i = block.first; i < block.last; ++i) step(i);
      flush(loads_);
      flush(stores_);
    }
    return std::move(merges_);
  }

 private:
  // Accesses with one base, which is a register (as defined at that point), a symbol or an absolute
  // address.
  using Base = std::tuple<OperandKind, SymbolKind, std::int32_t, std::uint32_t>;
  using Pending =
      std::map<Base, std::vector<std::pair<std::int64_t, std::int32_t>>>;  // offset, instruction

  void step(std::int32_t index) {
    const Instruction& instruction = function_.body[static_cast<std::size_t>(index)];
    const std::string_view root = instruction.root();
    const bool generic = !in_shared(instruction) && !instruction.has("global") &&
                         !instruction.has("local") && !instruction.has("param") &&
                         !instruction.has("const");
    const bool touches = in_shared(instruction) || generic;
    if (root == "ld" || root == "ldu" || root == "ldmatrix") {
      if (touches) flush(stores_);
      if (root == "ld" && mergeable(instruction)) add(loads_, instruction.operands.back(), index);
    } else if (root == "st" || root == "stmatrix") {
      if (touches) flush(loads_);
      if (root == "st" && mergeable(instruction)) add(stores_, instruction.operands.front(), index);
    } else if (root == "bar" || root == "barrier" || root == "membar" || root == "fence" ||
               root == "call" || root == "mbarrier" || root == "cp" ||
               ((root == "atom" || root == "red") && touches)) {
      flush(loads_);
      flush(stores_);
    }
    visit_defs(instruction, [&](std::int32_t id) { ++version_[static_cast<std::size_t>(id)]; });
  }

  void add(Pending& pending, const Operand& address, std::int32_t index) {
    if (address.kind != OperandKind::address) return;
    if (address.base == OperandKind::reg) {
      pending[{address.base, SymbolKind::none, address.id,
               version_[static_cast<std::size_t>(address.id)]}]
          .emplace_back(address.offset, index);
    } else if (address.base == OperandKind::symbol) {
      pending[{address.base, address.symbol, address.id, 0}].emplace_back(address.offset, index);
    }
  }

  void flush(Pending& pending) {
    for (auto& [base, accesses] : pending) {
      const auto& [kind, symbol, id, version] = base;
      int known = 0;
      if (kind == OperandKind::reg) {
        known = zeros_.of_register(id);
      } else {
        Operand operand;
        operand.symbol = symbol;
        operand.id = id;
        known = zeros_.of_symbol(operand);
      }
      std::stable_sort(accesses.begin(), accesses.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      // Of several accesses to one address only the first can join.
      accesses.erase(std::unique(accesses.begin(), accesses.end(),
                                 [](const auto& a, const auto& b) { return a.first == b.first; }),
                     accesses.end());
      for (std::size_t i = 0; i < accesses.size();) i += join(accesses, i, known);
    }
    pending.clear();
  }

  std::size_t join(const std::vector<std::pair<std::int64_t, std::int32_t>>& accesses,
                   std::size_t first, int known) {
    constexpr std::pair<std::size_t, int> kWidths[] = {{4, 4}, {2, 3}};  // words, zero bits
    for (const auto& [words, bits] : kWidths) {
      if (known < bits || (accesses[first].first & ((1 << bits) - 1)) != 0 ||
          first + words > accesses.size())
        continue;
      bool neighbours = true;
      for (std::size_t k = 1; k < words; ++k)
        neighbours = neighbours && static_cast<std::uint64_t>(accesses[first + k].first) -
                                           static_cast<std::uint64_t>(accesses[first].first) ==
                                       4 * k;
      if (!neighbours) continue;
      MergedAccess group;
      group.representative = accesses[first].second;
      for (std::size_t k = 0; k < words; ++k) {
        group.members.push_back(accesses[first + k].second);
        group.representative = std::min(group.representative, accesses[first + k].second);
        merges_.group_of[static_cast<std::size_t>(accesses[first + k].second)] =
            static_cast<std::int32_t>(merges_.groups.size());
      }
      merges_.groups.push_back(std::move(group));
      return words;
    }
    return 1;
  }

  const Function& function_;
  TrailingZeros zeros_;
  std::vector<std::uint32_t> version_;
  Pending loads_;
  Pending stores_;
  SharedMerges merges_;
};

}  // namespace

SharedMerges merge_shared_accesses(const Function& function, const ControlFlow& flow,
                                   const std::vector<std::int64_t>& shared_offset_of,
                                   const std::vector<std::int64_t>& module_shared_offset_of) {
  return Merger(function, shared_offset_of, module_shared_offset_of).run(flow);
}

}  // namespace labkit::ptx
