// Lines for functions of headers that are called and not inlined, as in a build for debugging: a line of a header is of no
// use to the reader. It is the line of the kernel's own source that calls, if there is but one; else only the stack of
// calls knows it (Worker::caller_line).
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

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

using Line = std::pair<std::uint32_t, std::uint32_t>;  // file, line
constexpr Line kNotKnown{0, 0};

/// Lines that a function is called at: none, one, or several, which are all one.
struct Lines {
  std::optional<Line> first;
  bool several = false;

  /// False if that is nothing new.
  bool add(const Lines& other) {
    const Lines before = *this;
    if (!first) first = other.first;
    several = several || other.several || (other.first && other.first != first);
    return first != before.first || several != before.several;
  }
  bool is_one() const { return first && !several && *first != kNotKnown; }
};

}  // namespace

void Decoder::note_callers() {
  const std::uint32_t own = file_of(entry_);
  if (own == 0) return;
  auto& program = *program_;
  for (std::size_t k = 1; k < functions_.size(); ++k)
    program.functions[k].is_of_header = file_of(*functions_[k].ptx) != own;
  std::vector<Lines> called_at(functions_.size());
  std::vector<std::vector<std::size_t>> calls(functions_.size());  // from header to header
  std::vector<std::size_t> work;
  for (const Op& op : program.ops) {
    if (op.kind != OpKind::call) continue;
    const auto& site = program.calls[op.aux];
    if (site.function < 0) continue;
    const auto to = static_cast<std::size_t>(site.function);
    const auto from = program.blocks[program.block_of[op.index]].function;
    if (!program.functions[to].is_of_header) continue;
    if (program.functions[from].is_of_header) {
      calls[from].push_back(to);
      continue;
    }
    const auto& facts = program.instructions[op.index];
    const auto& at = facts.inlined_at.line != 0 ? facts.inlined_at : facts.location;
    if (called_at[to].add({at.file == own ? Line(at.file, at.line) : kNotKnown}))
      work.push_back(to);
  }
  while (!work.empty()) {  // what is known of a function changes twice at most
    const std::size_t from = work.back();
    work.pop_back();
    for (const std::size_t to : calls[from])
      if (called_at[to].add(called_at[from])) work.push_back(to);
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
    if (lines.is_one())
      facts.inlined_at = {lines.first->first, lines.first->second, 0};
    else
      facts.line_is_of_caller = true;
  }
}

}  // namespace labkit::simt
