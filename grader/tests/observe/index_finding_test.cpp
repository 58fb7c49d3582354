// Which slip an index is, worked out from threads, sizes and arrays; and that nothing is said where it is not known.
#include <gtest/gtest.h>

#include <cstdint>

#include "observe/findings.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Dim3;
using launch::Finding;
using launch::FindingKind;
using words::Id;

constexpr std::uint64_t kBegin = 0x1000, kOther = 0x9000;
constexpr std::uint32_t kFloat = 4;

struct Given {
  launch::Launch launch;
  Finding finding;
  std::vector<simt::Memory::Place> arrays;
  IndexFacts facts = {};

  void describe() {
    finding.cause = Cause::none;
    finding.fix = {};
    finding.evidence.clear();
    describe_index(finding, launch, arrays, facts);
  }
  /// Of a finding that has no fix yet.
  Id fix() {
    describe();
    return finding.fix.id;
  }
  Cause cause() {
    describe();
    return finding.cause;
  }
  std::int64_t of_fix(const char* name) const {
    const words::Value* value = finding.fix.find(name);
    return value == nullptr ? -1 : std::get<std::int64_t>(*value);
  }
  std::int64_t of_evidence(Id id, const char* name) const {
    for (const words::Message& message : finding.evidence)
      if (message.id == id) return std::get<std::int64_t>(*message.find(name));
    return -1;
  }
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
  Given just = along(33, 33, 33, 1u << 1);
  EXPECT_EQ(just.fix(), Id::index_fix_one_sooner);
  EXPECT_EQ(just.of_fix("last"), 32);
  EXPECT_EQ(just.cause(), Cause::out_of_bounds_one_past);
  EXPECT_EQ(along(768, 768, 256, 1).fix(), Id::index_fix_one_sooner) << "in a later iteration";
  // with nothing that keeps threads back the rest of the warp goes on
  EXPECT_EQ(along(33, 33, 33, ~1u).fix(), Id::index_fix_compare);
  EXPECT_EQ(along(768, 768, 256, ~0u).fix(), Id::index_fix_compare_in_loop);
  // whether the next warp would have gone on is not known; nor, whether 34 is an element that was meant
  EXPECT_EQ(along(31, 31, 31, 1u << 31).fix(), Id::none);
  EXPECT_EQ(along(34, 34, 33, 1u << 1).fix(), Id::none);
}

TEST(IndexWords, TheLongerOfTwoArraysMayBeTheOneThatIsMeant) {
  Given given = along(40, 33, 3, 1u << 3);
  given.arrays[0].size = 300 * kFloat;
  EXPECT_EQ(given.fix(), Id::index_fix_swapped_arrays);
  EXPECT_EQ(given.cause(), Cause::out_of_bounds_other_array);
  EXPECT_EQ(along(40, 33, 3, 1u << 3).fix(), Id::none) << "in has no such element either";
  Given three = along(40, 33, 3, 1u << 3);
  three.arrays[0].size = 300 * kFloat;
  three.arrays.push_back({"c", 0x20000, 400 * kFloat});
  EXPECT_EQ(three.fix(), Id::none) << "which of them is not known";
  Given own = along(33, 33, 33, 1u << 1);
  own.arrays[0].size = 300 * kFloat;
  EXPECT_EQ(own.fix(), Id::index_fix_one_sooner) << "its own number: a missing condition";
}

TEST(IndexWords, AnIndexWithWhatTheLongerArrayIsLongerBy) {
  const auto given = [](std::uint64_t element, std::uint32_t thread, std::uint64_t longer) {
    Given made = along(element, 33, thread, 1u << thread % 32);
    made.launch.arguments = {launch::scalar(33), launch::scalar(8), launch::scalar(3)};
    made.arrays[0].size = longer * kFloat;
    EXPECT_EQ(made.cause(), Cause::out_of_bounds_other_array);
    return made;
  };
  const Given plus = given(33, 25, 41);
  EXPECT_EQ(plus.finding.fix.id, Id::index_fix_own_number);
  EXPECT_EQ(plus.of_fix("own"), 25);
  EXPECT_EQ(plus.of_evidence(Id::index_plus, "term"), 8);
  EXPECT_EQ(given(36, 12, 97).of_evidence(Id::index_times, "factor"), 3);
  EXPECT_EQ(given(35, 9, 105).of_evidence(Id::index_times_plus, "term"), 8);
  // other lengths, and other sums, say nothing of it
  EXPECT_EQ(given(33, 25, 300).finding.fix.id, Id::index_fix_swapped_arrays);
  EXPECT_EQ(given(34, 25, 41).finding.fix.id, Id::index_fix_swapped_arrays);
}

TEST(IndexWords, AFormulaThatIsWrongIsNoMissingCondition) {
  // in[7 + i * 2] is meant, for i below 100
  Given sum = along(206 + 14, 206, 103, 1u << 7);
  sum.launch.arguments = {launch::scalar(110), launch::scalar(7), launch::scalar(2)};
  EXPECT_EQ(sum.fix(), Id::none) << "of 110 elements the array would be longer";
  sum.launch.arguments[0] = launch::scalar(100);
  EXPECT_EQ(sum.fix(), Id::none) << "thread 103 has no element";
  Given less = along(2 * 104, 206, 97, 1u << 1);
  less.launch.arguments = sum.launch.arguments;
  EXPECT_EQ(less.fix(), Id::index_fix_multiply_first);
  EXPECT_EQ(less.of_fix("wanted"), 201);
  EXPECT_EQ(less.cause(), Cause::out_of_bounds_wrong_index);
  // 8 parts of 100: part 3 of thread 9
  Given parts = along(903, 800, 9, 1u << 9);
  parts.launch.arguments = {launch::scalar(100)};
  EXPECT_EQ(parts.fix(), Id::index_fix_other_factor);
  EXPECT_EQ(parts.of_fix("part"), 3);
  EXPECT_EQ(parts.of_fix("parts"), 8);
  // a row for each thread, and a launch that knows how many rows there are
  parts.launch.arguments.push_back(launch::scalar(8));
  EXPECT_NE(parts.fix(), Id::index_fix_other_factor);
}

TEST(IndexWords, ASizeOfZeroHasNoElementBeforeTheLast) {
  Given none = along(0, 0, 0, ~0u);
  EXPECT_EQ(none.fix(), Id::index_fix_no_elements);
  EXPECT_TRUE(launch::has_evidence(none.finding, Id::index_no_elements));
}

TEST(IndexWords, AnElementThatExistsByRowsOfItsOwnLength) {
  // out has 33 rows of 31; thread (0,31) stores row 31 as if rows had 33. Its warp's lane 31 is kept back by ocol < 31.
  Given given = outside(31 * 33, 33 * 31, {0, 0, 0}, {0, 31, 0}, 31, 33);
  given.finding.lanes = 0x7fffffff;
  EXPECT_EQ(given.fix(), Id::index_fix_other_row_length);
  EXPECT_EQ(given.of_fix("wanted"), 31);
  EXPECT_EQ(given.of_fix("used"), 33);
  EXPECT_EQ(given.of_evidence(Id::index_row_multiplied, "row"), 31);
  EXPECT_EQ(given.cause(), Cause::out_of_bounds_wrong_row_length);
  // a column a lane: all 32 have an element, and the last one's row comes to its end
  Given columns = outside(31 * 33, 33 * 31, {0, 0, 0}, {31, 0, 0}, 31, 33);
  columns.finding.lanes = 1u << 31;
  columns.finding.other_lanes = 0x7fffffff;
  EXPECT_EQ(columns.fix(), Id::index_fix_other_row_length);
  // the whole warp goes on: nothing asks for a size
  Given unguarded = outside(31 * 33, 33 * 31, {0, 0, 0}, {0, 31, 0}, 31, 33);
  unguarded.finding.lanes = 0xffffffff;
  EXPECT_EQ(unguarded.fix(), Id::index_fix_row_and_column);
  EXPECT_EQ(unguarded.cause(), Cause::none);
}

TEST(IndexWords, ALengthThatDividesNoSuchMatrix) {
  // c has 32 rows of 64, and its rows are taken for 96 long
  Given given = outside(26 * 96, 32 * 64, {0, 0, 0}, {0, 26, 0}, 96, 64);
  given.finding.lanes = 0xffffffff;
  EXPECT_EQ(given.fix(), Id::index_fix_row_length);
  EXPECT_EQ(given.of_fix("length"), 96);
  EXPECT_EQ(given.of_evidence(Id::index_row_multiplied, "row"), 26);
}

TEST(IndexWords, ARowThatIsNone) {
  Given given = outside(63 * 33, 33 * 33, {1, 0, 0}, {0, 31, 0}, 33, 33);
  given.finding.lanes = 1;
  EXPECT_EQ(given.fix(), Id::index_fix_row_and_column);
  EXPECT_EQ(given.of_evidence(Id::index_row_and_column, "row"), 63);
  EXPECT_EQ(given.of_evidence(Id::index_square, "last"), 32);
  Given unknown = outside(5000, 33 * 33, {1, 0, 0}, {0, 31, 0}, 33, 33);
  EXPECT_EQ(unknown.fix(), Id::none) << "no row and column give that index";
}

TEST(IndexWords, ATileThatIsIndexedByTheWholeGrid) {
  Given given = outside(31 * 32 + 32, 1024, {1, 0, 0}, {0, 31, 0}, 64, 64);
  given.finding.space = "shared";
  EXPECT_EQ(given.fix(), Id::index_fix_block_part);
  EXPECT_EQ(given.cause(), Cause::out_of_bounds_block_index_in_shared);
  Given first = outside(1024, 1024, {0, 0, 0}, {0, 31, 0}, 64, 64);
  first.finding.space = "shared";
  EXPECT_EQ(first.fix(), Id::none) << "the first block has no part that would show";
}

TEST(IndexWords, RowsThatOverlapAreNoMatterOfBlocks) {
  Given given = outside(32, 31 * 33, {0, 1, 0}, {0, 0, 0}, 33, 31);
  Finding& race = given.finding;
  race.kind = FindingKind::race;
  race.hazard = "WAW";
  race.where = race.other = {"kernel.cu", 11};
  race.other_block = {0, 0, 0};
  race.other_thread = {1, 1, 0};
  EXPECT_EQ(given.fix(), Id::index_fix_other_row_length);
  EXPECT_EQ(given.cause(), Cause::race_rows_overlap);
  EXPECT_EQ(given.of_evidence(Id::index_rows_overlap, "column"), 32);
  EXPECT_EQ(given.of_evidence(Id::index_rows_overlap, "other_row"), 1);
  EXPECT_EQ(given.of_evidence(Id::index_rows_overlap, "length"), 31);
  // two threads that mean the same element
  race.other_thread = {0, 0, 0};
  EXPECT_EQ(given.fix(), Id::none);
}

TEST(IndexWords, AColumnThatWrapsAround) {
  Given given = outside(5, 2560, {0, 0, 0}, {5, 0, 0}, 8, 320);
  Finding& race = given.finding;
  race.kind = FindingKind::race;
  race.hazard = "WAW";
  race.where = race.other = {"kernel.cu", 11};
  race.other_block = {8, 0, 0};
  race.other_thread = {5, 0, 0};
  given.facts.bits = 8;
  EXPECT_EQ(given.fix(), Id::index_fix_wider_type);
  EXPECT_EQ(given.of_evidence(Id::index_wraps_around, "one"), 261);
  race.other_thread = {6, 0, 0};
  EXPECT_EQ(given.fix(), Id::none);
}

TEST(IndexWords, AFixThatIsThereStays) {
  Given given = along(33, 33, 33, 1u << 1);
  given.finding.fix = {Id::undefined_fix_declared};
  describe_index(given.finding, given.launch, given.arrays);
  EXPECT_EQ(given.finding.fix.id, Id::undefined_fix_declared);
}

}  // namespace
}  // namespace labkit::observe
