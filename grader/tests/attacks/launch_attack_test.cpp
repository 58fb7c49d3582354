// Attacks by what a kernel does, on the simulator.
#include <filesystem>
#include <thread>

#include "attack.h"
#include "base/error.h"

namespace labkit::attacks {
namespace {

/// Bytes. Each host thread has a stack and caches of its own; AddressSanitizer keeps what was freed for a while.
std::uint64_t most_memory(std::uint64_t mebibytes) {
  std::uint64_t most = (mebibytes + 8ull * std::thread::hardware_concurrency()) << 20;
#if defined(__SANITIZE_ADDRESS__)
  most *= 3;
#endif
  return most;
}

class LaunchAttack : public Attack {
 protected:
  /// The verdict is that of every test: nothing is earned anywhere.
  void expect_everywhere(const std::string& name, const std::string& verdict) {
    const Graded graded = expect(name, verdict, 0);
    for (const char* test :
         {"AnyLength", "AnyGrid", "Doubles", "BandwidthFloat", "BandwidthDouble"})
      EXPECT_EQ(graded.test(test), verdict) << test;
  }
  /// How the inputs of a seed begin, as a kernel prints it.
  std::string first_of(std::uint64_t seed) {
    const Graded graded = grade("print_first", {.seed = seed, .tests = "VecAdd.AnyGrid"});
    const std::size_t at = graded.run.out.find("first: ");
    if (at == std::string::npos) return "0";
    const std::size_t end = graded.run.out.find_first_of(" \n", at + 7);
    return graded.run.out.substr(at + 7, end - at - 7);
  }
};

// What a launch leaves behind in variables of the module is gone before the next.
TEST_F(LaunchAttack, IdleAfterTheFirstLaunch) {
  // Right each time, since each time is the first.
  const Graded graded = expect("idle_after_first", "pass", 100);
  EXPECT_EQ(graded.test("AnyGrid"), "pass");
}
TEST_F(LaunchAttack, WorksFromTheSecondLaunchOn) {
  expect_everywhere("works_later", "wrong_result");
}
TEST_F(LaunchAttack, ReplayByPointer) { expect("replay_by_pointer", "pass", 100); }
TEST_F(LaunchAttack, ReplayOnly) { expect_everywhere("replay_only", "wrong_result"); }

TEST_F(LaunchAttack, SpecialCaseOfTheSeed) {
  const std::vector<std::pair<std::string, std::string>> known = {{"@FIRST@", first_of(1)}};
  const Graded same = grade("special_seed", {.seed = 1, .tests = "VecAdd.AnyGrid"}, known);
  EXPECT_EQ(same.test("AnyGrid"), "pass") << same.run.out;  // it does know that seed
  for (const std::uint64_t seed : {2ull, 0x9e3779b97f4a7c15ull}) {
    const Graded other = grade("special_seed", {.seed = seed}, known);
    EXPECT_EQ(other.verdict(), "wrong_result") << seed;
    EXPECT_EQ(other.points(), 0) << seed;
  }
}

TEST_F(LaunchAttack, SpecialCaseOfTheSize) {
  const Graded graded = expect("special_size", "wrong_result", 60);
  EXPECT_EQ(graded.test("BandwidthFloat"), "wrong_result");
  EXPECT_EQ(graded.test("BandwidthDouble"), "wrong_result");
}

TEST_F(LaunchAttack, SkipsOneInAThousand) { expect_everywhere("skip_some", "wrong_result"); }
TEST_F(LaunchAttack, SkipsASingleElement) { expect("skip_one", "wrong_result", 60); }
TEST_F(LaunchAttack, StaleOutput) { expect_everywhere("stale_output", "wrong_result"); }
TEST_F(LaunchAttack, NotANumberAsAWildcard) { expect_everywhere("nan_wildcard", "wrong_result"); }

TEST_F(LaunchAttack, OverwritesTheInputs) { expect_everywhere("overwrite_inputs", "wrong_result"); }
TEST_F(LaunchAttack, SpoilsTheInputsAfterUse) {
  expect_everywhere("spoil_inputs", "input_changed");
}

TEST_F(LaunchAttack, SearchesBehindTheOutput) {
  expect_everywhere("search_behind", "out_of_bounds");
}
TEST_F(LaunchAttack, SearchesFarAway) { expect_everywhere("search_far", "out_of_bounds"); }
TEST_F(LaunchAttack, WritesBehindTheOutput) { expect_everywhere("write_behind", "out_of_bounds"); }
TEST_F(LaunchAttack, WritesAnywhere) { expect_everywhere("asm_wild_store", "out_of_bounds"); }

TEST_F(LaunchAttack, TooMuchSharedMemory) { expect_everywhere("too_much_shared", "launch"); }
TEST_F(LaunchAttack, BoundsThatTheLaunchBreaks) { expect_everywhere("launch_bounds", "launch"); }

// Refused before anything is allocated, with the line that does it.
TEST_F(LaunchAttack, LocalArraysThatEatMemory) {
  // A whole block's arrays do not fit; one thread's do, and then clearing them takes the budget.
  const Graded graded = expect("local_memory", "launch", 0);
  for (const char* test : {"AnyLength", "Doubles", "BandwidthFloat", "BandwidthDouble"})
    EXPECT_EQ(graded.test(test), "launch") << test;
  EXPECT_EQ(graded.test("AnyGrid"), "budget");
  EXPECT_NE(graded.run.out.find("Each thread has 500,000 bytes of local arrays."),
            std::string::npos)
      << graded.run.out;
  EXPECT_LT(graded.run.peak_memory_bytes, most_memory(300));
}
TEST_F(LaunchAttack, RecursionThatEatsMemory) {
  expect_everywhere("recursion_memory", "trap");
  EXPECT_LT(grade("recursion_memory").run.peak_memory_bytes, most_memory(400));
}

TEST_F(LaunchAttack, CacheHintsMoveNoSectorLess) {
  const Graded graded = expect("cache_hints", "gate float_sectors", 60);
  EXPECT_EQ(graded.test("BandwidthDouble"), "gate double_sectors");
}

TEST_F(LaunchAttack, EndlessLoop) { expect_everywhere("endless", "budget"); }
TEST_F(LaunchAttack, EndlessRecursion) { expect_everywhere("endless_recursion", "trap"); }
TEST_F(LaunchAttack, Trap) { expect_everywhere("trap", "trap"); }

TEST_F(LaunchAttack, SleepsCostNoTimeOfOurs) {
  // Hours of it, all told: the simulator charges a sleep to the budget and does not wait.
  const Graded graded = grade("sleeps");
  EXPECT_EQ(graded.verdict(), "budget") << graded.run.err;
}

TEST_F(LaunchAttack, ClocksTellNothingOfWhoLooks) {
  // Right or wrong by the clock: the simulator's clock is part of the simulation, so it is the same
  // each time, and a grade got so is no other the next time.
  const Graded once = grade("globaltimer"), again = grade("globaltimer");
  ASSERT_FALSE(once.json.is_null()) << once.run.err;
  EXPECT_EQ(once.json["tests"], again.json["tests"]);
  EXPECT_NE(once.verdict(), "pass");
}

TEST_F(LaunchAttack, ForgedReport) {
  expect_everywhere("forged_report", "wrong_result");
  const Graded graded = grade("forged_report");
  EXPECT_EQ(graded.run.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(graded.run.out.find("\n[  PASSED  ]"), std::string::npos) << graded.run.out;
}

}  // namespace
}  // namespace labkit::attacks
