// figures.toml: read, refused with the reason, written so that it reads the same.
#include "grade/known_figures.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "known_lab.h"

namespace labkit::grade {
namespace {

using test::manifest;

constexpr const char* kText = R"(
gpu = "h200"
[[test]]
name = "K.Fast"
  [[test.answer]]
  name = "naive"
  file = "wrong/slow.cu"
  counted = { global_load_sectors = 32, load_sectors_per_request = 32.5 }
  predicted = { ratio = 0.281 }
  [[test.answer]]
  name = "reference"
  file = "correct/a.cu"
)";

std::string refusal(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    parse_known_figures(text, manifest(), "figures.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(KnownFigures, AreReadAndWritten) {
  const KnownFigures known = parse_known_figures(kText, manifest(), "figures.toml");
  ASSERT_EQ(known.of("K.Fast").size(), 2u);
  EXPECT_TRUE(known.of("K.Right").empty());
  const KnownAnswer& naive = known.of("K.Fast")[0];
  EXPECT_FALSE(naive.is_reference());
  EXPECT_EQ(naive.find("load_sectors_per_request"), 32.5);
  EXPECT_EQ(naive.find("ratio"), 0.281);
  EXPECT_EQ(naive.find("time_us"), std::nullopt);
  EXPECT_TRUE(known.of("K.Fast")[1].is_reference());
  const KnownFigures again = parse_known_figures(to_toml(known), manifest(), "again");
  EXPECT_EQ(again.gpu, "h200");
  EXPECT_EQ(again.of("K.Fast")[0].counted, naive.counted);
  EXPECT_EQ(again.of("K.Fast")[0].predicted, naive.predicted);
  EXPECT_EQ(again.of("K.Fast")[1].file, "correct/a.cu");
}

TEST(KnownFigures, WhatDoesNotFitIsRefusedByName) {
  EXPECT_NE(refusal(kText, "K.Fast", "K.Right").find("grades no test `K.Right`"),
            std::string::npos);
  EXPECT_NE(refusal(kText, "global_load_sectors", "loads").find("loads"), std::string::npos);
  EXPECT_NE(refusal(kText, "= 32,", "= true,").find("global_load_sectors"), std::string::npos);
  EXPECT_NE(refusal(kText, "file =", "files =").find("`file` is missing"), std::string::npos);
  EXPECT_NE(refusal(kText, "gpu =", "cpu =").find("`gpu` is missing"), std::string::npos);
  EXPECT_NE(refusal(kText, "[[test]]", "[test").find("not TOML"), std::string::npos);
}

TEST(KnownFigures, RecordTheGatesFiguresCountedOrPredicted) {
  const Figures figures = {{"ratio", 0.28149},
                           {"global_load_sectors", 1234},
                           {"load_sectors_per_request", 4.125},
                           {"time_us", 5},
                           {"thread_instructions", 99}};
  const Manifest lab = manifest();
  KnownAnswer answer{.name = "naive", .file = "f", .counted = {{"old", 1}}, .predicted = {}};
  record_figures(*lab.find_test("K.Fast"), figures, answer);
  EXPECT_EQ(answer.counted,
            (Figures{{"global_load_sectors", 1234}, {"load_sectors_per_request", 4.125}}));
  EXPECT_EQ(answer.predicted, (Figures{{"ratio", 0.281}}));
}

}  // namespace
}  // namespace labkit::grade
