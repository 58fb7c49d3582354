#include "device/declared_extents.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "compile/declared_arrays.h"
#include "compile/declared_structures.h"
#include "compile/diagnose.h"

namespace labkit::device {
namespace {

std::string bracket(std::uint64_t extent) {
  return extent == 0 ? "[]" : "[" + std::to_string(extent) + "]";
}

/// "tile[16][17], 4 bytes an element"; "" where the source does not show it.
std::string declaration_of(const launch::Finding& finding, std::string_view source) {
  const std::string& name = finding.array.name;
  std::string text;
  std::uint32_t bytes = 0;
  if (finding.space == "shared") {
    const auto array =
        compile::declared_array(source, name, finding.array.bytes, finding.where.line);
    if (!array) return {};
    for (const std::uint64_t extent : array->extents) text += bracket(extent);
    bytes = array->element_bytes;
  } else if (finding.space == "global") {
    const auto to = compile::pointed_structure(source, compile::base_name(finding.kernel), name);
    if (!to) return {};
    const std::uint64_t numbers = to->extent == 0 ? to->members.size() : to->extent;
    if (finding.array.bytes % (numbers * to->number_bytes) != 0) return {};
    text = "[].";
    if (to->members.size() == 1) {
      text += to->members[0] + (to->extent == 0 ? "" : bracket(to->extent));
    } else {
      for (std::size_t i = 0; i < to->members.size(); ++i)
        text += (i == 0 ? "{" : ", ") + to->members[i];
      text += "}";
    }
    bytes = to->number_bytes;
  }
  if (text.empty()) return {};
  return name + text + ", " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
         " an element";
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "[16][17]" as 16 and 17, "[]" as 0.
std::vector<std::uint64_t> extents_in(std::string_view text) {
  std::vector<std::uint64_t> extents;
  for (std::size_t open = text.find('['); open != std::string_view::npos;
       open = text.find('[', open + 1))
    extents.push_back(number_at(text.substr(open + 1)));
  return extents;
}

}  // namespace

void add_declared_extents(std::vector<launch::Finding>& findings, std::string_view source) {
  for (launch::Finding& finding : findings) {
    if (finding.array.name.empty() || finding.text.find(kDeclared) != std::string::npos) continue;
    if (const std::string declared = declaration_of(finding, source); !declared.empty())
      finding.text.insert(std::min(finding.text.find("\nFix: "), finding.text.size()),
                          "\n" + std::string(kDeclared) + declared);
  }
}

DeclaredExtents declared_extents(const launch::Finding& finding) {
  DeclaredExtents declared;
  for (std::string_view line : split_lines(finding.text)) {
    if (!line.starts_with(kDeclared)) continue;
    const std::size_t bytes = line.rfind(", ");
    if (bytes == std::string_view::npos) break;
    const auto each = static_cast<std::uint32_t>(number_at(line.substr(bytes + 2)));
    std::string_view what = line.substr(kDeclared.size(), bytes - kDeclared.size());
    if (const std::size_t dot = what.find("]."); dot != std::string_view::npos) {
      std::string_view inside = what.substr(dot + 2);
      what = what.substr(0, dot + 1);
      if (inside.starts_with('{') && inside.ends_with('}')) {
        inside = inside.substr(1, inside.size() - 2);
        while (!inside.empty()) {
          const std::size_t comma = std::min(inside.find(", "), inside.size());
          declared.members.emplace_back(inside.substr(0, comma));
          inside.remove_prefix(std::min(comma + 2, inside.size()));
        }
      } else {
        const auto extents = extents_in(inside);
        declared.members.emplace_back(inside.substr(0, inside.find('[')));
        if (!extents.empty()) declared.member_extent = extents.front();
      }
    }
    declared.extents = extents_in(what);
    const bool whole = !declared.extents.empty() &&
                       std::find(declared.extents.begin() + 1, declared.extents.end(), 0) ==
                           declared.extents.end();
    if (whole) declared.element_bytes = each;
    break;
  }
  return declared;
}

std::string DeclaredExtents::element(const std::string& array, std::uint64_t index) const {
  std::string member;
  if (member_extent != 0) {
    member = "." + members.front() + "[" + std::to_string(index % member_extent) + "]";
    index /= member_extent;
  } else if (!members.empty()) {
    member = "." + members[index % members.size()];
    index /= members.size();
  }
  std::string indices;
  for (std::size_t i = extents.size(); i-- > 1;) {
    indices = "[" + std::to_string(index % extents[i]) + "]" + indices;
    index /= extents[i];
  }
  return array + "[" + std::to_string(index) + "]" + indices + member;
}

}  // namespace labkit::device
