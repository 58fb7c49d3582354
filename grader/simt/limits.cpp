#include "simt/limits.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "simt/access.h"
#include "simt/instruction_table.h"

namespace labkit::simt {
namespace {

struct Weight {
  std::string_view prefix;  ///< of the row's id
  std::uint32_t units;
};

/// Functions of lanes that take longer than a plain instruction; the first that fits.
constexpr Weight kWeights[] = {
    {"div_full_f32", 1}, {"div_approx", 2}, {"div_f32", 2}, {"div_f64", 3},   {"div_", 9},
    {"rem_", 9},         {"rcp_", 4},       {"sqrt_", 3},   {"rsqrt_", 5},    {"sin_", 19},
    {"cos_", 19},        {"ex2_f32", 10},   {"lg2_", 11},   {"tanh_f32", 34}, {"fma_f64", 5},
    {"mad_f64", 5},      {"add_f64", 2},    {"min_f64", 2}, {"max_f64", 2},   {"fns", 27},
    {"popc", 3},         {"prmt", 3},       {"bfi", 3},     {"brev", 2},      {"clz", 2},
    {"bfind", 3},        {"mul_hi_", 2},    {"mad_hi_", 3},
};

/// Half precision is computed in single precision, lane by lane and half by half.
std::uint32_t half_units(std::string_view id) {
  const bool pair = id.find("x2") != std::string_view::npos;
  for (const std::string_view cheap : {"min_", "max_", "neg_", "abs_"})
    if (id.starts_with(cheap)) return pair ? 3 : 2;
  if (id.starts_with("tanh_") || id.starts_with("ex2_")) return pair ? 105 : 53;
  return pair ? 63 : 32;
}

std::uint32_t lane_units(const InstructionRow& row) {
  if (row.chapter == Chapter::half) return half_units(row.id);
  if (row.chapter == Chapter::compare) return row.id.find("f16") != std::string_view::npos ? 6 : 1;
  if (row.chapter == Chapter::convert)
    return row.id.find("f16") != std::string_view::npos ||
                   row.id.find("8_f") != std::string_view::npos
               ? 13
               : 6;
  for (const Weight& weight : kWeights)
    if (row.id.starts_with(weight.prefix)) return weight.units;
  return 1;
}

std::uint32_t access_units(const MemoryOp& memory) {
  switch (memory.space) {
    case kSharedSpace:
      return 2 * memory.count;
    case kLocalSpace:
      return 20;
    case kGenericSpace:
      return 10;
    default:
      return 12 + 8 * memory.count;
  }
}

/// Accesses are charged while they run, too, as all those lane by lane.
std::uint32_t matrix_units(const MatrixOp& matrix) {
  if (matrix.kind != MatrixOp::Kind::multiply) return 100;
  return matrix.a.rows * matrix.a.columns * matrix.b.columns / 10 + 100;
}

std::uint32_t units_of(const Op& op, const Program& program, const InstructionRow* row) {
  static constexpr std::uint32_t kUnits[] = {
#define KIND(name, units, has_effect) units,
#include "simt/op_kinds.def"
#undef KIND
  };
  if (has_row(op.kind)) return row == nullptr ? 1 : lane_units(*row);
  if (op.kind == OpKind::load || op.kind == OpKind::store)
    return access_units(program.memory_ops[op.aux]);
  if (op.kind == OpKind::matrix) return matrix_units(program.matrices[op.target]);
  return kUnits[static_cast<std::size_t>(op.kind)];
}

}  // namespace

std::uint32_t cost_of(const Op& op, const Program& program, const InstructionRow* row) {
  return static_cast<std::uint32_t>(slots(units_of(op, program, row)));
}

std::uint64_t spread_cost(const std::uint64_t* addresses, std::uint32_t mask, bool shared) {
  std::uint64_t steps = 0, before = addresses[0] >> 5;
  for (int i = 1; i < kLanes; ++i) {
    const std::uint64_t sector = addresses[i] >> 5;
    steps += (mask >> i & 1) != 0 && sector - before > 1 ? 1 : 0;  // up by one is no leap
    before = sector;
  }
  return slots(steps * (shared ? 2 : 11));
}

std::uint64_t call_cost(std::uint32_t depth, std::uint64_t saved_bytes) {
  return slots(130 + depth / 4 + saved_bytes / 64);
}

std::uint64_t block_cost(std::uint32_t warps, std::uint64_t cleared_bytes) {
  return slots(100 + std::uint64_t{5} * warps + cleared_bytes / 32);
}

namespace {

bool names(const ptx::Operand& operand, std::string_view name) {
  if (operand.symbol != ptx::SymbolKind::none && operand.name == name) return true;
  return std::ranges::any_of(operand.elements,
                             [&](const ptx::Operand& element) { return names(element, name); });
}

launch::SourceLine first_use_in(const ptx::Module& module, const ptx::Function& function,
                                std::string_view name) {
  for (const auto& in : function.body) {
    if (std::ranges::any_of(in.operands,
                            [&](const ptx::Operand& operand) { return names(operand, name); }))
      if (auto where = line_at(module, in.location); where.line != 0) return where;
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
