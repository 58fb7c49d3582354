// Films: the steps are what a kernel that is known does.
#include <gtest/gtest.h>

#include <algorithm>

#include "observe/film_recorder.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

constexpr const char* kFilmHeader =
    ".version 7.8\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 tile[8192];\n";

/// One buffer of 64 KiB: %d0. %r0 tid.x, %r1 ctaid.x, %d1 its element of thread tid.x, %r2 its word of tile.
Film film_of(const std::string& body, launch::Dim3 grid = {}, launch::Dim3 block = {32, 1, 1},
             const launch::Finding* finding = nullptr, std::uint64_t budget = 0) {
  const auto parsed = ptx::parse(std::string(kFilmHeader) + R"(
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .pred %p<20>;
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mul.wide.u32 %d1, %r0, 4;
add.s64 %d1, %d0, %d1;
mov.u32 %r2, tile;
mad.lo.u32 %r2, %r0, 4, %r2;
)" + body + "\nret;\n}\n");
  EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
  const auto decoded = simt::decode(*parsed.module, "k");
  EXPECT_TRUE(decoded.program) << (decoded.refused.empty()
                                       ? std::string()
                                       : words::render(decoded.refused[0].evidence));
  simt::Memory memory;
  const auto address = memory.allocate("p", std::vector<std::byte>(64 * 1024, std::byte{0}));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = grid;
  launch.block = block;
  return record_film(*decoded.program, launch, std::as_bytes(std::span(&address, 1)), memory,
                     {.simd = {}, .thread_instruction_budget = budget}, finding);
}

/// Between two threads of block 0, at address 0 of shared memory.
launch::Finding race_of(launch::Cause cause, launch::Access other_access, std::uint32_t other,
                        launch::Access access, std::uint32_t thread) {
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.space = "shared";
  race.cause = cause;
  race.block = race.other_block = {0, 0, 0};
  race.other_thread = {other, 0, 0};
  race.thread = {thread, 0, 0};
  race.other_access = other_access;
  race.access = access;
  return race;
}

/// "0a" warp 0 accesses, "1w" waits, "-r" all go on, "0x" is done, "0s" stops the launch.
std::string text(const Film& film) {
  std::string all;
  for (const FilmStep& step : film.steps) {
    all += all.empty() ? "" : " ";
    all += step.what == FilmStep::What::release ? "-" : std::to_string(step.who.warp);
    all += "awrxs"[static_cast<std::size_t>(step.what)];
  }
  return all;
}

TEST(Film, ACoalescedLoadIsAStepOfFourSectors) {
  const Film film = film_of("ld.global.u32 %r3, [%d1];", {5, 1, 1});
  ASSERT_EQ(text(film), "0a 0x");
  const FilmStep& load = film.steps[0];
  EXPECT_EQ(load.who.block, 2u) << "the block in the middle";
  EXPECT_EQ(film.block, (launch::Dim3{2, 0, 0}));
  EXPECT_EQ(load.lanes, ~0u);
  EXPECT_EQ(load.access.cost, 4u);
  EXPECT_EQ(load.access.addresses[31] - load.access.addresses[0], 124u);
  EXPECT_FALSE(load.is_store);
}

TEST(Film, ABankConflictCostsItsWavefronts) {
  const Film film = film_of("mul.lo.u32 %r3, %r0, 128;\nst.shared.u32 [%r3], %r0;");
  ASSERT_EQ(text(film), "0a 0x");
  EXPECT_EQ(film.steps[0].space, ptx::Space::shared);
  EXPECT_TRUE(film.steps[0].is_store);
  EXPECT_EQ(film.steps[0].access.cost, 32u);
  EXPECT_EQ(film.steps[0].access.ideal, 1u);
}

TEST(Film, DivergedLanesTakeStepsOfTheirOwn) {
  const Film film = film_of(R"(
setp.lt.u32 %p1, %r0, 8;
@%p1 bra LOW;
st.shared.u32 [%r2], %r0;
bra END;
LOW:
ld.shared.u32 %r3, [%r2];
END:)");
  std::vector<std::uint32_t> lanes;
  for (const FilmStep& step : film.steps)
    if (step.what == FilmStep::What::access) lanes.push_back(step.lanes);
  std::ranges::sort(lanes);
  EXPECT_EQ(lanes, (std::vector<std::uint32_t>{0xff, 0xffffff00}));
}

TEST(Film, WarpsWaitAtABarrierAndGoOnTogether) {
  const Film film =
      film_of("st.shared.u32 [%r2], %r0;\nbar.sync 0;\nld.shared.u32 %r3, [%r2];", {}, {64, 1, 1});
  EXPECT_EQ(text(film), "0a 0w 1a 1w -r 1a 1x 0a 0x") << "the last to arrive goes on first";
  EXPECT_EQ(film.steps[1].arrived, 1u);
  EXPECT_EQ(film.steps[3].arrived, 2u);
  EXPECT_TRUE(film.steps[4].filled.empty()) << "both warps are filmed";
}

TEST(Film, WhatOtherWarpsStoredIsThereAfterTheBarrier) {
  const Film film = film_of("st.shared.u32 [%r2], %r0;\nbar.sync 0;", {}, {32 * 6, 1, 1});
  EXPECT_EQ(film.warps.size(), kFilmedWarps);
  const auto release = std::ranges::find(film.steps, FilmStep::What::release, &FilmStep::what);
  ASSERT_NE(release, film.steps.end());
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> others{{4 * 128, 6 * 128}};
  EXPECT_EQ(release->filled, others);
}

constexpr const char* kLoop = R"(
mov.u32 %r4, 0;
AGAIN:
ld.global.u32 %r3, [%d1];
add.u32 %r4, %r4, 1;
setp.lt.u32 %p1, %r4, 1000;
@%p1 bra AGAIN;
st.global.u32 [%d1], %r3;)";

TEST(Film, ALoopIsBoundedAndItsEndIsReached) {
  const Film film = film_of(kLoop);
  EXPECT_EQ(text(film), "0a 0a 0a 0a 0a 0x");
  EXPECT_TRUE(film.steps[4].is_store);
  EXPECT_EQ(film.steps[4].skipped, 1000 - kFilmedExecutions);
  EXPECT_EQ(film.left_out, 0u);
}

/// In a loop of 10 stores, of which the film shows 4, each a row further: the read then finds all of them stored.
TEST(Film, WhatLeftOutStepsStoredIsThereAtTheNextOne) {
  const Film film = film_of(R"(
mov.u32 %r3, 0;
AGAIN:
st.shared.u32 [%r2], %r0;
add.u32 %r2, %r2, 128;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p1, %r3, 10;
@%p1 bra AGAIN;
mov.u32 %r4, tile;
ld.shared.u32 %r5, [%r4];)");
  ASSERT_EQ(text(film), "0a 0a 0a 0a 0a 0x");
  EXPECT_EQ(film.steps[4].skipped, 6u);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> rows = {{4 * 128, 10 * 128}};
  EXPECT_EQ(film.steps[4].filled, rows);
}

/// Three loads of one place, four that are 8 bytes apart, four that are 16: the first of the last ones is the eighth execution.
TEST(Film, AStepThatCostsMoreThanThoseBeforeIsKept) {
  const Film film = film_of(R"(
mov.u32 %r3, 1;
AGAIN:
shr.u32 %r4, %r3, 2;
mul.lo.u32 %r4, %r0, %r4;
mul.wide.u32 %d2, %r4, 8;
add.s64 %d2, %d0, %d2;
ld.global.u32 %r5, [%d2];
add.u32 %r3, %r3, 1;
setp.lt.u32 %p1, %r3, 12;
@%p1 bra AGAIN;)");
  std::vector<std::uint32_t> costs;
  for (const FilmStep& step : film.steps)
    if (step.what == FilmStep::What::access) costs.push_back(step.access.cost);
  EXPECT_EQ(costs, (std::vector<std::uint32_t>{1, 1, 1, 8, 16}));
}

TEST(Film, HasAtMostSoManySteps) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "ld.volatile.global.u32 %r3, [%d1];\n";
  const Film film = film_of(body, {}, {128, 1, 1});
  EXPECT_EQ(film.steps.size(), kMostFilmSteps);
  EXPECT_EQ(film.steps.size() + film.left_out, 4u * 1001);
}

/// Warp 0 stores what warp 1 reads, as `cause` says with a barrier between them.
TEST(Film, ARaceIsShownInTheOrderThatDoesHarm) {
  for (const auto cause :
       {launch::Cause::race_missing_barrier, launch::Cause::race_missing_barrier_in_loop}) {
    launch::Finding race;
    race.kind = launch::FindingKind::race;
    race.space = "shared";
    race.cause = cause;
    race.block = race.other_block = {0, 0, 0};
    race.other_thread = {0, 0, 0};
    race.thread = {32, 0, 0};
    race.address = 0;
    const Film film = film_of(R"(
setp.lt.u32 %p1, %r0, 32;
@%p1 st.shared.u32 [%r2], %r0;
add.u32 %r3, %r2, -128;
@!%p1 ld.shared.u32 %r4, [%r3];)",
                              {}, {64, 1, 1}, &race);
    ASSERT_TRUE(film.race);
    const bool store_is_late = cause == launch::Cause::race_missing_barrier;
    EXPECT_LT(film.race->early, film.race->late);
    EXPECT_EQ(film.steps[film.race->late].is_store, store_is_late);
    EXPECT_EQ(film.steps[film.race->early].is_store, !store_is_late);
    EXPECT_EQ(film.race->early_lanes, 1u) << "one lane of the 32 touches the place";
    EXPECT_EQ(film.race->late_lanes, 1u);
  }
}

/// In the tenth of its iterations, of which four are kept, warp 1 reads what warp 0 stores; barriers order all others.
TEST(Film, ARaceInALaterIterationIsKeptAndBarriersAreMinded) {
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.space = "shared";
  race.cause = launch::Cause::race_missing_barrier;
  race.block = race.other_block = {0, 0, 0};
  race.other_thread = {0, 0, 0};
  race.thread = {32, 0, 0};
  race.address = 10 * 128;
  const Film film = film_of(R"(
setp.lt.u32 %p1, %r0, 32;
mov.u32 %r4, 0;
add.u32 %r3, %r2, -128;
AGAIN:
add.u32 %r4, %r4, 1;
add.u32 %r2, %r2, 128;
add.u32 %r3, %r3, 128;
@%p1 st.shared.u32 [%r2], %r0;
@!%p1 ld.shared.u32 %r5, [%r3];
bar.sync 0;
setp.lt.u32 %p2, %r4, 20;
@%p2 bra AGAIN;)",
                            {}, {64, 1, 1}, &race);
  ASSERT_TRUE(film.race);
  const FilmStep &early = film.steps[film.race->early], &late = film.steps[film.race->late];
  EXPECT_TRUE(late.is_store);
  EXPECT_EQ(late.access.execution, 9u);
  EXPECT_EQ(early.interval, late.interval);
  EXPECT_EQ(late.interval, 9u);
  EXPECT_GT(late.skipped + early.skipped, 0u);

  race.other_thread = {64, 0, 0};  // it stores there an iteration later: a barrier orders the two
  const Film ordered = film_of(R"(
setp.lt.u32 %p1, %r0, 64;
@!%p1 bra STORE;
ld.shared.u32 %r5, [tile+1280];
STORE:
bar.sync 0;
@!%p1 st.shared.u32 [tile+1280], %r0;)",
                               {}, {96, 1, 1}, &race);
  EXPECT_EQ(std::ranges::count(ordered.steps, true, &FilmStep::races), 2);
  EXPECT_FALSE(ordered.race);
}

TEST(Film, ALaunchThatIsStoppedEndsWithWhatStopsIt) {
  launch::Finding outside;
  outside.kind = launch::FindingKind::out_of_bounds;
  outside.block = {3, 0, 0};
  outside.thread = {160, 0, 0};
  const Film film = film_of(R"(
st.shared.u32 [%r2], %r0;
setp.lt.u32 %p1, %r0, 160;
@!%p1 ld.global.u32 %r3, [%d1+1048576];)",
                            {5, 1, 1}, {192, 1, 1}, &outside);
  ASSERT_TRUE(film.stop);
  EXPECT_EQ(film.stop->finding.kind, launch::FindingKind::out_of_bounds);
  const FilmStep& last = film.steps.back();
  EXPECT_EQ(last.what, FilmStep::What::stop);
  EXPECT_EQ(last.who.block, 3u);
  EXPECT_EQ(last.who.warp, 5u) << "it is among the warps, though not of the first";
  EXPECT_EQ(std::ranges::count(film.warps, last.who), 1);
  EXPECT_EQ(film.warps.size(), kFilmedWarps);
  EXPECT_EQ(last.lanes, ~0u);
  EXPECT_EQ(film.stop->samples.instructions.size(), 1u) << "the store; the load was not made";
  EXPECT_FALSE(film.stop->counters.info.empty());
  EXPECT_FALSE(film_of("st.shared.u32 [%r2], %r0;").stop);
}

TEST(Film, ABarrierThatSomeNeverReachAndALoopWithoutEndStopALaunch) {
  const Film barrier = film_of(R"(
setp.lt.u32 %p1, %r0, 16;
@!%p1 bar.sync 1;
bar.sync 0;)");
  EXPECT_EQ(text(barrier), "0w 0s");
  EXPECT_EQ(barrier.steps.back().lanes, 0xffff0000);
  const Film endless = film_of(R"(
AGAIN:
ld.volatile.global.u32 %r3, [%d1];
add.u32 %r4, %r3, 1;
st.shared.u32 [%r2], %r4;
bra AGAIN;)",
                               {}, {32, 1, 1}, nullptr, 1'000'000);
  EXPECT_EQ(text(endless), "0a 0a 0a 0a 0a 0a 0a 0a 0s");
  EXPECT_GT(endless.steps.back().skipped, 1000u) << "of the same two accesses";
  EXPECT_EQ(endless.stop->finding.kind, launch::FindingKind::budget);
}

/// Two writes are no write and a read of the same line.
TEST(Film, ARaceIsBetweenAccessesOfItsKinds) {
  using enum launch::Access;
  const launch::Finding race = race_of(launch::Cause::race_lost_update, write, 0, write, 32);
  const Film film =
      film_of("mov.u32 %r2, tile;\nld.shared.u32 %r3, [%r2];\nst.shared.u32 [%r2], %r3;", {},
              {64, 1, 1}, &race);
  ASSERT_TRUE(film.race);
  EXPECT_TRUE(film.steps[film.race->early].is_store);
  EXPECT_TRUE(film.steps[film.race->late].is_store);
  EXPECT_NE(film.steps[film.race->early].who, film.steps[film.race->late].who);
}

TEST(Film, LanesOfOneWarpRaceInOneStep) {
  using enum launch::Access;
  const launch::Finding race = race_of(launch::Cause::race_lost_update, write, 0, write, 1);
  const Film film =
      film_of("mov.u32 %r2, tile;\nld.shared.u32 %r3, [%r2];\nst.shared.u32 [%r2], %r0;", {},
              {32, 1, 1}, &race);
  ASSERT_TRUE(film.race);
  EXPECT_EQ(film.race->early, film.race->late);
  EXPECT_TRUE(film.steps[film.race->early].is_store);
  EXPECT_EQ(film.race->early_lanes, ~0u);
}

/// A barrier lies between the copy and the load, and orders nothing: the copy goes on.
TEST(Film, ACopyRacesAcrossABarrier) {
  using enum launch::Access;
  const launch::Finding race = race_of(launch::Cause::race_copy_not_awaited, write, 0, read, 32);
  const Film film = film_of(R"(
cp.async.ca.shared.global [%r2], [%d1], 4;
bar.sync 0;
ld.shared.u32 %r3, [tile];)",
                            {}, {64, 1, 1}, &race);
  ASSERT_TRUE(film.race);
  EXPECT_TRUE(film.race->is_of_copy);
  EXPECT_TRUE(film.steps[film.race->early].is_store);
  EXPECT_EQ(film.steps[film.race->late].who.warp, 1u);
  EXPECT_FALSE(film.steps[film.race->late].is_store);
}

/// The optimiser joins two stores into one that has no line; another build knows the line of the race.
TEST(Film, AStepOfARaceWithoutALineHasThatOfTheRace) {
  using enum launch::Access;
  launch::Finding race = race_of(launch::Cause::race_missing_barrier, write, 0, read, 32);
  race.other = {"kernel.cu", 20};
  race.where = {"kernel.cu", 24};
  const Film film = film_of(R"(
setp.lt.u32 %p1, %r0, 32;
@%p1 st.shared.u32 [%r2], %r0;
@!%p1 ld.shared.u32 %r4, [tile];)",
                            {}, {64, 1, 1}, &race);
  ASSERT_TRUE(film.race);
  EXPECT_EQ(film.steps[film.race->late].where.line, 20u);
  EXPECT_EQ(film.steps[film.race->early].where.line, 24u);
}

}  // namespace
}  // namespace labkit::observe::test
