#include <algorithm>

#include "observe/findings.h"
#include "observe/places.h"
#include "observe/race_paths.h"
#include "observe/thread_values.h"
#include "ptx/passes.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using words::Id;
using words::Message;

/// At that line something is done by lanes together (a warp's barrier, a shuffle, a vote), and no barrier of the block.
bool is_of_warp(const launch::SourceLine& where, const simt::Program& program) {
  bool of_warp = false;
  for (const auto& facts : simt::instructions(program)) {
    const auto line = facts.inlined_at.line != 0 ? facts.inlined_at.line : facts.location.line;
    if (line != where.line || where.line == 0) continue;
    if (facts.is_barrier) return false;
    const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
    of_warp = of_warp || (in.has("sync") && !facts.is_load && !facts.is_store);
  }
  return of_warp;
}

bool stands_at(const simt::InstructionFacts& facts, const launch::SourceLine& where) {
  const auto line = facts.inlined_at.line != 0 ? facts.inlined_at.line : facts.location.line;
  return line == where.line && where.line != 0;
}

/// At that line something is held in so few bits: 8 or 16; 0: nothing.
int narrow_bits(const launch::SourceLine& where, const simt::Program& program) {
  for (const auto& facts : simt::instructions(program)) {
    if (!stands_at(facts, where)) continue;
    const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
    const bool cuts = in.root() == "and" && in.operands.size() == 3 &&
                      in.operands[2].kind == ptx::OperandKind::immediate;
    const auto kept = cuts ? in.operands[2].bits : 0;
    const bool converts = in.root() == "cvt";
    if (kept == 0xFF || (converts && (in.has("u8") || in.has("s8")))) return 8;
    if (kept == 0xFFFF || (converts && (in.has("u16") || in.has("s16")))) return 16;
  }
  return 0;
}

/// An address at that line is computed from a number of the thread that an earlier line has cut to 16 bits.
bool is_short_index(const launch::SourceLine& where, const simt::Program& program) {
  const auto all = simt::instructions(program);
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (stands_at(all[i], where) && (all[i].is_load || all[i].is_store))
      if (address_bits(program, i) == 16) return true;
  return false;
}

bool is_in_loop(const launch::SourceLine& where, const simt::Program& program) {
  const auto instructions = simt::instructions(program);
  const RacePaths paths(program);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (stands_at(instructions[i], where) &&
        (instructions[i].is_load || instructions[i].is_store || instructions[i].is_atomic))
      return paths.comes_again(i);
  return false;
}

bool is_barrier_in_loop(const launch::SourceLine& where, const simt::Program& program) {
  const auto instructions = simt::instructions(program);
  const RacePaths paths(program);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (stands_at(instructions[i], where) && instructions[i].is_barrier)
      return paths.leads_to(i, i);
  return false;
}

/// There a group of cooperative groups stops the kernel that is to wait for its whole grid.
bool waits_for_grid(const launch::SourceLine& where, const simt::Program& program) {
  const auto& files = simt::module_of(program).files;
  bool asks = false, stops = false;
  for (const auto& facts : simt::instructions(program)) {
    const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
    for (const auto& operand : in.operands) asks = asks || operand.name == "%envreg1";
    stops = stops || (in.root() == "trap" && facts.location.file < files.size() &&
                      files[facts.location.file].ends_with("cooperative_groups.h") &&
                      (stands_at(facts, where) || facts.line_is_of_caller));
  }
  return asks && stops;
}

Message fix_of_global(const launch::Finding& finding, const simt::Program& program) {
  if (!finding.array.name.empty() && finding.address < finding.array.begin) {
    const auto before = finding.array.begin - finding.address;
    if (before <= std::uint64_t{32768} * std::max(finding.access_bytes, 1u) &&
        (narrow_bits(finding.where, program) == 16 || is_short_index(finding.where, program)))
      return {Id::bounds_fix_short_index};
    return {Id::bounds_fix_negative};
  }
  return {is_in_loop(finding.where, program) ? Id::bounds_fix_compare_in_loop
                                             : Id::bounds_fix_compare};
}

/// An index below 0: the address is before the array, of a window it is no place at all.
bool is_before(const launch::Finding& finding) {
  return static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
}

Message fix_of_shared(const launch::Finding& finding, const simt::Program& program) {
  if (is_before(finding)) return {Id::bounds_fix_negative};
  const std::uint64_t elements =
      finding.access_bytes == 0 ? 0 : finding.array.bytes / finding.access_bytes;
  const words::Parameter array{"array", finding.array.name},
      size{"size", words::count(finding.array.bytes)};
  for (const auto& one : simt::facts(program).shared_arrays) {
    if (source_name(one.name) != finding.array.name) continue;
    if (!one.is_dynamic)
      return {is_in_loop(finding.where, program) ? Id::bounds_fix_declared_size_in_loop
                                                 : Id::bounds_fix_declared_size,
              {array}};
    if (elements == 0) return {Id::bounds_fix_dynamic, {array, size}};
    return {Id::bounds_fix_dynamic_elements, {array, size, {"elements", words::count(elements)}}};
  }
  return {Id::bounds_fix_shared};
}

/// The fix of a loop, by the type that it counts in, which is then evidence.
Message fix_of_budget(launch::Finding& finding, const simt::Program& program) {
  const int bits = narrow_bits(finding.where, program);
  if (bits == 0) return {Id::budget_fix_endless};
  finding.cause = launch::Cause::budget_narrow_counter;
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  finding.evidence.push_back(
      {Id::budget_narrow_counter,
       {{"bits", std::int64_t{bits}}, {"signed_most", most / 2}, {"unsigned_most", most}}});
  return {Id::budget_fix_count_in_int};
}

Message fix(launch::Finding& finding, const simt::Program& program) {
  using enum launch::FindingKind;
  switch (finding.kind) {
    case out_of_bounds:
      if (finding.cause == launch::Cause::out_of_bounds_null_pointer) return {Id::bounds_fix_null};
      if (finding.space == "shared") return fix_of_shared(finding, program);
      if (finding.space == "local")
        return {is_before(finding) ? Id::bounds_fix_negative : Id::bounds_fix_local};
      return fix_of_global(finding, program);
    case misaligned:
      return {Id::misaligned_fix};
    case barrier:
      if (is_of_warp(finding.where, program)) {
        finding.cause = launch::Cause::barrier_mask;
        return {Id::barrier_fix_named_lanes};
      }
      return {is_barrier_in_loop(finding.where, program) ? Id::barrier_fix_all_iterations
                                                         : Id::barrier_fix_all_threads};
    case budget:
      return fix_of_budget(finding, program);
    case assertion:
      return {Id::assertion_fix};
    case trap:
      if (finding.cause == launch::Cause::trap_stack_overflow) return {Id::trap_fix_recursion};
      return {waits_for_grid(finding.where, program) ? Id::trap_fix_grid_sync : Id::trap_fix_look};
    case race:
    case uninitialized:
    case unsupported:
    case launch:
      return {};
  }
  return {};
}

}  // namespace

void refit_unwritten(launch::Finding& finding, const simt::Program& program) {
  if (finding.kind != launch::FindingKind::uninitialized) return;
  if (finding.cause == Cause::uninitialized_shared && !finding.array.name.empty() &&
      finding.access_bytes != 0 && finding.array.bytes == finding.access_bytes)
    finding.fix = {Id::undefined_fix_shared_variable, {{"array", finding.array.name}}};
  if (finding.cause != Cause::uninitialized_not_shared) return;
  const auto instructions = simt::instructions(program);
  launch::SourceLine line;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const auto& one = instructions[i];
    if (!one.is_store || one.space != ptx::Space::local || !picks_element(program, i)) continue;
    if (address_differs_by_thread(program, i)) return;  // each has a place in what all share
    line = {finding.where.file, one.inlined_at.line != 0 ? one.inlined_at.line : one.location.line};
  }
  if (line.line == 0) return;
  finding.cause = Cause::uninitialized_variable;
  finding.fix = {Id::undefined_fix_own_array_in_part, {{"line", line}}};
}

IndexFacts index_facts(const launch::Finding& finding, const simt::Program& program) {
  IndexFacts facts;
  const auto all = simt::instructions(program);
  if (finding.kind == launch::FindingKind::race && finding.hazard == "WAW" &&
      finding.space == "global")
    for (std::uint32_t i = 0; i < all.size() && facts.bits == 0; ++i)
      if (stands_at(all[i], finding.where) && all[i].is_store)
        facts.bits = address_bits(program, i);
  if (finding.kind != launch::FindingKind::out_of_bounds) return facts;
  facts.in_loop = is_in_loop(finding.where, program);
  const bool atomic = finding.access == launch::Access::atomic,
             write = finding.access == launch::Access::write;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i];
    if (!stands_at(one, finding.where) || one.bytes_per_lane != finding.access_bytes) continue;
    if (atomic ? one.is_atomic : write ? one.is_store && !one.is_atomic : one.is_load)
      facts.from_memory = facts.from_memory || address_comes_from_memory(program, i);
  }
  return facts;
}

namespace {

/// An endless loop is named by its first line, that of `for` or `while`; a warp was found somewhere in it.
void name_loop(launch::Finding& finding, const simt::Program& program) {
  if (finding.evidence.empty() || finding.evidence[0].id != Id::budget_endless) return;
  const auto all = simt::instructions(program);
  for (std::size_t begin = 0; begin < all.size();) {
    const auto* function = all[begin].function;
    std::size_t end = begin;
    while (end < all.size() && all[end].function == function) ++end;
    const auto loops = ptx::loops_around(*function, ptx::control_flow(*function));
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(all[i].body_index);
      if (!stands_at(all[i], finding.where) || at >= loops.size()) continue;
      auto first = finding.where;
      for (std::size_t k = begin; k < end; ++k) {
        const auto& one = all[k];
        const bool is_inside = one.body_index >= loops[at].first && one.body_index < loops[at].last;
        if (is_inside && one.inlined_at.line == 0 && !one.line_is_of_caller &&
            one.location.file == all[i].location.file && one.location.line != 0)
          first.line = std::min(first.line, one.location.line);
      }
      for (words::Parameter& parameter : finding.evidence[0].parameters)
        if (parameter.name == "line") parameter.value = first;
      return;
    }
    begin = end;
  }
}

}  // namespace

void add_fix(launch::Finding& finding, const simt::Program& program) {
  name_loop(finding, program);
  if (!finding.fix) finding.fix = fix(finding, program);
}

}  // namespace labkit::observe
