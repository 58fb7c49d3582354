// Critical paths through the replay: of every moment that matters it is known what the time until then was spent on.
// Internal to the room.
#pragma once
#include <algorithm>
#include <array>

#include "timing/replay.h"

namespace labkit::timing {

/// Cycles by Cause; they add up to the moment that the path leads to, but for rounding.
struct Path {
  std::array<float, kCauses> spent{};

  void add(Cause cause, double cycles) {
    spent[static_cast<std::size_t>(cause)] += static_cast<float>(cycles);
  }
  double sum() const {
    double all = 0;
    for (const float cycles : spent) all += cycles;
    return all;
  }
  /// The same path, to a moment that is a little earlier or later.
  Path up_to(double moment) const {
    const double all = sum();
    Path other = *this;
    if (all > 0)
      for (float& cycles : other.spent) cycles *= static_cast<float>(moment / all);
    return other;
  }
};

/// What warps share: one user after another.
struct Server {
  double free = 0;
  Path path;  ///< to `free`

  /// Uses the server for `service` cycles as soon as it is free, from `when` on, where `from` leads; when it is over.
  double take(double when, double service, Cause cause, const Path& from) {
    if (free < when) {  // at the same moment both paths lead there, and it has not rested
      free = when;
      path = from;
    }
    free += service;
    path.add(cause, service);
    return free;
  }
};

}  // namespace labkit::timing
