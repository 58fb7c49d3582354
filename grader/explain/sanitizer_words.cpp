// A finding in compute-sanitizer's wording, which is English in every language: it is what a search finds.
#include <fmt/format.h>

#include "base/command_text.h"
#include "explain/words.h"
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

/// By Access.
constexpr std::string_view kDeeds[] = {"", "Read", "Write", "Atomic"};

/// "at kernel in kernel.cu:12", "by thread (0,0,0) in block (0,0,0)".
void add_where(std::vector<std::string>& lines, const Finding& finding, bool has_thread = true) {
  lines.push_back("at " + finding.kernel + in_line(finding.where));
  if (has_thread)
    lines.push_back("by thread " + triple(finding.thread) + " in block " + triple(finding.block));
}

std::vector<std::string> race(const Finding& finding) {
  const bool blocks = !(finding.block == finding.other_block);
  const std::string array = array_of(finding);
  const auto side = [&](Access access, const Dim3& thread, const Dim3& block,
                        const SourceLine& line) {
    return fmt::format("{} Thread {}{} at {} in {}", kDeeds[static_cast<std::size_t>(access)],
                       triple(thread), blocks ? " in block " + triple(block) : "", at_line(line),
                       finding.kernel);
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
                                                counted(finding.access_bytes, "byte"))};
  add_where(lines, finding);
  lines.push_back(fmt::format(
      "Address 0x{:x} is {}", finding.address,
      finding.kind == launch::FindingKind::misaligned ? "misaligned" : "out of bounds"));
  return lines;
}

std::vector<std::string> unwritten(const Finding& finding) {
  const bool is_shuffle = finding.cause == launch::Cause::uninitialized_shuffle;
  if (is_shuffle || finding.access_bytes == 0) {
    std::vector<std::string> lines = {is_shuffle ? "Undefined value from a shuffle"
                                                 : "Uninitialized variable read"};
    // the compiler knows no thread
    add_where(lines, finding, is_shuffle || finding.access != Access::none);
    return lines;
  }
  std::vector<std::string> lines = {fmt::format("Uninitialized __{}__ memory read of size {}",
                                                finding.space,
                                                counted(finding.access_bytes, "byte"))};
  add_where(lines, finding);
  const std::string array = array_of(finding);
  lines.push_back(fmt::format("Address 0x{:x}{} was never written",
                              finding.address + finding.unwritten_from,
                              array.empty() ? "" : " (" + array + ")"));
  return lines;
}

/// What stops a launch, or was a GPU's: the first of the evidence says what it was, and leads.
bool leads_with_evidence(const Finding& finding) {
  using enum launch::FindingKind;
  const bool is_of_access = finding.kind == race || finding.kind == out_of_bounds ||
                            finding.kind == misaligned || finding.kind == uninitialized;
  return !is_of_access || launch::has_evidence(finding, words::Id::gpu_launch);
}

std::vector<std::string> stopped(const Finding& finding) {
  using enum launch::FindingKind;
  std::vector<std::string> lines;
  if (!finding.evidence.empty()) lines.push_back(words::render(finding.evidence.front()));
  // a GPU knows neither; an assertion says both, and what was refused was not run by any thread
  const bool has_thread = finding.kind == barrier || finding.kind == trap || finding.lanes != 0;
  if (launch::has_evidence(finding, words::Id::gpu_launch) || finding.kind == assertion)
    return lines;
  if (has_thread || ((finding.kind == budget || finding.kind == launch) && finding.where.line != 0))
    add_where(lines, finding, has_thread);
  return lines;
}

}  // namespace

std::vector<std::string> sanitizer_lines(const Finding& finding) {
  if (leads_with_evidence(finding)) return stopped(finding);
  if (finding.kind == launch::FindingKind::race) return race(finding);
  return finding.kind == launch::FindingKind::uninitialized ? unwritten(finding) : outside(finding);
}

std::string first_words(const Finding& finding) {
  const std::vector<std::string> lines = sanitizer_lines(finding);
  return lines.empty() ? std::string(launch::name_of(finding.kind)) : lines.front();
}

std::vector<std::string> fix_lines(const words::Message& fix) {
  if (!fix) return {};
  return {words::text(words::Id::lead_fix, {{"fix", words::render(fix)}})};
}

std::vector<std::string> finding_lines(const Finding& finding) {
  std::vector<std::string> lines = sanitizer_lines(finding);
  for (std::size_t i = leads_with_evidence(finding) ? 1 : 0; i < finding.evidence.size(); ++i)
    lines.push_back(words::render(finding.evidence[i]));
  append(lines, fix_lines(finding.fix));
  return lines;
}

}  // namespace labkit::explain
