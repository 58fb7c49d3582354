// Which slip an index is, worked out from threads, sizes and arrays; and that nothing is said where it is not known.
#include "observe/index_words.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace labkit::observe {
namespace {

using launch::Dim3;
using launch::Finding;
using launch::FindingKind;

constexpr std::uint64_t kBegin = 0x1000, kOther = 0x9000;
constexpr std::uint32_t kFloat = 4;

struct Given {
  launch::Launch launch;
  Finding finding;
  std::vector<simt::Memory::Place> arrays;

  std::string told() {
    tell_index(finding, launch, arrays);
    return finding.text;
  }
  /// Of a fix that a detector found already.
  bool says(const std::string& what) { return told().find(what) != std::string::npos; }
};

/// An access to element `element` of `out`, which has `count`, in blocks of 32 x 32.
Given outside(std::uint64_t element, std::uint64_t count, Dim3 block, Dim3 thread, int rows,
              int cols) {
  Given given;
  given.launch.grid = {2, 2, 1};
  given.launch.block = {32, 32, 1};
  given.launch.arguments = {launch::scalar(rows), launch::scalar(cols)};
  given.finding.kind = FindingKind::out_of_bounds;
  given.finding.space = "global";
  given.finding.text = "Invalid __global__ write of size 4 bytes";
  given.finding.block = block;
  given.finding.thread = thread;
  given.finding.array = {"out", kBegin, count * kFloat};
  given.finding.address = kBegin + element * kFloat;
  given.finding.access_bytes = kFloat;
  given.arrays = {{"in", kOther, count * kFloat}, {"out", kBegin, count * kFloat}};
  return given;
}

/// The same in one dimension: thread `thread` of blocks of 256.
Given along(std::uint64_t element, std::uint64_t count, std::uint32_t thread, std::uint32_t lanes) {
  Given given = outside(element, count, {0, 0, 0}, {thread, 0, 0}, static_cast<int>(count), 1);
  given.launch.grid = {2, 1, 1};
  given.launch.block = {256, 1, 1};
  given.finding.lanes = lanes;
  return given;
}

TEST(IndexWords, OneLaneThatGoesJustTooFarIsAComparison) {
  EXPECT_TRUE(along(33, 33, 33, 1u << 1).says("Fix: let the index stop one sooner, at 32"));
  EXPECT_TRUE(along(768, 768, 256, 1).says("`<=` stands where `<`")) << "in a later turn of a loop";
  // with nothing that keeps threads back the rest of the warp goes on
  Given all = along(33, 33, 33, ~1u);
  EXPECT_TRUE(all.says("compare the index with the size of the array before this line, and let"));
  EXPECT_EQ(all.finding.text.find("<="), std::string::npos);
  EXPECT_TRUE(along(768, 768, 256, ~0u).says("in each turn of the loop"));
  // whether the next warp would have gone on is not known; nor, whether 34 is an element that was meant
  EXPECT_FALSE(along(31, 31, 31, 1u << 31).says("Fix: "));
  EXPECT_FALSE(along(34, 34, 33, 1u << 1).says("Fix: "));
}

TEST(IndexWords, TheLongerOfTwoArraysMayBeTheOneThatIsMeant) {
  Given given = along(40, 33, 3, 1u << 3);
  given.arrays[0].size = 300 * kFloat;
  EXPECT_TRUE(given.says("whether out and in have changed places"));
  Given too_short = along(40, 33, 3, 1u << 3);
  EXPECT_FALSE(too_short.says("changed places")) << "in has no such element either";
  Given three = along(40, 33, 3, 1u << 3);
  three.arrays[0].size = 300 * kFloat;
  three.arrays.push_back({"c", 0x20000, 400 * kFloat});
  EXPECT_FALSE(three.says("changed places")) << "which of them is not known";
  Given own = along(33, 33, 33, 1u << 1);
  own.arrays[0].size = 300 * kFloat;
  EXPECT_FALSE(own.says("changed places")) << "its own number: a missing condition";
}

TEST(IndexWords, AnIndexWithWhatTheLongerArrayIsLongerBy) {
  const auto given = [](std::uint64_t element, std::uint32_t thread, std::uint64_t longer) {
    Given made = along(element, 33, thread, 1u << thread % 32);
    made.launch.arguments = {launch::scalar(33), launch::scalar(8), launch::scalar(3)};
    made.arrays[0].size = longer * kFloat;
    return made;
  };
  EXPECT_TRUE(given(33, 25, 41)
                  .says("the thread's own number alone (here 25): at this line it is 8 "
                        "more, which is for in (in is longer and has such an element)"));
  EXPECT_TRUE(given(36, 12, 97).says("it is multiplied by 3, which is for in"));
  EXPECT_TRUE(given(35, 9, 105).says("it is multiplied by 3, and 8 is added, which is for in"));
  // other lengths, and other sums, say nothing of it
  EXPECT_TRUE(given(33, 25, 300).says("whether out and in have changed places"));
  EXPECT_TRUE(given(34, 25, 41).says("whether out and in have changed places"));
}

TEST(IndexWords, AnElementThatExistsByRowsOfItsOwnLength) {
  // out has 33 rows of 31; thread (0,31) stores row 31 as if rows had 33. Its warp's lane 31 is kept back by ocol < 31.
  Given given = outside(31 * 33, 33 * 31, {0, 0, 0}, {0, 31, 0}, 31, 33);
  given.finding.lanes = 0x7fffffff;
  EXPECT_TRUE(
      given.says("see how long a row of `out` is, 31 or 33: the row is multiplied by that"));
  EXPECT_TRUE(given.says("(here row 31, column 0, multiplied by 33)"));
  // a column a lane: all 32 have an element, and the last one's row comes to its end
  Given columns = outside(31 * 33, 33 * 31, {0, 0, 0}, {31, 0, 0}, 31, 33);
  columns.finding.lanes = 1u << 31;
  columns.finding.other_lanes = 0x7fffffff;
  EXPECT_TRUE(columns.says("see how long a row of `out` is, 31 or 33"));
  // the whole warp goes on: nothing asks for a size
  Given unguarded = outside(31 * 33, 33 * 31, {0, 0, 0}, {0, 31, 0}, 31, 33);
  unguarded.finding.lanes = 0xffffffff;
  EXPECT_TRUE(unguarded.says("go on only if `out` has both (`&&`)"));
  EXPECT_FALSE(unguarded.says("multiplied"));
}

TEST(IndexWords, ALengthThatDividesNoSuchMatrix) {
  // c has 32 rows of 64, and its rows are taken for 96 long
  Given given = outside(26 * 96, 32 * 64, {0, 0, 0}, {0, 26, 0}, 96, 64);
  given.finding.lanes = 0xffffffff;
  EXPECT_TRUE(given.says("see how long a row of `out` is: not 96"));
  EXPECT_TRUE(given.says("row 26, column 0"));
}

TEST(IndexWords, ARowThatIsNone) {
  Given given = outside(63 * 33, 33 * 33, {1, 0, 0}, {0, 31, 0}, 33, 33);
  given.finding.lanes = 1;
  EXPECT_TRUE(given.says("(here row 63, column 0, and `out` has 33 of each, 0 to 32)"));
  Given unknown = outside(5000, 33 * 33, {1, 0, 0}, {0, 31, 0}, 33, 33);
  EXPECT_FALSE(unknown.says("Fix: ")) << "no row and column give that index";
}

TEST(IndexWords, ATileThatIsIndexedByTheWholeGrid) {
  Given given = outside(31 * 32 + 32, 1024, {1, 0, 0}, {0, 31, 0}, 64, 64);
  given.finding.space = "shared";
  given.finding.array.name = "tile";
  EXPECT_TRUE(given.says("leave the block's part (blockIdx) out of the index of tile"));
  Given first = outside(1024, 1024, {0, 0, 0}, {0, 31, 0}, 64, 64);
  first.finding.space = "shared";
  EXPECT_FALSE(first.says("blockIdx")) << "the first block has no part that would show";
}

TEST(IndexWords, RowsThatOverlapAreNoMatterOfBlocks) {
  Given given = outside(32, 31 * 33, {0, 1, 0}, {0, 0, 0}, 33, 31);
  Finding& race = given.finding;
  race.kind = FindingKind::race;
  race.hazard = "WAW";
  race.text = "Potential WAW hazard\nWrite Thread\nFix: give each block elements of its own.";
  race.where = race.other = {"kernel.cu", 11};
  race.other_block = {0, 0, 0};
  race.other_thread = {1, 1, 0};
  EXPECT_TRUE(given.says("Here row 0, column 32 and row 1, column 1 are one place by rows of 31."));
  EXPECT_TRUE(given.says("Fix: see how long a row of `out` is, 33 or 31"));
  EXPECT_FALSE(given.says("give each block")) << "one fix is enough";
  // two threads that mean the same element
  Given same = given;
  same.finding.hazard = "WAW";
  same.finding.text = "Potential WAW hazard\nFix: give each block elements of its own.";
  same.finding.other_thread = {0, 0, 0};
  EXPECT_TRUE(same.says("give each block"));
}

TEST(IndexWords, AFixThatIsThereStays) {
  Given given = along(33, 33, 33, 1u << 1);
  given.finding.text += "\nFix: see where the pointer gets its value.";
  EXPECT_FALSE(given.says("stop one sooner"));
}

}  // namespace
}  // namespace labkit::observe
