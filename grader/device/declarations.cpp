#include "compile/declarations.h"

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

}  // namespace

void add_declarations(std::vector<launch::Finding>& findings, std::string_view source) {
  Declared declared(source);
  for (launch::Finding& finding : findings) {
    if (finding.array.name.empty()) continue;
    if (finding.space == "shared") finding.declared = declared.in_shared(finding);
    if (finding.space == "global") finding.declared = declared.in_global(finding);
  }
}

}  // namespace labkit::device
