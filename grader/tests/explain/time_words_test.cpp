// What sets a predicted time, in words.
#include <gtest/gtest.h>

#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

TEST(TimeWords, EveryNameThatTheModelUsesHasWords) {
  for (const std::string_view name : timing::kShareNames)
    EXPECT_FALSE(words_of_share(name).empty()) << name;
  EXPECT_TRUE(words_of_share("voodoo").empty());
}

TEST(TimeWords, SharesFromFiveInAHundredOnAndAtMostFour) {
  timing::Prediction prediction;
  prediction.shares = {{"latency", 0.461}, {"launch", 0.2}, {"DRAM", 0.14},
                       {"issue", 0.1},     {"L1", 0.06},    {"L2", 0.04}};
  EXPECT_EQ(shares_text(prediction), "latency 46%, launch 20%, DRAM 14%, issue 10%");
  prediction.shares = {{"DRAM", 0.97}, {"launch", 0.03}};
  EXPECT_EQ(shares_text(prediction), "DRAM 97%");
}

TEST(TimeWords, TheLargestShareHasItsAdvice) {
  timing::Prediction prediction;
  EXPECT_TRUE(advice_of(prediction).empty());
  prediction.shares = {{"latency", 0.6}, {"DRAM", 0.4}};
  EXPECT_EQ(advice_of(prediction), words::row_of(words::Id::advice_latency));
  prediction.shares = {{"launch", 0.6}, {"DRAM", 0.4}};
  EXPECT_TRUE(advice_of(prediction).empty());
}

TEST(TimeWords, RegistersSayWhoCountedThem) {
  EXPECT_EQ(registers_text({.per_thread = 32, .by = "NVRTC 13.0's ptxas for sm_90"}),
            "32 registers a thread (NVRTC 13.0's ptxas for sm_90)");
  EXPECT_EQ(
      registers_text({.per_thread = 255, .by = "ptxas", .stack_bytes = 80, .spilled_bytes = 64}),
      "255 registers a thread and 64 bytes spilled to local memory (ptxas)");
  EXPECT_EQ(registers_text({.per_thread = 40}), "about 40 registers a thread, estimated");
  EXPECT_EQ(
      registers_text(
          {.per_thread = 80, .why_estimated = "LABKIT_PTXAS is off", .estimate_capped = true}),
      "about 80 registers a thread, estimated, and taken for as many as let a block of this "
      "size run: LABKIT_PTXAS is off");
}

}  // namespace
}  // namespace labkit::explain
