#pragma once
#include "observe/race_finding.h"
namespace labkit::observe {
inline constexpr const char* kUpdateIsLost = "An update is lost";
inline constexpr const char* kRepeatedWork = "repeat each other's work";
inline constexpr const char* kNextTurn = "has gone round the loop";
}  // namespace labkit::observe
