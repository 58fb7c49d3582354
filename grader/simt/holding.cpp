#include "simt/holding.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace labkit::simt {
namespace {

bool names(const ptx::Operand& operand, std::string_view name) {
  if (operand.symbol != ptx::SymbolKind::none && operand.name == name) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return names(element, name); });
}

launch::SourceLine first_use_in(const ptx::Module& module, const ptx::Function& function,
                                std::string_view name) {
  for (const auto& in : function.body) {
    const bool named =
        std::any_of(in.operands.begin(), in.operands.end(),
                    [&](const ptx::Operand& operand) { return names(operand, name); });
    if (!named || in.location.line == 0 || in.location.file >= module.files.size()) continue;
    return {module.files[in.location.file], in.location.line};
  }
  return {};
}

/// Of the function with the largest frame: its largest local variable.
launch::SourceLine largest_local(const Program& program) {
  const ptx::Function* function = nullptr;
  const ptx::Variable* largest = nullptr;
  std::unordered_set<std::string_view> used;
  for (const auto& code : program.functions) used.insert(code.name);
  for (const auto& candidate : program.module->functions) {
    if (!used.contains(candidate.name)) continue;
    for (const auto& variable : candidate.variables)
      if (variable.space == ptx::Space::local &&
          (largest == nullptr || variable.size_bytes > largest->size_bytes)) {
        function = &candidate;
        largest = &variable;
      }
  }
  if (largest == nullptr) return {};
  return first_use_in(*program.module, *function, largest->name);
}

std::int64_t mebibytes(std::uint64_t bytes) {
  return static_cast<std::int64_t>((bytes + (1u << 20) - 1) >> 20);
}

}  // namespace

launch::SourceLine first_use(const ptx::Module& module, const ptx::Variable& variable) {
  for (const auto& function : module.functions)
    if (auto where = first_use_in(module, function, variable.name); where.line != 0) return where;
  return {};
}

BlockBytes block_bytes(const Program& program, std::uint32_t warps, std::uint64_t shared_bytes) {
  const std::uint64_t lanes = std::uint64_t{warps} * kLanes;
  // and of each register what a warp that is affine knows of it (affine.h)
  const std::uint64_t registers = program.register_bytes + program.register_bytes / 8;
  return {.registers = std::uint64_t{warps} * registers,
          .parameters = lanes * program.parameter_bytes_per_lane,
          .local = lanes * program.facts.local_bytes_per_thread,
          .shared = shared_bytes};
}

std::optional<TooMuch> too_much(const Program& program, const launch::Launch& launch,
                                const BlockBytes& bytes) {
  if (bytes.sum() <= kMostBlockBytes) return std::nullopt;
  using words::Id;
  TooMuch refusal;
  refusal.why = {{Id::launch_block_memory,
                  {{"block", launch::to_string(launch.block)},
                   {"mebibytes", mebibytes(bytes.sum())},
                   {"most", mebibytes(kMostBlockBytes)}}}};
  const auto most_is = [&](Id id, std::uint64_t each) {
    refusal.why.push_back({id, {{"bytes", words::count(each)}}});
  };
  if (bytes.local >= bytes.registers && bytes.local >= bytes.parameters) {
    refusal.where = largest_local(program);
    most_is(Id::launch_local_arrays, program.facts.local_bytes_per_thread);
    if (refusal.where.line != 0)
      refusal.why.push_back({Id::launch_first_used, {{"line", refusal.where}}});
  } else if (bytes.registers >= bytes.parameters) {
    most_is(Id::launch_local_registers, program.register_bytes / kLanes);
  } else {
    most_is(Id::launch_call_arguments, program.parameter_bytes_per_lane);
  }
  return refusal;
}

}  // namespace labkit::simt
