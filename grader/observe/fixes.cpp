#include <algorithm>

#include "observe/findings.h"
#include "observe/race_paths.h"
#include "observe/thread_values.h"
#include "ptx/passes.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Finding;
using simt::InstructionFacts;
using words::Id;
using words::Message;

/// Of what was brought in, the line that brought it in.
std::uint32_t line_of(const InstructionFacts& facts) {
  return facts.inlined_at.line != 0 ? facts.inlined_at.line : facts.location.line;
}

std::vector<std::uint32_t> instructions_at(const launch::SourceLine& where,
                                           const simt::Program& program) {
  std::vector<std::uint32_t> found;
  const auto all = simt::instructions(program);
  for (std::uint32_t i = 0; where.line != 0 && i < all.size(); ++i)
    if (line_of(all[i]) == where.line) found.push_back(i);
  return found;
}

bool is_access(const InstructionFacts& facts) {
  return facts.is_load || facts.is_store || facts.is_atomic;
}

/// At that line something is done by lanes together (a warp's barrier, a shuffle, a vote), and no barrier of the block.
bool is_of_warp(const launch::SourceLine& where, const simt::Program& program) {
  bool of_warp = false;
  for (const auto i : instructions_at(where, program)) {
    const auto& facts = simt::instructions(program)[i];
    if (facts.is_barrier) return false;
    of_warp = of_warp || (facts.text().has("sync") && !facts.is_load && !facts.is_store);
  }
  return of_warp;
}

/// At that line something is held in so few bits: 8 or 16; 0: nothing.
int narrow_bits(const launch::SourceLine& where, const simt::Program& program) {
  for (const auto i : instructions_at(where, program))
    if (const int bits = bits_kept(simt::instructions(program)[i].text())) return bits;
  return 0;
}

/// An address at that line is computed from a number of the thread that an earlier line has cut to 16 bits.
bool is_short_index(const launch::SourceLine& where, const simt::Program& program) {
  const auto all = simt::instructions(program);
  return std::ranges::any_of(instructions_at(where, program), [&](std::uint32_t i) {
    return (all[i].is_load || all[i].is_store) && address_bits(program, i) == 16;
  });
}

bool is_in_loop(const launch::SourceLine& where, const simt::Program& program) {
  for (const auto i : instructions_at(where, program))
    if (is_access(simt::instructions(program)[i])) return RacePaths(program).comes_again(i);
  return false;
}

Id fix_of_barrier(const launch::SourceLine& where, const simt::Program& program) {
  const RacePaths paths(program);
  for (const auto i : instructions_at(where, program))
    if (simt::instructions(program)[i].is_barrier && paths.leads_to(i, i))
      return paths.loop_ends_apart(i) ? Id::barrier_fix_out_of_loop
                                      : Id::barrier_fix_all_iterations;
  return Id::barrier_fix_all_threads;
}

/// Of the trap that ended the kernel, the header whose function has it; empty: it is the student's own, or none.
std::string_view header_of_trap(const launch::SourceLine& where, const simt::Program& program) {
  const auto& files = simt::module_of(program).files;
  for (const auto& facts : simt::instructions(program)) {
    const bool is_there =
        (where.line != 0 && line_of(facts) == where.line) || facts.line_is_of_caller;
    const auto& in = facts.text();
    const std::uint32_t file = in.header != 0 ? in.header : facts.location.file;
    if (in.root() != "trap" || !is_there || file >= files.size()) continue;
    const std::string_view path = files[file];
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    if (name.ends_with(".h")) return name;
  }
  return {};
}

bool asks_for_grid(const simt::Program& program) {
  return std::ranges::any_of(simt::instructions(program), [](const InstructionFacts& facts) {
    return std::ranges::any_of(facts.text().operands,
                               [](const auto& operand) { return operand.name == "%envreg1"; });
  });
}

Message fix_of_trap(const Finding& finding, const simt::Program& program) {
  if (finding.cause == Cause::trap_stack_overflow) return {Id::trap_fix_recursion};
  const std::string_view header = header_of_trap(finding.where, program);
  if (header.starts_with("cuda_pipeline")) return {Id::trap_fix_copy_size};
  // there a group of cooperative groups stops the kernel that is to wait for its whole grid
  if (header == "cooperative_groups.h" && asks_for_grid(program)) return {Id::trap_fix_grid_sync};
  return {Id::trap_fix_look};
}

Message fix_of_global(const Finding& finding, const simt::Program& program) {
  if (!finding.array.name.empty() && finding.address < finding.array.begin) {
    constexpr std::uint64_t kWidestStructure = 256;  // bytes
    const auto before = finding.array.begin - finding.address;
    const bool is_short =
        before <= 32768 * kWidestStructure &&
        (narrow_bits(finding.where, program) == 16 || is_short_index(finding.where, program));
    return {is_short ? Id::bounds_fix_short_index : Id::bounds_fix_negative};
  }
  return {is_in_loop(finding.where, program) ? Id::bounds_fix_compare_in_loop
                                             : Id::bounds_fix_compare};
}

/// An index below 0: the address is before the array, of a window it is no place at all.
bool is_before(const Finding& finding) {
  return static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
}

Message fix_of_shared(const Finding& finding, const simt::Program& program) {
  if (is_before(finding)) return {Id::bounds_fix_negative};
  const auto& arrays = simt::facts(program).shared_arrays;
  const auto declared = std::ranges::find(
      arrays, finding.array.name, [](const auto& array) { return source_name(array.name); });
  if (declared == arrays.end()) return {Id::bounds_fix_shared};
  const words::Parameter array{"array", finding.array.name},
      size{"size", words::count(finding.array.bytes)};
  if (!declared->is_dynamic)
    return {is_in_loop(finding.where, program) ? Id::bounds_fix_declared_size_in_loop
                                               : Id::bounds_fix_declared_size,
            {array}};
  const std::uint64_t elements =
      finding.access_bytes == 0 ? 0 : finding.array.bytes / finding.access_bytes;
  if (finding.array.bytes == 0) return {Id::bounds_fix_no_dynamic, {array}};
  if (elements == 0) return {Id::bounds_fix_dynamic, {array, size}};
  return {Id::bounds_fix_dynamic_elements, {array, size, {"elements", words::count(elements)}}};
}

/// The fix of a loop, by the type that it counts in, which is then evidence.
Message fix_of_budget(Finding& finding, const simt::Program& program) {
  const int bits = narrow_bits(finding.where, program);
  if (bits == 0) return {Id::budget_fix_endless};
  finding.cause = Cause::budget_narrow_counter;
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  finding.evidence.push_back(
      {Id::budget_narrow_counter,
       {{"bits", std::int64_t{bits}}, {"signed_most", most / 2}, {"unsigned_most", most}}});
  return {Id::budget_fix_count_in_int};
}

Message fix_of(Finding& finding, const simt::Program& program) {
  using enum launch::FindingKind;
  switch (finding.kind) {
    case out_of_bounds:
      if (finding.cause == Cause::out_of_bounds_null_pointer) return {Id::bounds_fix_null};
      if (finding.cause == Cause::out_of_bounds_freed) return {Id::bounds_fix_freed};
      if (finding.cause == Cause::out_of_bounds_host_pointer) return {Id::bounds_fix_host};
      if (finding.space == "shared") return fix_of_shared(finding, program);
      if (finding.space == "local")
        return {is_before(finding) ? Id::bounds_fix_negative : Id::bounds_fix_local};
      return fix_of_global(finding, program);
    case misaligned:
      return {Id::misaligned_fix};
    case barrier:
      if (is_of_warp(finding.where, program)) {
        finding.cause = Cause::barrier_mask;
        return {Id::barrier_fix_named_lanes};
      }
      return {fix_of_barrier(finding.where, program)};
    case budget:
      return fix_of_budget(finding, program);
    case assertion:
      return {Id::assertion_fix};
    case trap:
      return fix_of_trap(finding, program);
    case race:
    case uninitialized:
    case unsupported:
    case launch:
      return {};
  }
  return {};
}

/// An endless loop is named by its first line, that of `for` or `while`; a warp was found somewhere in it.
void name_loop(Finding& finding, const simt::Program& program) {
  const auto found = instructions_at(finding.where, program);
  if (found.empty() || finding.evidence.empty() || finding.evidence[0].id != Id::budget_endless)
    return;
  const auto all = simt::instructions(program);
  const auto& here = all[found.front()];
  const auto loops = ptx::loops_around(*here.function, ptx::control_flow(*here.function));
  const auto loop = loops[here.body_index];
  auto first = finding.where;
  for (const auto& one : all)
    if (one.function == here.function && one.body_index >= loop.first &&
        one.body_index < loop.last && one.inlined_at.line == 0 && !one.line_is_of_caller &&
        one.location.file == here.location.file && one.location.line != 0)
      first.line = std::min(first.line, one.location.line);
  for (words::Parameter& parameter : finding.evidence[0].parameters)
    if (parameter.name == "line") parameter.value = first;
}

}  // namespace

void name_rows_of_dynamic(Finding& finding, const launch::Launch& launch) {
  if (finding.fix.id != Id::bounds_fix_dynamic_elements) return;
  constexpr std::uint64_t kMostPadding = 4;
  const std::uint64_t elements = finding.array.bytes / finding.access_bytes, rows = launch.block.y;
  if (rows < 2 || elements % rows != 0) return;
  const std::uint64_t pitch = elements / rows;
  if (pitch < launch.block.x || pitch > launch.block.x + kMostPadding) return;
  const std::uint64_t padding = pitch - launch.block.x;
  finding.fix = {
      Id::bounds_fix_dynamic_rows,
      {with("array", finding.array.name),
       with("size", finding.array.bytes),
       with("rows", rows),
       with("pitch", pitch),
       {"block", fmt::format("{} x {} threads", launch.block.x, launch.block.y)},
       {"dimension", padding == 0 ? "blockDim.x" : fmt::format("blockDim.x + {}", padding)}}};
}

void refit_unwritten(Finding& finding, const simt::Program& program) {
  if (finding.kind != launch::FindingKind::uninitialized) return;
  if (finding.cause == Cause::uninitialized_shared && !finding.array.name.empty() &&
      finding.access_bytes != 0 && finding.array.bytes == finding.access_bytes)
    finding.fix = {Id::undefined_fix_shared_variable, {{"array", finding.array.name}}};
  if (finding.cause != Cause::uninitialized_not_shared) return;
  const auto all = simt::instructions(program);
  launch::SourceLine line;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_store || all[i].space != ptx::Space::local || !picks_element(program, i))
      continue;
    if (address_differs_by_thread(program, i)) return;  // each has a place in what all share
    line = {finding.where.file, line_of(all[i])};
  }
  if (line.line == 0) return;
  finding.cause = Cause::uninitialized_variable;
  finding.fix = {Id::undefined_fix_own_array_in_part, {{"line", line}}};
}

IndexFacts index_facts(const Finding& finding, const simt::Program& program) {
  IndexFacts facts;
  const auto all = simt::instructions(program);
  if (finding.kind == launch::FindingKind::race && finding.hazard == "WAW" &&
      finding.space == "global")
    for (const auto i : instructions_at(finding.where, program))
      if (all[i].is_store && facts.bits == 0) facts.bits = address_bits(program, i);
  if (finding.kind != launch::FindingKind::out_of_bounds) return facts;
  facts.in_loop = is_in_loop(finding.where, program);
  for (const auto i : instructions_at(finding.where, program)) {
    const bool is_it = finding.access == launch::Access::atomic  ? all[i].is_atomic
                       : finding.access == launch::Access::write ? all[i].is_store
                                                                 : all[i].is_load;
    for (std::uint32_t k = i + 1; is_it && k < all.size() && facts.barrier.line == 0; ++k)
      if (all[k].is_barrier && all[k].function == all[i].function &&
          RacePaths(program).leads_to(i, k))
        facts.barrier = {finding.where.file, line_of(all[k])};
    if (is_it && all[i].bytes_per_lane == finding.access_bytes)
      facts.from_memory = facts.from_memory || address_comes_from_memory(program, i);
  }
  return facts;
}

void add_fix(Finding& finding, const simt::Program& program) {
  name_loop(finding, program);
  if (!finding.fix) finding.fix = fix_of(finding, program);
}

}  // namespace labkit::observe
