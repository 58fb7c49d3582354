#include "compile/declarations.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/source_findings.h"

namespace labkit::device {
namespace {

/// What a source declares, looked for once: there may be many findings about it.
class Declared {
 public:
  explicit Declared(std::string_view source) : source_(source) {}

  launch::Declaration in_shared(const launch::Finding& finding) {
    if (!arrays_) arrays_ = compile::shared_arrays_of(source_);
    const auto array = compile::declared_array(*arrays_, finding.array.name, finding.array.bytes,
                                               finding.where.line);
    if (!array) return {};
    launch::Declaration declared;
    declared.extents = array->extents;
    declared.element_bytes = array->element_bytes;
    return declared;
  }

  launch::Declaration in_global(const launch::Finding& finding) {
    const auto [known, is_new] = structures_.try_emplace({finding.kernel, finding.array.name});
    if (is_new)
      known->second = compile::pointed_structure(source_, compile::base_name(finding.kernel),
                                                 finding.array.name);
    const auto& to = known->second;
    if (!to) return {};
    const std::uint64_t numbers = to->extent == 0 ? to->members.size() : to->extent;
    if (finding.array.bytes % (numbers * to->number_bytes) != 0) return {};  // no whole structures
    launch::Declaration declared;
    declared.extents = {0};
    declared.element_bytes = to->number_bytes;
    declared.members = to->members;
    declared.member_extent = to->extent;
    return declared;
  }

 private:
  std::string_view source_;
  std::optional<std::vector<compile::DeclaredArray>> arrays_;
  std::map<std::pair<std::string, std::string>, std::optional<compile::PointedStructure>>
      structures_;  ///< by kernel and parameter
};

/// The line of the brace that closes the innermost loop around both lines; 0: there is none.
std::uint32_t end_of_loop(const compile::Tokens& tokens, std::uint32_t one, std::uint32_t other) {
  std::uint32_t begin = 0, end = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if ((!tokens.is(i, "for") && !tokens.is(i, "while")) || !tokens.is(i + 1, "(")) continue;
    const std::size_t body = tokens.close_of(i + 1) + 1;
    if (body >= tokens.size() || !tokens.is(body, "{") || tokens.close_of(body) >= tokens.size())
      continue;
    const std::uint32_t first = tokens[i].line, last = tokens[tokens.close_of(body)].line;
    if (first <= std::min(one, other) && std::max(one, other) <= last && first >= begin) {
      begin = first;
      end = last;
    }
  }
  return end;
}

/// "After line 24" may be inside of an inner loop: the brace is not.
void name_end_of_loop(words::Message& fix, const compile::Tokens& tokens) {
  using enum words::Id;
  if (fix.id != race_fix_barrier_at_end_of_loop &&
      fix.id != race_fix_barrier_for_all_at_end_of_loop)
    return;
  const auto* above = std::get_if<words::SourceLine>(fix.find("above"));
  const auto* below = std::get_if<words::SourceLine>(fix.find("below"));
  if (!above || !below || above->file != below->file) return;
  const std::uint32_t end = end_of_loop(tokens, above->line, below->line);
  if (end == 0) return;
  fix = {fix.id == race_fix_barrier_at_end_of_loop ? race_fix_barrier_before_end
                                                   : race_fix_barrier_for_all_before_end,
         {{"barrier", *fix.find("barrier")}, {"end", words::SourceLine{below->file, end}}}};
}

}  // namespace

void add_declarations(std::vector<launch::Finding>& findings, std::string_view source) {
  Declared declared(source);
  std::optional<compile::Tokens> tokens;
  for (launch::Finding& finding : findings) {
    if (finding.kind == launch::FindingKind::race) {
      if (!tokens) tokens.emplace(source, compile::Tokens::Keep::code);
      name_end_of_loop(finding.fix, *tokens);
    }
    if (finding.array.name.empty()) continue;
    if (finding.space == "shared") finding.declared = declared.in_shared(finding);
    if (finding.space == "global") finding.declared = declared.in_global(finding);
  }
}

}  // namespace labkit::device
