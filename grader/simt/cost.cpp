#include "simt/cost.h"

#include <string_view>

#include "simt/instruction_table.h"
#include "simt/program.h"
#include "simt/spaces.h"

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

std::uint32_t units_of(const Op& op, const Program& program, const InstructionRow* row) {
  switch (op.kind) {
    case OpKind::lanes32:
    case OpKind::lanes64:
    case OpKind::mask:
    case OpKind::set_predicate:
    case OpKind::set_predicate_pair:
    case OpKind::set_value:
      return row == nullptr ? 1 : lane_units(*row);
    case OpKind::carry:
      return 11;
    case OpKind::pack:
    case OpKind::unpack:
      return 6;
    case OpKind::local_address:
    case OpKind::is_space:
      return 4;
    case OpKind::load:
    case OpKind::store:
      return access_units(program.memory_ops[op.aux]);
    case OpKind::atomic:
      return 70;
    case OpKind::async_copy:
      return 95;
    case OpKind::parameter_load:
    case OpKind::parameter_store:
      return 8;
    case OpKind::shuffle:
      return 22;
    case OpKind::vote:
    case OpKind::elect:
    case OpKind::warp_barrier:
      return 12;
    case OpKind::match:
      return 100;
    case OpKind::redux:
      return 150;
    case OpKind::barrier:
      return 10;
    case OpKind::fence:
    case OpKind::sleep:
      return 4;
    case OpKind::ret:
      return 20;
    default:
      return 1;
  }
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

}  // namespace labkit::simt
