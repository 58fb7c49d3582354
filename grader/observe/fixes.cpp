#include "observe/fixes.h"

#include <algorithm>

#include "observe/places.h"

namespace labkit::observe {
namespace {

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

std::string fix_of_shared(const launch::Finding& finding, const simt::Program& program) {
  for (const auto& array : simt::facts(program).shared_arrays)
    if (source_name(array.name) == finding.array.name)
      return array.is_dynamic
                 ? "keep the index within the " + std::to_string(finding.array.bytes) +
                       " bytes that the launch gives " + finding.array.name
                 : "keep the index below the size that " + finding.array.name +
                       " is declared with (see the last turn of the loop, and the condition)";
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
        return "keep the index below the size of the thread's own array";
      return "compare the index with the size of the array before this line, and let threads "
             "outside do "
             "nothing";
    case misaligned:
      return "begin vector accesses at multiples of their size only, and do the rest one by one";
    case barrier:
      return is_of_warp(finding.where, program)
                 ? "let every lane that the mask names come by, or name only those that do"
                 : "put the barrier where all threads of the block come by, and only the work "
                   "around it "
                   "into the condition";
    case budget:
      return "see that what the loop's condition asks for comes nearer in every turn";
    case assertion:
      return "see for which values the condition does not hold, and how they came about";
    case trap:
      if (finding.text.find("Stack overflow") != std::string::npos)
        return "see that the recursion ends (each call must bring its condition nearer), or write "
               "it as a loop";
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

void add_fix(launch::Finding& finding, const simt::Program& program) {
  if (finding.text.find("\nFix: ") != std::string::npos) return;
  const std::string text = fix(finding, program);
  if (!text.empty()) finding.text += "\nFix: " + text + ".";
}

}  // namespace labkit::observe
