#include "explain/finding_picture.h"

#include <gtest/gtest.h>

#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using launch::Finding;
using launch::FindingKind;

Finding race() {
  Finding f;
  f.kind = FindingKind::race;
  f.space = "shared";
  f.other_access = launch::Access::write;
  f.access = launch::Access::read;
  f.other = {"kernel.cu", 12};
  f.where = {"kernel.cu", 16};
  f.other_thread = {1, 1, 0};
  f.thread = {0, 2, 0};
  f.block = f.other_block = {2, 0, 0};
  f.address = 132;
  f.access_bytes = 4;
  f.array = {"tile", 0, 4096};
  return f;
}

Finding bounds() {
  Finding f;
  f.kind = FindingKind::out_of_bounds;
  f.space = "global";
  f.access = launch::Access::read;
  f.where = {"kernel.cu", 9};
  f.thread = {40, 0, 0};
  f.block = {0, 0, 0};
  f.address = 4096 + 160;
  f.access_bytes = 4;
  f.array = {"b", 4096, 160};
  f.lanes = 0xffffff00;
  f.other_lanes = 0xff;
  return f;
}

Finding barrier() {
  Finding f;
  f.kind = FindingKind::barrier;
  f.cause = launch::Cause::barrier_not_on_every_path;
  f.evidence = {{words::Id::barrier_divergent_warp}};
  f.where = {"kernel.cu", 14};
  f.thread = {0, 1, 0};
  f.block = {0, 0, 0};
  f.lanes = 0x7fffffff;
  f.other_lanes = 0x80000000;
  return f;
}

TEST(FindingPicture, ARaceIsTwoThreadsAtAPlace) {
  const auto picture = picture_of(race(), {32, 32, 1});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->headline,
            "Thread (1,1,0) writes element 33 of tile at line 12, thread (0,2,0) reads it at line "
            "16, in block (2,0,0): nothing orders these two accesses.");
  Finding called = race();
  called.where_inside = {"kernel.cu", 5};
  EXPECT_NE(picture_of(called, {32, 32, 1})->headline.find("at line 5 (called at line 16), in"),
            std::string::npos);
  EXPECT_EQ(picture->place, "element 33 of tile");
  ASSERT_EQ(picture->warps.size(), 2u);
  EXPECT_EQ(picture->warps[0].warp, 1u);
  EXPECT_EQ(picture->warps[0].at_fault, 2u);
  EXPECT_EQ(picture->warps[0].where.line, 12u);
  EXPECT_EQ(picture->warps[1].warp, 2u);
  EXPECT_EQ(picture->warps[1].at_fault, 1u);
  EXPECT_EQ(picture->warps[1].where.line, 16u);
}

TEST(FindingPicture, ARaceOfBlocksNamesThem) {
  Finding f = race();
  f.space = "global";
  f.other_block = {7, 0, 0};
  EXPECT_EQ(finding_in_words(f, {32, 32, 1}),
            "Thread (1,1,0) of block (7,0,0) writes tile[33] at line 12, thread (0,2,0) of block "
            "(2,0,0) reads it at line 16: blocks run in any order.");
}

TEST(FindingPicture, ALostUpdateSaysSo) {
  Finding f = race();
  f.access = launch::Access::write;
  f.evidence = {{words::Id::race_update_lost}};
  EXPECT_EQ(
      finding_in_words(f, {32, 32, 1}),
      "Thread (1,1,0) and thread (0,2,0) both change element 33 of tile at line 16: one of the two "
      "changes is lost.");
}

TEST(FindingPicture, OutOfBoundsSaysWhereTheArrayEndsAndWhoIsPastIt) {
  const auto picture = picture_of(bounds(), {256, 1, 1});
  ASSERT_TRUE(picture);
  EXPECT_EQ(
      picture->headline,
      "Thread (40,0,0) reads b[40] at line 9, but the last element is b[39]. Lanes 8 to 31 of "
      "warp 1 are past the end.");
  EXPECT_EQ(picture->warps[0].at_fault, 0xffffff00u);
  EXPECT_EQ(picture->warps[0].others, 0xffu);
  EXPECT_EQ(picture->last_element, "b[39]");
  EXPECT_FALSE(picture->before_array);

  Finding before = bounds();
  before.address = 4092;
  const auto early = picture_of(before, {256, 1, 1});
  EXPECT_TRUE(early->before_array);
  EXPECT_EQ(early->place, "b[-1]");

  Finding wide = bounds();
  wide.access_bytes = 16;
  EXPECT_EQ(picture_of(wide, {256, 1, 1})->place, "bytes 160 to 175 of b");

  Finding nothing = bounds();
  nothing.array.bytes = 0;
  EXPECT_NE(finding_in_words(nothing, {256, 1, 1}).find("but `b` has no element"),
            std::string::npos);
}

TEST(FindingPicture, ABarrierSaysWhoWaitsAndWhoDoesNotCome) {
  const auto picture = picture_of(barrier(), {32, 32, 1});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->headline,
            "Lanes 0 to 30 of warp 1 wait at the barrier of line 14, but lane 31 never "
            "reaches it.");
  EXPECT_EQ(picture->warps[0].others, 0x7fffffffu);
  EXPECT_EQ(picture->warps[0].at_fault, 0x80000000u);

  Finding whole = barrier();
  whole.lanes = ~0u;
  whole.other_lanes = 0;
  EXPECT_NE(finding_in_words(whole, {32, 32, 1}).find("Warp 1 waits"), std::string::npos);
  whole.lanes = 0;
  whole.other_lanes = ~0u;
  EXPECT_NE(finding_in_words(whole, {32, 32, 1}).find("lanes 0 to 31 never reach it"),
            std::string::npos);
}

TEST(FindingPicture, ABarrierWithWrongArgumentsSaysWhich) {
  Finding f = barrier();
  f.lanes = f.other_lanes = 0;
  f.cause = launch::Cause::barrier_arguments;
  f.evidence = {{words::Id::barrier_invalid_arguments}, {words::Id::barrier_numbers_differ}};
  EXPECT_EQ(finding_in_words(f, {32, 32, 1}),
            "At line 14, thread (0,1,0): Threads of one warp name different barriers.");
}

TEST(FindingPicture, WhatNobodyWroteAndWhatIsMisaligned) {
  Finding f = race();
  f.kind = FindingKind::uninitialized;
  EXPECT_EQ(
      finding_in_words(f, {32, 32, 1}),
      "Thread (0,2,0) of block (2,0,0) reads element 33 of tile at line 16 before any thread has "
      "written it.");
  f.space.clear();  // a shuffle
  f.address = 17;
  EXPECT_NE(finding_in_words(f, {32, 32, 1}).find("asks lane 17"), std::string::npos);

  Finding odd = bounds();
  odd.kind = FindingKind::misaligned;
  odd.access_bytes = 16;
  odd.address = 4096 + 4;
  EXPECT_NE(finding_in_words(odd, {256, 1, 1})
                .find("reads 16 bytes at line 9, and they begin at byte 4 of b, which is no "
                      "multiple of 16"),
            std::string::npos)
      << finding_in_words(odd, {256, 1, 1});
}

TEST(FindingPicture, OfAnUnsetVariableHasItsName) {
  Finding f = race();
  f.kind = FindingKind::uninitialized;
  f.space = "local";
  f.array = {};
  f.evidence = {{words::Id::undefined_variable_named, {{"variable", std::string("i")}}}};
  EXPECT_EQ(finding_in_words(f, {32, 32, 1}).substr(0, 15), "`i` is used at ");
}

TEST(FindingPicture, ThereIsNoneOfWhatHasNoLanes) {
  Finding f = race();
  f.kind = FindingKind::budget;
  EXPECT_FALSE(picture_of(f, {32, 32, 1}));
  f = race();
  f.where.line = 0;
  EXPECT_FALSE(picture_of(f, {32, 32, 1}));
  f = bounds();  // of a GPU, which says no more than that it happened
  f.lanes = f.other_lanes = 0;
  f.array = {};
  EXPECT_FALSE(picture_of(f, {256, 1, 1}));
}

TEST(ShortWords, OfAWrongResultHaveTheWarningThatMayBeWhy) {
  grade::TestResult test;
  test.verdict.kind = "wrong_result";
  test.launch = {{.kernel = "k", .grid = "4", .block = "32x32", .scalars = {}}};
  grade::Mismatch unwritten;
  unwritten.array = "out";
  unwritten.wrong = unwritten.never_written_count = 62;
  unwritten.total = 1089;
  unwritten.never_written = true;
  test.mismatches = {unwritten};
  for (const std::string& line : tell_test_in_short(test))
    EXPECT_FALSE(line.starts_with("That may be why")) << line;
  Finding warning = race();
  warning.fix = {words::Id::undefined_fix_declared};
  warning.severity = launch::Severity::warning;
  test.findings = {warning};
  const std::vector<std::string> told = tell_test_in_short(test);
  ASSERT_GE(told.size(), 3u);
  EXPECT_TRUE(told[0].starts_with("Likely cause: Thread (1,1,0)")) << told[0];
  EXPECT_EQ(told[1], "Fix: " + words::render(warning.fix));
  EXPECT_EQ(told.back(), "Launch: k, grid 4, block 32x32");
  test.findings.clear();
  EXPECT_TRUE(tell_test_in_short(test).back().starts_with("Next: Find the thread"));
}

TEST(ShortWords, OfARaceHaveBothLinesBothThreadsAndTheFix) {
  grade::TestResult test;
  test.verdict.kind = "race";
  test.findings = {race()};
  test.findings[0].fix = {words::Id::undefined_fix_declared};
  test.findings[0].hazard = "RAW";
  test.launch = {{.kernel = "k", .grid = "4", .block = "32x32", .scalars = {}}};
  const std::vector<std::string> told = tell_test_in_short(test);
  ASSERT_EQ(told.size(), 4u);
  for (const char* part : {"(1,1,0)", "line 12", "(0,2,0)", "line 16"})
    EXPECT_NE(told[0].find(part), std::string::npos) << part;
  EXPECT_EQ(told[1], "Fix: Give the variable a value where it is declared.");
  EXPECT_EQ(told[2], "Launch: k, grid 4, block 32x32");
  EXPECT_EQ(told[3],
            "In compute-sanitizer's words: Potential RAW hazard detected at __shared__ 0x84 (tile "
            "+ 132 bytes) in block (2,0,0) (kernel.cu:16)");
  EXPECT_EQ(tell_test(test)[0], told[0]) << "plain words first, then the sanitizer's";
  EXPECT_EQ(headline(test), told[0]);
}

/// As the source declares the array, where that is known.
std::string place_in(std::vector<std::uint64_t> extents, std::uint32_t element_bytes,
                     std::uint64_t offset, std::uint32_t bytes) {
  Finding f = race();
  f.declared.extents = std::move(extents);
  f.declared.element_bytes = element_bytes;
  f.array.bytes = 4352;
  f.address = f.array.begin + offset;
  f.access_bytes = bytes;
  return picture_of(f, {32, 32, 1})->place;
}

TEST(FindingPicture, AnElementByTheIndicesThatItsArrayIsDeclaredWith) {
  EXPECT_EQ(place_in({32, 34}, 4, 132, 4), "tile[0][33]");
  EXPECT_EQ(place_in({32, 34}, 4, 136, 4), "tile[1][0]");
  EXPECT_EQ(place_in({2, 16, 34}, 4, 4 * 545, 4), "tile[1][0][1]");
  EXPECT_EQ(place_in({0}, 4, 136, 4), "tile[34]");
  // several at once, and a part of one
  EXPECT_EQ(place_in({32, 34}, 4, 128, 16), "tile[0][32] to tile[1][1]");
  EXPECT_EQ(place_in({8, 34}, 16, 24, 8), "bytes 8 to 15 of tile[0][1]");
  EXPECT_EQ(place_in({}, 0, 132, 4), "element 33 of tile");
}

}  // namespace
}  // namespace labkit::explain
