#include <cstddef>

#include "launch/launch.h"

namespace labkit::launch {

std::string Declaration::element(const std::string& array, std::uint64_t index) const {
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
    indices.insert(0, "[" + std::to_string(index % extents[i]) + "]");
    index /= extents[i];
  }
  return array + "[" + std::to_string(index) + "]" + indices + member;
}

}  // namespace labkit::launch
