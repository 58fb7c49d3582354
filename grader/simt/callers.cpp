// Lines for functions of headers that are called and not inlined, as in a build for debugging: a line of a header is of no
// use to the reader. It is the line of the kernel's own source that calls, if there is but one; else only the stack of
// calls knows it (Worker::caller_line).
#include <set>
#include <utility>

#include "simt/decoder.h"

namespace labkit::simt {
namespace {

const ptx::SourceLocation& shown(const ptx::Instruction& in) {
  return in.inlined_at.line != 0 ? in.inlined_at : in.location;
}

/// 0: no line is known.
std::uint32_t file_of(const ptx::Function& function) {
  for (const auto& in : function.body)
    if (shown(in).line != 0) return shown(in).file;
  return 0;
}

using Lines = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // file, line
constexpr std::pair<std::uint32_t, std::uint32_t> kNotKnown{0, 0};

}  // namespace

void Decoder::note_callers() {
  const std::uint32_t own = file_of(entry_);
  if (own == 0) return;
  auto& program = *program_;
  for (std::size_t k = 1; k < functions_.size(); ++k)
    program.functions[k].is_of_header = file_of(*functions_[k].ptx) != own;
  std::vector<Lines> called_at(functions_.size());
  const auto callers_of_each = [&](const auto& visit) {
    for (const Op& op : program.ops) {
      if (op.kind != OpKind::call) continue;
      const auto& site = program.calls[op.aux];
      if (site.function < 0) continue;
      const auto to = static_cast<std::size_t>(site.function);
      const auto from = program.blocks[program.block_of[op.index]].function;
      if (program.functions[to].is_of_header) visit(from, to, op.index);
    }
  };
  callers_of_each([&](std::size_t from, std::size_t to, std::uint32_t index) {
    if (program.functions[from].is_of_header) return;
    const auto& facts = program.instructions[index];
    const auto& at = facts.inlined_at.line != 0 ? facts.inlined_at : facts.location;
    called_at[to].insert(at.file == own ? std::pair(at.file, at.line) : kNotKnown);
  });
  for (bool changed = true; changed;) {
    changed = false;
    callers_of_each([&](std::size_t from, std::size_t to, std::uint32_t) {
      if (!program.functions[from].is_of_header) return;
      const std::size_t before = called_at[to].size();
      called_at[to].insert(called_at[from].begin(), called_at[from].end());
      changed = changed || called_at[to].size() != before;
    });
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const auto function = program.blocks[program.block_of[i]].function;
    auto& facts = program.instructions[i];
    if (!program.functions[function].is_of_header) {
      // a header's function that was inlined all the same: a build for debugging does not say where
      facts.line_is_of_caller =
          facts.inlined_at.line == 0 && facts.location.line != 0 && facts.location.file != own;
      continue;
    }
    const Lines& lines = called_at[function];
    if (lines.size() == 1 && *lines.begin() != kNotKnown)
      facts.inlined_at = {lines.begin()->first, lines.begin()->second, 0};
    else
      facts.line_is_of_caller = true;
  }
}

}  // namespace labkit::simt
