// The tables of the gradebook and how older ones become newer. Private to the gradebook.
#pragma once
#include <string>
#include <vector>

namespace labkit::course {

/// Marks the file as ours: "LABK".
inline constexpr int kApplicationId = 0x4c41424b;

/// SQL that leads from version i to version i + 1; a new gradebook runs through all of them, so that
/// every step is always in use. What was released is never changed, only followed.
const std::vector<std::string>& schema_steps();

}  // namespace labkit::course
