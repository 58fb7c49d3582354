#include "device/declarations.h"

#include "compile/declared_arrays.h"
#include "compile/declared_structures.h"
#include "compile/diagnose.h"

namespace labkit::device {
namespace {

launch::Declaration in_shared(const launch::Finding& finding, std::string_view source) {
  const auto array =
      compile::declared_array(source, finding.array.name, finding.array.bytes, finding.where.line);
  if (!array) return {};
  launch::Declaration declared;
  declared.extents = array->extents;
  declared.element_bytes = array->element_bytes;
  return declared;
}

launch::Declaration in_global(const launch::Finding& finding, std::string_view source) {
  const auto to =
      compile::pointed_structure(source, compile::base_name(finding.kernel), finding.array.name);
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

}  // namespace

void add_declarations(std::vector<launch::Finding>& findings, std::string_view source) {
  for (launch::Finding& finding : findings) {
    if (finding.array.name.empty()) continue;
    if (finding.space == "shared") finding.declared = in_shared(finding, source);
    if (finding.space == "global") finding.declared = in_global(finding, source);
  }
}

}  // namespace labkit::device
