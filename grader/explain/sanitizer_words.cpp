#include "explain/sanitizer_words.h"

#include <fmt/format.h>

#include "base/text.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using launch::Access;
using launch::Dim3;
using launch::Finding;
using launch::SourceLine;

std::string triple(const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

/// "in kernel.cu:12"; "" where the line is not known.
std::string in_line(const SourceLine& line) {
  return line.line == 0 ? std::string{} : fmt::format(" in {}:{}", line.file, line.line);
}

std::string at_line(const SourceLine& line) {
  return line.line == 0 ? "an unknown line" : fmt::format("{}:{}", line.file, line.line);
}

/// "tile + 48 bytes"; "" where no array is known.
std::string array_of(const Finding& finding) {
  const auto& array = finding.array;
  if (array.name.empty() || finding.address == array.begin) return array.name;
  return fmt::format("{} + {} bytes", array.name, finding.address - array.begin);
}

const char* capital(Access access) {
  switch (access) {
    case Access::read:
      return "Read";
    case Access::write:
      return "Write";
    case Access::atomic:
      return "Atomic";
    case Access::none:
      break;
  }
  return "";
}

std::string plural(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "at kernel in kernel.cu:12", "by thread (0,0,0) in block (0,0,0)".
void add_where(std::vector<std::string>& lines, const Finding& finding) {
  lines.push_back("at " + finding.kernel + in_line(finding.where));
  lines.push_back("by thread " + triple(finding.thread) + " in block " + triple(finding.block));
}

std::vector<std::string> race(const Finding& finding) {
  const bool blocks = !(finding.block == finding.other_block);
  const std::string array = array_of(finding);
  const auto side = [&](Access access, const Dim3& thread, const Dim3& block,
                        const SourceLine& line) {
    return fmt::format("{} Thread {}{} at {} in {}", capital(access), triple(thread),
                       blocks ? " in block " + triple(block) : "", at_line(line), finding.kernel);
  };
  return {fmt::format("Potential {} hazard detected at __{}__ 0x{:x}{}{}", finding.hazard,
                      finding.space, finding.address, array.empty() ? "" : " (" + array + ")",
                      blocks ? " between blocks" : " in block " + triple(finding.block)),
          side(finding.other_access, finding.other_thread, finding.other_block, finding.other),
          side(finding.access, finding.thread, finding.block, finding.where)};
}

std::vector<std::string> outside(const Finding& finding) {
  std::vector<std::string> lines = {fmt::format("Invalid __{}__ {} of size {}", finding.space,
                                                launch::name_of(finding.access),
                                                plural(finding.access_bytes, "byte"))};
  add_where(lines, finding);
  lines.push_back(fmt::format(
      "Address 0x{:x} is {}", finding.address,
      finding.kind == launch::FindingKind::misaligned ? "misaligned" : "out of bounds"));
  return lines;
}

std::vector<std::string> unwritten(const Finding& finding) {
  std::vector<std::string> lines;
  if (finding.access_bytes == 0 && finding.cause != launch::Cause::uninitialized_shuffle) {
    lines = {"Uninitialized variable read", "at " + finding.kernel + in_line(finding.where)};
    if (finding.access != Access::none)  // else the compiler's, which knows no thread
      lines.push_back("by thread " + triple(finding.thread) + " in block " + triple(finding.block));
    return lines;
  }
  if (finding.cause == launch::Cause::uninitialized_shuffle) {
    lines = {"Undefined value from a shuffle"};
    add_where(lines, finding);
    return lines;
  }
  lines = {fmt::format("Uninitialized __{}__ memory read of size {}", finding.space,
                       plural(finding.access_bytes, "byte"))};
  add_where(lines, finding);
  const std::string array = array_of(finding);
  lines.push_back(fmt::format("Address 0x{:x}{} was never written",
                              finding.address + finding.unwritten_from,
                              array.empty() ? "" : " (" + array + ")"));
  return lines;
}

/// What stops a launch says what it is in its first evidence.
std::vector<std::string> stopped(const Finding& finding) {
  std::vector<std::string> lines;
  add_where(lines, finding);
  return lines;
}

}  // namespace

std::vector<std::string> sanitizer_lines(const Finding& finding) {
  using enum launch::FindingKind;
  if (!finding.text.empty()) {  // not yet data: issue 21
    std::vector<std::string> lines;
    for (const std::string_view line : split_lines(finding.text))
      if (!line.starts_with("Fix: ")) lines.emplace_back(line);
    return lines;
  }
  switch (finding.kind) {
    case race:
      return explain::race(finding);
    case out_of_bounds:
    case misaligned:
      return outside(finding);
    case uninitialized:
      return unwritten(finding);
    default:
      return stopped(finding);
  }
}

std::vector<std::string> evidence_lines(const Finding& finding) {
  std::vector<std::string> lines;
  for (const words::Message& message : finding.evidence) lines.push_back(words::render(message));
  return lines;
}

std::string fix_line(const Finding& finding) {
  if (finding.fix) return words::render(finding.fix);
  for (const std::string_view line : split_lines(finding.text))  // not yet data: issue 21
    if (line.starts_with("Fix: ")) return std::string(line.substr(5));
  return {};
}

std::vector<std::string> finding_lines(const Finding& finding) {
  std::vector<std::string> lines = sanitizer_lines(finding);
  if (finding.text.empty())  // else it says that: issue 21
    for (std::string& line : evidence_lines(finding)) lines.push_back(std::move(line));
  if (const std::string fix = fix_line(finding); !fix.empty()) lines.push_back("Fix: " + fix);
  return lines;
}

}  // namespace labkit::explain
