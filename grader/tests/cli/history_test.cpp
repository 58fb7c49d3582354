#include "cli/history.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/text.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

class HistoryTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("labkit_history_test_" + std::to_string(getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_ / "lab");
    write_file_atomically(root_ / "lab/lab.toml", "limits\n");
    lab_.id = "lab1";
    lab_.directory = root_ / "lab";
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path file() const { return root_ / "cache/state/lab1/history.jsonl"; }
  std::vector<Attempt> history() const { return read_history(root_ / "cache", "lab1"); }
  Attempt add(const std::string& source, double points, double sectors = 0, double time_us = 0) {
    grade::LabResult result;
    result.gpu = "h200";
    result.points = points;
    result.max_points = 100;
    grade::TestResult& test = result.tests.emplace_back();
    test.name = "Copy.Bandwidth";
    test.verdict.kind = result.verdict.kind = points == 100  ? "pass"
                                              : sectors == 0 ? "wrong_result"
                                                             : "gate";
    if (test.verdict.kind == "gate") test.verdict.gate = result.verdict.gate = "sectors";
    if (sectors != 0)
      test.figures = {{"load_sectors_per_request", sectors}, {"time_us", time_us}, {"other", 1}};
    const auto attempt = attempt_of(lab_, source, result, ++now_);
    EXPECT_TRUE(attempt);
    append_to_history(root_ / "cache", "lab1", *attempt);
    return *attempt;
  }

  fs::path root_;
  grade::Manifest lab_;
  std::time_t now_ = 1'790'000'000;
};

TEST_F(HistoryTest, EachVersionIsALine) {
  add("a", 20);
  add("b", 60, 32, 50);
  add("b", 60, 32, 50);  // graded once more: nothing new
  add("a", 20);
  const auto all = history();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].source, all[2].source);
  EXPECT_EQ(all[1].total(), 60);
  EXPECT_EQ(all[1].figures.at("Copy.Bandwidth").at("load_sectors_per_request"), 32);
  EXPECT_FALSE(all[1].figures.at("Copy.Bandwidth").contains("other"));
  EXPECT_TRUE(all[0].figures.empty());
  EXPECT_EQ(all[0].time.size(), std::string("2026-11-26T21:14:07Z").size());
}

TEST_F(HistoryTest, ABrokenLineIsSkipped) {
  add("a", 20);
  add("b", 60);
  write_file_atomically(file(), "{\"time\": 3}\nno JSON\n" + read_file(file()) + "{\"ti");
  ASSERT_EQ(history().size(), 2u);
  add("c", 40);
  EXPECT_EQ(history().size(), 3u);
  const std::string text = read_file(file());
  EXPECT_EQ(split_lines(text).size(), 3u);
}

TEST_F(HistoryTest, IsBoundedAndKeepsTheBestAndTheFirstThatWorked) {
  add("wrong", 0);
  const Attempt first = add("first", 40, 32, 50), best = add("best", 100, 4, 20);
  for (std::size_t i = 0; i < kMostAttempts + 10; ++i)
    add("version " + std::to_string(i), 60, 8, 30);
  const auto all = history();
  ASSERT_EQ(all.size(), kMostAttempts);
  EXPECT_EQ(all[0].source, first.source);
  EXPECT_EQ(all[1].source, best.source);
  ASSERT_NE(best_of(all, lab_), nullptr);
  EXPECT_EQ(best_of(all, lab_)->source, best.source);
}

TEST_F(HistoryTest, AFolderThatCannotBeWrittenIsNoError) {
  write_file_atomically(root_ / "cache/state/lab1", "a file where the folder would be");
  add("a", 20);
  EXPECT_TRUE(history().empty());
  EXPECT_EQ(best_of(history(), lab_), nullptr);
}

TEST_F(HistoryTest, UnderOtherLimitsPointsDoNotCompare) {
  add("a", 100, 4, 20);
  write_file_atomically(root_ / "lab/lab.toml", "other limits\n");
  EXPECT_EQ(best_of(history(), lab_), nullptr);
  EXPECT_FALSE(reward_of(history(), add("b", 60, 4, 20)).before);
}

TEST_F(HistoryTest, WhatIsNoAttemptIsNotKept) {
  grade::LabResult result;
  result.verdict.kind = "untouched";
  EXPECT_FALSE(attempt_of(lab_, "stub", result, 0));
  grade::LabResult half = result;  // one of two kernels is right
  half.points = 50;
  half.tests.resize(2);
  half.tests[0].verdict.kind = "pass";
  half.tests[1].verdict.kind = "untouched";
  ASSERT_TRUE(attempt_of(lab_, "half", half, 0));
  EXPECT_EQ(attempt_of(lab_, "half", half, 0)->points, 50);
  result.verdict.kind = "compile_error";
  EXPECT_FALSE(attempt_of(lab_, "", result, 0));
  EXPECT_TRUE(attempt_of(lab_, "broken", result, 0));
  result.verdict.kind = "pass";  // of one test, as CTest runs them
  result.tests.resize(2);
  result.tests[0].verdict.kind = "pass";
  EXPECT_FALSE(attempt_of(lab_, "source", result, 0));
}

TEST_F(HistoryTest, AGainIsAgainstTheFirstThatWorkedAndTheOneBefore) {
  add("wrong", 0);
  EXPECT_FALSE(reward_of(history(), add("first", 40, 32, 60)).gain);
  add("second", 60, 8, 30);
  const Attempt third = add("third", 100, 4, 20);
  const explain::Reward reward = reward_of(history(), third);
  EXPECT_EQ(reward.now, 100);
  EXPECT_EQ(reward.before, 60);
  EXPECT_TRUE(reward.is_best());
  ASSERT_TRUE(reward.gain);
  EXPECT_EQ(reward.gain->test, "Copy.Bandwidth");
  EXPECT_EQ(reward.gain->figure, "load_sectors_per_request");
  EXPECT_EQ(reward.gain->from, 32);
  EXPECT_EQ(reward.gain->to, 4);
  EXPECT_DOUBLE_EQ(reward.gain->than_first, 3);
  EXPECT_DOUBLE_EQ(reward.gain->than_before, 1.5);
  const auto lines = explain::tell_reward(reward);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[1].find("32 -> 4, predicted 3.0 times as fast as your first version"),
            std::string::npos)
      << lines[1];
}

TEST_F(HistoryTest, AStepBackIsNotPraisedAndTheBestIsKept) {
  add("first", 40, 32, 60);
  add("best", 100, 4, 20);
  const explain::Reward reward = reward_of(history(), add("worse", 60, 16, 40));
  EXPECT_FALSE(reward.gain);
  EXPECT_EQ(reward.best, 100);
  EXPECT_FALSE(reward.is_best());
  EXPECT_EQ(explain::tell_reward(reward).size(), 1u);
  // Back to the first: it is not compared with itself.
  const explain::Reward back = reward_of(history(), add("first", 40, 32, 60));
  EXPECT_EQ(back.before, 60);
  EXPECT_FALSE(back.gain);
}

TEST(Reward, NamesTheBonusThatIsOpen) {
  grade::LabResult result;
  result.tests.resize(2);
  result.tests[1].bonus = true;
  result.tests[1].max_points = 20;
  result.tests[1].name = "Lab.More";
  EXPECT_NE(explain::tell_open_bonus(result).find("20 points for Lab.More"), std::string::npos);
  result.tests[1].verdict.kind = "pass";
  EXPECT_EQ(explain::tell_open_bonus(result), "");
}

}  // namespace
}  // namespace labkit::cli
