#include "explain/reward.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

std::string points_words(const Reward& reward) {
  if (!reward.before || !reward.best) return {};
  if (reward.now > *reward.before)
    return words::text(reward.is_best() ? Id::reward_best : Id::reward_better,
                       {{"before", number(*reward.before)},
                        {"now", number(reward.now)},
                        {"best", number(*reward.best)}});
  if (reward.now < *reward.best)
    return words::text(Id::reward_was_better,
                       {{"best", number(*reward.best)}, {"time", reward.best_time}});
  return {};
}

std::string gain_words(const Reward::Gain& gain) {
  std::vector<std::string> parts;
  if (!gain.figure.empty())
    parts.push_back(
        fmt::format("{} {} -> {}", title_of(gain.figure), number(gain.from), number(gain.to)));
  std::vector<std::string> faster;
  for (const auto& [times, than] : {std::pair{gain.than_first, Id::reward_than_first},
                                    std::pair{gain.than_before, Id::reward_than_before}})
    if (times > 0) faster.push_back(words::text(than, {{"times", fmt::format("{:.1f}", times)}}));
  if (!faster.empty())
    parts.push_back(words::text(Id::reward_predicted, {{"gains", joined(faster)}}));
  return words::text(Id::reward_gain, {{"test", gain.test}, {"gains", joined(parts)}});
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
      return words::text(Id::bonus_open, {{"points", number(test.max_points)},
                                          {"test", test.name},
                                          {"about", words::translated(test.about)}});
  return {};
}

}  // namespace labkit::explain
