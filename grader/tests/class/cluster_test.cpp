// A class graded by shards: the same as in one process, whatever happens to a worker.
#include "cluster.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <sstream>

#include "base/text.h"

namespace labkit::course {
namespace {

class Shards : public Cluster {
 protected:
  /// Right and wrong ones, three the same, and one that does not compile.
  void make_class() const {
    for (const char* student : {"ana", "bo", "cy"}) attempt(student, solution("correct/tile.cu"));
    for (const char* student : {"di", "ed", "flo"})
      attempt(student, solution("correct/padded.cu") + "// " + student + "\n");
    attempt("gus", solution("wrong/tile_not_turned.cu"));
    attempt("hal", "__global__ void corner_turn( {");
  }
};

TEST_F(Shards, ShardsInAnyOrderGiveWhatOneProcessGives) {
  make_class();
  const auto planned = plan("3");
  ASSERT_EQ(planned.exit_code, kExitOk) << planned.out << planned.err;
  EXPECT_SAYS(planned, "7 gradings to run, in 3 shards");
  EXPECT_EQ(work("2/3").exit_code, kExitOk);
  const auto early = merge_shards();
  EXPECT_EQ(early.exit_code, kExitOurError) << "something is missing";
  EXPECT_SAYS(early, "Not graded yet");
  const auto status = run({"class", "status", sharded().string()});
  EXPECT_SAYS(status, "Not finished: 2 shards of 3: 0-1");
  EXPECT_EQ(work("0/3").exit_code, kExitOk);
  EXPECT_EQ(work("1/3").exit_code, kExitOk);
  const auto merged = merge_shards();
  EXPECT_EQ(merged.exit_code, kExitOk) << merged.out << merged.err;
  EXPECT_FALSE(PlanFolder::find(sharded())) << "the plan is over";
  EXPECT_SAYS(work("1/3"), "Nothing to do");  // a scheduler that starts it once more
  expect_as_in_one_process();
}

TEST_F(Shards, AnotherNumberOfShardsThanPlannedWorksAsWell) {
  make_class();
  ASSERT_EQ(plan("1").exit_code, kExitOk);
  for (const char* shard : {"0/2", "1/2", "0/2"}) EXPECT_EQ(work(shard).exit_code, kExitOk);
  EXPECT_EQ(merge_shards().exit_code, kExitOk);
  expect_as_in_one_process();
}

TEST_F(Shards, AWorkerThatIsKilledCostsWhatItWasAt) {
  make_class();
  ASSERT_EQ(plan("1").exit_code, kExitOk);
  for (const std::size_t done : {1u, 3u}) {
    const pid_t child =
        begin({"class", "work", sharded().string(), "--shard", "0/1", "--jobs", "1"});
    for (int tries = 0; tries < 20'000; ++tries) {
      if (PlanFolder::find(sharded())->state().done.size() >= done) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  }
  const std::size_t kept = PlanFolder::find(sharded())->state().done.size();
  EXPECT_GE(kept, 3u);
  EXPECT_EQ(work("0/1").exit_code, kExitOk);
  EXPECT_EQ(merge_shards().exit_code, kExitOk);
  expect_as_in_one_process();
}

TEST_F(Shards, AnImportThatChangesGradesWaitsUntilItIsMergedWithYes) {
  attempt("ana", solution("wrong/tile_not_turned.cu"));
  ASSERT_EQ(plan("1").exit_code, kExitOk);
  ASSERT_EQ(work("0/1").exit_code, kExitOk);
  ASSERT_EQ(merge_shards().exit_code, kExitOk);
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(plan("1").exit_code, kExitOk);
  EXPECT_EQ(merge_shards({"--yes"}).exit_code, kExitOurError);
  const auto before = read_file(sharded() / "grades.csv");
  EXPECT_EQ(work("0/1").exit_code, kExitOk);
  EXPECT_SAYS(merge_shards(), "1 grade and 1 total change by the import of ");
  EXPECT_EQ(read_file(sharded() / "grades.csv"), before) << "nobody said yes";
  EXPECT_EQ(merge_shards({"--yes"}).exit_code, kExitOk);
  EXPECT_NE(read_file(sharded() / "grades.csv"), before);
}

TEST_F(Shards, ATypedWrongFolderIsRefused) {
  fs::create_directories(folder_ / "empty");
  for (const char* command : {"work", "submit", "merge"}) {
    const auto ran = run({"class", command, (folder_ / "empty").string()});
    EXPECT_EQ(ran.exit_code, kExitUsage) << ran.out << ran.err;
  }
}

/// As a teaching assistant would paste it into a shell.
TEST_F(Shards, TheLineForGnuParallelGradesTheClass) {
  process::Command shell;
  shell.argv = {"/bin/bash", "-c", "command -v parallel"};
  shell.environment = command({}).environment;
  shell.limits = {.wall_seconds = 280};
  if (process::run(shell).exit_code != 0) GTEST_SKIP() << "skipped: there is no GNU parallel";
  make_class();
  ASSERT_EQ(plan("3").exit_code, kExitOk);
  const auto submitted = submit();
  ASSERT_EQ(submitted.exit_code, kExitOk) << submitted.out << submitted.err;
  std::istringstream lines(submitted.out);
  std::string line;
  for (std::string each; std::getline(lines, each);)
    if (trim(each).starts_with("parallel ")) line = trim(each);
  ASSERT_NE(line, "") << submitted.out;
  shell.argv.back() = line;
  const auto ran = process::run(shell);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_SAYS(submit(), "Nothing is missing");
  EXPECT_EQ(merge_shards().exit_code, kExitOk);
  expect_as_in_one_process();
}

}  // namespace
}  // namespace labkit::course
