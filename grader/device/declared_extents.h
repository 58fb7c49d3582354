// How the array of a finding is declared, in shared memory or as structures that a parameter points to: the addresses know
// only how many bytes it has.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace labkit::device {

/// What the text of a finding says of it, in a line of its own: "Declared: tile[16][17], 4 bytes an element"; of structures
/// "Declared: z[].part[8], 8 bytes an element" or "Declared: z[].{re, im}, 4 bytes an element".
inline constexpr std::string_view kDeclared = "Declared: ";

/// Adds that line to each finding about an array whose declaration the source shows (compile/declared_arrays.h and
/// declared_structures.h) and that does not have it yet.
void add_declared_extents(std::vector<launch::Finding>& findings, std::string_view source);

struct DeclaredExtents {
  std::vector<std::uint64_t> extents;  ///< outermost first; 0: left to the launch
  std::uint32_t element_bytes = 0;
  /// Of structures: what is in one of them. Several numbers, or one array of `member_extent` numbers.
  std::vector<std::string> members;
  std::uint64_t member_extent = 0;
  bool known() const { return element_bytes != 0; }
  /// "tile[3][16]", "z[5].part[2]": element `index` from the beginning, and behind the end as if the array went on.
  std::string element(const std::string& array, std::uint64_t index) const;
};
/// As add_declared_extents() wrote them; not known() where it did not.
DeclaredExtents declared_extents(const launch::Finding& finding);

}  // namespace labkit::device
