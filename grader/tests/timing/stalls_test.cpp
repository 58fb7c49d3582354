// What warps are said to wait for.
#include <gtest/gtest.h>

#include "made_trace.h"

namespace labkit::timing {
namespace {

double of_stalls(const Replayed& replayed, Stall stall) {
  double all = 0;
  for (const double cycles : replayed.stalled) all += cycles;
  return replayed.stalled[static_cast<std::size_t>(stall)] / all;
}

TEST(Stalls, AreNamedByWhatWarpsWaitFor) {
  Plan loads(Made(1).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 0));
  EXPECT_GT(of_stalls(loads.run(), Stall::long_scoreboard), 0.99);

  const auto shared = [](std::uint16_t warps) {
    Made made(warps);
    for (std::uint16_t w = 0; w < warps; ++w)
      for (int i = 0; i < 20; ++i) made.add(Kind::shared_load, w);
    Plan plan(made);
    plan.costs[2].shared_wavefronts = 32;
    plan.plan.rates.wavefront = 1;
    return plan.run();
  };
  EXPECT_GT(of_stalls(shared(8), Stall::short_scoreboard), 0.9);
  EXPECT_GT(of_stalls(shared(64), Stall::mio_throttle), 0.6) << "more than the queue holds";

  Made computes(8);
  for (std::uint16_t w = 0; w < 8; ++w) computes.add(Kind::barrier, w);
  Plan issue(computes);
  issue.plan.rates.issue = 1;
  issue.plan.instructions_per_warp = 1000;
  EXPECT_GT(of_stalls(issue.run(), Stall::not_selected), 0.7);
  EXPECT_NEAR(of_stalls(issue.run(), Stall::selected), 1.0 / 8, 0.03);
  issue.plan.pipe_part = 0.5;
  EXPECT_GT(of_stalls(issue.run(), Stall::math_pipe_throttle), 0.3);

  Made waits(2);
  waits.add(Kind::load, 0, 1, 1, 0).add(Kind::barrier, 0).add(Kind::barrier, 1);
  waits.add(Kind::load, 0, 2, 1, 0).add(Kind::barrier, 0).add(Kind::barrier, 1);
  EXPECT_GT(of_stalls(Plan(waits).run(), Stall::barrier), 0.3) << "warp 1 waits for warp 0";
}

TEST(Stalls, AtABarrierThatAllQueueForAreTheQueues) {
  // The oldest goes first here, and would then wait at the barrier for the others' turns.
  Made made(8);
  for (std::uint16_t w = 0; w < 8; ++w)
    for (int i = 0; i < 20; ++i) made.add(Kind::shared_load, w);
  for (std::uint16_t w = 0; w < 8; ++w) made.add(Kind::barrier, w);
  Plan plan(made);
  plan.costs[2].shared_wavefronts = 32;
  plan.plan.rates.wavefront = 1;
  EXPECT_LT(of_stalls(plan.run(), Stall::barrier), 0.1);
}

}  // namespace
}  // namespace labkit::timing
