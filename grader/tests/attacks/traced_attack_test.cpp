// Being fast only where it is looked at: a predicted time is drawn from some blocks of a launch.
#include <fmt/format.h>

#include "attack.h"
#include "timing/drawn_blocks.h"

namespace labkit::attacks {
namespace {

constexpr std::uint64_t kBlocks = 4096;  // of the bonus kernel's graded launch: 64 x 64

class TracedAttack : public Attack {
 protected:
  struct Rows {
    std::string verdict;
    double best_ratio = 0;
  };
  /// `fast`: a condition on `block`.
  Rows rows(const std::string& fast, std::uint64_t seed) {
    const Graded graded =
        grade("fast_where_traced", {.seed = seed, .lab = "lab4", .tests = "Padding.RowsBandwidth"},
              {{"@FAST@", fast}});
    for (const auto& test : graded.json["tests"])
      if (test["name"] == "Padding.RowsBandwidth" && test["figures"].contains("best_ratio"))
        return {test["verdict"], test["figures"]["best_ratio"]};
    ADD_FAILURE() << graded.all;
    return {};
  }
  /// That seed's very blocks, as if the kernel had found them out.
  static std::string traced(std::uint64_t seed) {
    std::string fast = "gridDim.x == 64 && (false";
    for (const std::uint64_t block : timing::traced_blocks(kBlocks, seed))
      fast += fmt::format(" || block == {}", block);
    return fast + ")";
  }
  void expect_nothing_gained(std::uint64_t seed) {
    const Rows slow = rows("false", seed), forged = rows(traced(seed), seed);
    EXPECT_EQ(slow.verdict, "gate rows_ratio") << seed;
    EXPECT_EQ(forged.verdict, slow.verdict) << seed;
    EXPECT_NEAR(forged.best_ratio / slow.best_ratio, 1, 0.1) << seed;
  }
  void expect_its_share(const std::vector<const char*>& conditions) {
    const double slow = rows("false", 1).best_ratio, fast = rows("true", 1).best_ratio;
    for (const char* some : conditions) {
      const double ratio = rows(some, 1).best_ratio;
      EXPECT_GT(ratio, 0.95 * slow) << some;
      EXPECT_LT(ratio, slow + 0.4 * (fast - slow)) << some;
    }
  }
};

TEST_F(TracedAttack, FastEverywhereIsRight) { EXPECT_EQ(rows("true", 1).verdict, "pass"); }

TEST_F(TracedAttack, FastWhereItIsTracedOnly) { expect_nothing_gained(0x9e3779b97f4a7c15ull); }

// Some of all blocks are fast, which and how is nobody's secret.
TEST_F(TracedAttack, FastInSomeBlocksIsWorthItsShare) { expect_its_share({"block % 132 < 33"}); }

using LongTracedAttack = TracedAttack;
TEST_F(LongTracedAttack, FastInSomeBlocksIsWorthItsShare) {
  expect_its_share({"block < 1024", "block % 4 == 0"});
}
TEST_F(LongTracedAttack, NothingIsGainedUnderAnySeed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) expect_nothing_gained(seed);
}

}  // namespace
}  // namespace labkit::attacks
