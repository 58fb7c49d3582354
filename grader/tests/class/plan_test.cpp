// A plan's folder, and what the gradebook takes from it; without kernels.
#include "class/grading/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "class/policy/policy.h"
#include "class_files.h"
#include "made_class.h"
#include "report/json.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Three students with two labs each; s1's lab1 is the same as s0's.
class PlanTest : public testing::Test {
 protected:
  PlanTest() : book_(folder_.path() / "gradebook.sqlite") {
    Intake intake = made_class(3, {"lab1", "lab3"});
    intake.submissions[2].source = intake.submissions[0].source;
    intake.submissions[2].source_sha256 = intake.submissions[0].source_sha256;
    book_.put_class(intake);
    book_.plan(made_conditions());
  }
  PlanFolder make(const std::string& seed = "1") {
    Plan plan;
    plan.shards = 2;
    plan.seed = std::stoull(seed);
    std::set<std::pair<std::string, std::string>> tasks;
    for (const Job& job : book_.to_do()) {
      tasks.insert({job.lab, job.source_sha256});
      plan.labs[job.lab] = {.kit = job.kit,
                            .check_sha256 = "c",
                            .device = job.device,
                            .profile = "h200",
                            .measurement = job.lab_hash,
                            .scoring = "s",
                            .clock = ""};
    }
    plan.tasks.push_back({"lab1", "", 0});
    for (const auto& [lab, source] : tasks) plan.tasks.push_back({lab, source, 1});
    return PlanFolder::create(folder_.path(), plan,
                              [&](const std::string& hash) { return *book_.source(hash); });
  }
  static std::string result(const Task& task, const char* verdict = "pass") {
    grade::LabResult result;
    result.lab = task.lab;
    result.verdict = grade::verdict_from_text(verdict);
    result.points = result.max_points = 100;
    return report::lab_json(result);
  }
  static void finish(const PlanFolder& plan, const Shard& shard) {
    for (const Task& task : plan.plan().tasks_of(shard))
      plan.put(task, PlanFolder::kDone, result(task));
  }

  TemporaryFolder folder_;
  Gradebook book_;
};

TEST_F(PlanTest, HoldsEachSourceOnceAndIsFoundAsItWasWritten) {
  const PlanFolder made = make();
  EXPECT_EQ(made.plan().tasks.size(), 6u);
  const auto found = PlanFolder::find(folder_.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path(), made.path());
  EXPECT_EQ(found->plan().labs, made.plan().labs);
  EXPECT_EQ(found->plan().seed, 1u);
  ASSERT_EQ(found->plan().tasks.size(), 6u);
  EXPECT_TRUE(found->plan().tasks[0].is_reference());
  EXPECT_EQ(sha256_hex(found->source(found->plan().tasks[3])),
            found->plan().tasks[3].source_sha256);
  struct stat folder {};
  ASSERT_EQ(::stat(made.path().c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777, 0700u) << "it holds the seed and everybody's source";
  EXPECT_FALSE(PlanFolder::find(folder_.path() / "elsewhere"));
}

TEST_F(PlanTest, ShardsShareTheTasksWithoutOverlap) {
  const Plan plan = make().plan();
  for (const unsigned of : {1u, 2u, 4u, 9u}) {
    std::multiset<std::string> all;
    for (unsigned index = 0; index < of; ++index)
      for (const Task& task : plan.tasks_of({index, of})) all.insert(task.name());
    EXPECT_EQ(all.size(), 6u);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 6u);
  }
  EXPECT_EQ(shard_from("3/12").index, 3u);
  EXPECT_EQ(shard_from("3/12").of, 12u);
  for (const char* wrong : {"", "3", "12/12", "-1/2", "1/0", "1/2x", "a/b", "1/"})
    EXPECT_THROW(shard_from(wrong), UsageError) << wrong;
}

TEST_F(PlanTest, MergesWhatThereIsAndTheRestLater) {
  const PlanFolder plan = make();
  finish(plan, {0, 2});
  const Merged first = merge(book_, plan);
  EXPECT_GT(first.taken, 0u);
  EXPECT_GT(first.missing, 0u);
  EXPECT_EQ(first.taken + first.missing, 6u) << "submissions, of which two share a task";
  EXPECT_EQ(count(book_.entries(View::with_pending)).graded, first.taken);
  EXPECT_EQ(merge(book_, plan).taken, 0u) << "once is enough";
  finish(plan, {1, 2});
  const Merged second = merge(book_, plan);
  EXPECT_EQ(second.taken, first.missing);
  EXPECT_TRUE(second.is_whole());
  EXPECT_NE(book_.setting("reference lab1"), "");
  // Each with its own student, although two were graded as one.
  for (const Entry& entry : book_.entries()) {
    const auto outcome = book_.outcome(entry.job->id);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(book_.job_of_receipt(outcome->receipt)->student, entry.student);
  }
}

TEST_F(PlanTest, AFailureIsNoZeroAndGivesWayToAResult) {
  const PlanFolder plan = make();
  for (const Task& task : plan.plan().tasks)
    plan.put(task, PlanFolder::kFailed, "the node was rebooted");
  const Merged failed = merge(book_, plan);
  EXPECT_EQ(failed.failed, 6u);
  EXPECT_FALSE(failed.is_whole());
  EXPECT_EQ(failed.warnings.size(), 1u) << "the kit's own solution, too";
  for (const Entry& entry : book_.entries()) {
    EXPECT_FALSE(entry.graded);
    EXPECT_EQ(entry.job->message, "the node was rebooted");
  }
  EXPECT_EQ(plan.state().failed.size(), 6u);
  finish(plan, {});
  EXPECT_EQ(plan.state().failed.size(), 0u);
  EXPECT_EQ(merge(book_, plan).taken, 6u);
  EXPECT_EQ(count(book_.entries(View::with_pending)).graded, 6u);
}

TEST_F(PlanTest, AResultThatIsNoneIsMissing) {
  const PlanFolder plan = make();
  finish(plan, {});
  const Task& first = plan.plan().tasks[1];
  write_file_atomically(plan.path() / "results" / (first.name() + ".json"), "");  // a power cut
  const Merged merged = merge(book_, plan);
  EXPECT_GE(merged.missing, 1u);
  EXPECT_EQ(merged.warnings.size(), 1u);
  EXPECT_TRUE(plan.state().is_open(first)) << "so that it is graded again";
}

TEST_F(PlanTest, ResultsOfOtherConditionsAreNotTaken) {
  const PlanFolder plan = make("2");  // another seed than the gradebook's
  finish(plan, {});
  EXPECT_EQ(merge(book_, plan).taken, 0u);
}

TEST_F(PlanTest, AWorkerOfAPlanThatIsOverStops) {
  const PlanFolder old = make();
  const PlanFolder next = make();
  EXPECT_NE(old.path(), next.path());
  EXPECT_FALSE(fs::exists(old.path()));
  EXPECT_THROW(old.put(old.plan().tasks[0], PlanFolder::kDone, "{}"), Stopped);
  EXPECT_FALSE(fs::exists(old.path()));
  next.remove();
  EXPECT_THROW(next.put(next.plan().tasks[0], PlanFolder::kFailed, "x"), Stopped);
  EXPECT_FALSE(PlanFolder::find(folder_.path()));
}

TEST_F(PlanTest, WhatWasChangedIsRefused) {
  const PlanFolder plan = make();
  const Task& task = plan.plan().tasks[1];
  write_file_atomically(plan.path() / "sources" / (task.source_sha256 + ".cu"), "// other\n");
  EXPECT_THROW(plan.source(task), Error);
  for (const char* text : {"", "{}", R"({"format": 99})"}) {
    write_file_atomically(plan.path() / "plan.json", text);
    EXPECT_THROW(PlanFolder::find(folder_.path()), Error) << text;
  }
}

}  // namespace
}  // namespace labkit::course
