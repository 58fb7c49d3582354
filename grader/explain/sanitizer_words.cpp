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

/// As compute-sanitizer writes it.
std::string space_of(const Finding& finding) {
  if (finding.space == "const") return "__constant__";
  return finding.space == "generic" || finding.space.empty() ? "__global__"
                                                             : "__" + finding.space + "__";
}

std::vector<std::string> outside(const Finding& finding) {
  std::vector<std::string> lines = {fmt::format("Invalid {} {} of size {}", space_of(finding),
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

/// What stops a launch: the first of the evidence says what it was, and leads.
bool leads_with_evidence(const Finding& finding) {
  using enum launch::FindingKind;
  if (finding.evidence.empty()) return false;
  if (launch::has_evidence(finding, words::Id::gpu_launch)) return true;
  return finding.kind == barrier || finding.kind == assertion || finding.kind == budget ||
         finding.kind == trap || finding.kind == unsupported || finding.kind == launch;
}

std::vector<std::string> stopped(const Finding& finding) {
  using enum launch::FindingKind;
  std::vector<std::string> lines;
  if (!finding.evidence.empty()) lines.push_back(words::render(finding.evidence.front()));
  // a GPU knows neither; an assertion says both, and what was refused was not run by any thread
  const bool has_thread = finding.kind == barrier || finding.kind == trap || finding.lanes != 0;
  if (launch::has_evidence(finding, words::Id::gpu_launch) || finding.kind == assertion)
    return lines;
  if (has_thread)
    add_where(lines, finding);
  else if ((finding.kind == budget || finding.kind == launch) && finding.where.line != 0)
    lines.push_back("at " + finding.kernel + in_line(finding.where));
  return lines;
}

}  // namespace

std::vector<std::string> sanitizer_lines(const Finding& finding) {
  using enum launch::FindingKind;
  if (leads_with_evidence(finding)) return stopped(finding);
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
  const bool first_leads = leads_with_evidence(finding);
  for (std::size_t i = first_leads ? 1 : 0; i < finding.evidence.size(); ++i)
    lines.push_back(words::render(finding.evidence[i]));
  return lines;
}

std::string fix_line(const Finding& finding) { return words::render(finding.fix); }

std::vector<std::string> finding_lines(const Finding& finding) {
  std::vector<std::string> lines = sanitizer_lines(finding);
  for (std::string& line : evidence_lines(finding)) lines.push_back(std::move(line));
  if (const std::string fix = fix_line(finding); !fix.empty()) lines.push_back("Fix: " + fix);
  return lines;
}

}  // namespace labkit::explain
