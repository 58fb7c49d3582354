// What an attempt gained against the attempts before it. Plain data, and its sentences. Figures are the simulator's.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "grade/result.h"

namespace labkit::explain {

struct Reward {
  double now = 0;                ///< points, with bonus
  std::optional<double> before;  ///< of the version before; none: this is the first
  std::optional<double> best;    ///< of all earlier versions
  std::string best_time;         ///< when that was, for people

  /// The graded test that gained most.
  struct Gain {
    std::string test;
    std::string figure;       ///< that fell most (a FigureInfo::id); "": none did
    double from = 0, to = 0;  ///< of `figure`
    /// How many times as fast by the predicted times; 0: not known, or no faster.
    double than_first = 0, than_before = 0;
  };
  std::optional<Gain> gain;

  bool is_best() const { return !best || now > *best; }
};

/// At most two sentences; none of a first version, and of one that is neither better nor worse.
std::vector<std::string> tell_reward(const Reward& reward);

/// "Bonus open: 20 points for Matmul.TwoRows: ..."; "" where there is none.
std::string tell_open_bonus(const grade::LabResult& result);

}  // namespace labkit::explain
