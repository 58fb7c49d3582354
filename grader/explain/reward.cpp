#include "explain/reward.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "explain/words.h"

namespace labkit::explain {
namespace {

std::string points_words(const Reward& reward) {
  if (!reward.before || !reward.best) return {};
  if (reward.now > *reward.before)
    return fmt::format("Points: {} -> {}. ", number(*reward.before), number(reward.now)) +
           (reward.is_best() ? "Your best so far."
                             : fmt::format("Your best so far: {}.", number(*reward.best)));
  if (reward.now < *reward.best)
    return fmt::format("Your best so far: {} points, {}.", number(*reward.best), reward.best_time);
  return {};
}

std::string gain_words(const Reward::Gain& gain) {
  std::vector<std::string> parts;
  if (!gain.figure.empty())
    parts.push_back(
        fmt::format("{} {} -> {}", title_of(gain.figure), number(gain.from), number(gain.to)));
  std::vector<std::string> faster;
  for (const auto& [times, than] : {std::pair{gain.than_first, "as your first version"},
                                    std::pair{gain.than_before, "as the one before"}})
    if (times > 0) faster.push_back(fmt::format("{:.1f} times as fast {}", times, than));
  if (!faster.empty()) parts.push_back("predicted " + joined(faster, ", "));
  return fmt::format("{}: {}.", gain.test, joined(parts, ", "));
}

}  // namespace

std::vector<std::string> tell_reward(const Reward& reward) {
  std::vector<std::string> lines;
  if (std::string points = points_words(reward); !points.empty())
    lines.push_back(std::move(points));
  if (reward.gain) lines.push_back(gain_words(*reward.gain));
  return lines;
}

std::string tell_open_bonus(const grade::LabResult& result) {
  for (const grade::TestResult& test : result.tests)
    if (test.bonus && !test.verdict.passed())
      return fmt::format("Bonus open: {} points for {}: {}", number(test.max_points), test.name,
                         test.about);
  return {};
}

}  // namespace labkit::explain
