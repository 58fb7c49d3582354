#include "observe/fixes.h"

#include <algorithm>

#include "observe/places.h"
#include "observe/race_paths.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using words::Id;

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

std::string fix_of_global(const launch::Finding& finding, const simt::Program& program) {
  if (!finding.array.name.empty() && finding.address < finding.array.begin) {
    const auto before = finding.array.begin - finding.address;
    if (narrow_bits(finding.where, program) == 16 &&
        before <= std::uint64_t{32768} * std::max(finding.access_bytes, 1u))
      return "let the index be an int: one of type short goes on at -32768 behind 32767";
    return kNotNegative;
  }
  return std::string("compare the index with the size of the array before this line") +
         (is_in_loop(finding.where, program) ? ", in each turn of the loop, also the last" : "") +
         ", and let threads outside do nothing (`<` or `<=`? `&&` or `||`?); ask about the very "
         "index that this line uses, and see that it is the right one";
}

/// An index below 0: the address is before the array, of a window it is no place at all.
bool is_before(const launch::Finding& finding) {
  return static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
}

std::string fix_of_shared(const launch::Finding& finding, const simt::Program& program) {
  if (is_before(finding)) return kNotNegative;
  const std::uint64_t elements =
      finding.access_bytes == 0 ? 0 : finding.array.bytes / finding.access_bytes;
  for (const auto& array : simt::facts(program).shared_arrays)
    if (source_name(array.name) == finding.array.name)
      return array.is_dynamic
                 ? "keep the index within the " + std::to_string(finding.array.bytes) +
                       " bytes that the launch gives " + finding.array.name +
                       (elements == 0 ? std::string()
                                      : ", which are " + std::to_string(elements) +
                                            " elements: an index counts elements")
                 : "keep the index below the size that " + finding.array.name +
                       " is declared with" +
                       (is_in_loop(finding.where, program) ? " (see the last turn of the loop)"
                                                           : "");
  return "keep the index within the shared memory that the block has";
}

std::string fix(const launch::Finding& finding, const simt::Program& program) {
  using enum launch::FindingKind;
  switch (finding.kind) {
    case out_of_bounds:
      if (finding.text.find("null pointer") != std::string::npos)
        return "see where the pointer gets its value: here it is null, or an index is used in its "
               "place";
      if (finding.space == "shared") return fix_of_shared(finding, program);
      if (finding.space == "local")
        return is_before(finding) ? kNotNegative
                                  : "keep the index below the size of the thread's own array";
      return fix_of_global(finding, program);
    case misaligned:
      return "begin vector accesses at multiples of their size only, and do the rest one by one";
    case barrier:
      return is_of_warp(finding.where, program)
                 ? std::string(
                       "let every lane that the mask names come by, or name only those that do")
                 : "put the barrier where all threads of the block come by" +
                       std::string(is_barrier_in_loop(finding.where, program)
                                       ? ", equally often (the turns of a loop, too)"
                                       : "") +
                       ", and only the work around it into the condition";
    case budget:
      switch (narrow_bits(finding.where, program)) {
        case 8:
          return std::string("count in an int: a number of 8 bits (char, unsigned char) ") +
                 kBeginsAnew + " (127 or 255), so that the loop never ends";
        case 16:
          return std::string("count in an int: a number of 16 bits (short) ") + kBeginsAnew +
                 " (32767 or 65535), so that the loop never ends";
        default:
          return "if a loop here never ends, change in each iteration what its condition tests";
      }
    case assertion:
      return "see for which values the condition does not hold, and how they came about";
    case trap:
      if (finding.text.find("Stack overflow") != std::string::npos)
        return "see that the recursion ends (each call must bring its condition nearer), or write "
               "it as a loop";
      if (waits_for_grid(finding.where, program))
        return "blocks can wait for one another (this_grid().sync()) only in a cooperative launch, "
               "which this is not: end the kernel here, and do the rest in a launch of its own";
      return "look for an access that can only go wrong, as through a null pointer, or __trap()";
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
  using launch::Access;
  // out of the text where that is not yet data: issue 21
  const bool atomic = finding.access == Access::atomic ||
                      finding.text.find(" atomic of size") != std::string::npos,
             write = finding.access == Access::write ||
                     finding.text.find(" write of size") != std::string::npos;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i];
    if (!stands_at(one, finding.where) || one.bytes_per_lane != finding.access_bytes) continue;
    if (atomic ? one.is_atomic : write ? one.is_store && !one.is_atomic : one.is_load)
      facts.from_memory = facts.from_memory || address_comes_from_memory(program, i);
  }
  return facts;
}

void add_fix(launch::Finding& finding, const simt::Program& program) {
  if (finding.fix || finding.text.find("\nFix: ") != std::string::npos) return;
  const std::string text = fix(finding, program);
  if (!text.empty()) finding.text += "\nFix: " + text + ".";
}

}  // namespace labkit::observe
