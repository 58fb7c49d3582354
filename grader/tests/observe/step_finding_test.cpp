// What a thread's steps at a line say of it: of arrays in parts, and of rows that are run over. Iterations and blocks are in
// grader/tests/explain/told/.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "observe/findings.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

using launch::Cause;
using launch::Finding;
using launch::FindingKind;
using words::Id;

constexpr std::uint64_t kFloat = 4;

/// The finding after a run of `body`; %d0: an array of `count` floats that lies in rows of `row`, 0: not known. The
/// finding's address is that of `element`. The launch is given `number` beside the array.
Finding described(const std::string& body, std::uint64_t count, std::uint64_t row, Finding finding,
                  std::uint64_t element, launch::Dim3 block, std::int32_t number = 0,
                  launch::Dim3 grid = {1}) {
  auto parsed = ptx::parse(R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .pred %p<20>;
.loc 1 3 0
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %tid.y;
mov.u32 %r9, %ctaid.x;
mov.f32 %f0, 0f00000000;
)" + body + "\nret;\n}\n.file 1 \"kernel.cu\"\n");
  EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
  const auto decoded = simt::decode(*parsed.module, "k");
  EXPECT_TRUE(decoded.program) << (decoded.refused.empty()
                                       ? std::string()
                                       : words::render(decoded.refused[0].evidence));
  simt::Memory memory;
  const auto begin = memory.allocate("w", std::vector<std::byte>(count * kFloat, std::byte{0}));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.block = block;
  launch.grid = grid;
  const auto bytes = std::as_bytes(std::span(&number, 1));
  launch.arguments.emplace_back(std::vector<std::byte>(bytes.begin(), bytes.end()));
  finding.space = "global";
  finding.where = {"kernel.cu", 7};
  finding.access_bytes = kFloat;
  finding.array = {"w", begin, count * kFloat};
  finding.address = begin + element * kFloat;
  std::vector<Finding> findings = {finding};
  std::vector<KnownRows> rows;
  if (row != 0) rows.push_back({begin, row});
  describe_steps(findings, *decoded.program, launch, std::as_bytes(std::span(&begin, 1)), memory,
                 {}, rows);
  return findings.front();
}

/// Threads below 8 store to their number, and then 32 further each time.
constexpr const char* kSteps = R"(.loc 1 7 0
setp.ge.u32 %p0, %r0, 8;
@%p0 ret;
mul.wide.u32 %d1, %r0, 4;
add.u64 %d2, %d0, %d1;
st.global.f32 [%d2], %f0;
st.global.f32 [%d2+128], %f0;
)";

Finding outside() {
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.fix = {Id::index_fix_compare};
  return finding;
}

std::int64_t value_of(const Finding& finding, Id evidence, const char* name) {
  for (const words::Message& message : finding.evidence)
    if (message.id == evidence) return std::get<std::int64_t>(*message.find(name));
  return -1;
}

TEST(StepWords, APartIsAsLongAsTheLaunchSays) {
  const Finding found = described(kSteps, 32, 8, outside(), 32, {32}, 8);
  EXPECT_EQ(found.fix.id, Id::step_fix_part_length_block);
  EXPECT_EQ(found.cause, Cause::out_of_bounds_wrong_index);
  EXPECT_EQ(value_of(found, Id::step_next_element, "step"), 32);
  EXPECT_EQ(value_of(found, Id::step_parts, "parts"), 4);
  EXPECT_EQ(value_of(found, Id::step_parts, "length"), 8);
  // rows of a fixed length, one for each of the launch's numbers, are no such parts
  EXPECT_NE(described(kSteps, 32, 8, outside(), 32, {32}, 4).fix.id,
            Id::step_fix_part_length_block);
}

TEST(StepWords, NothingIsSaidWhereNoPartsAreKnownOrTheStepIsTheirLength) {
  EXPECT_EQ(described(kSteps, 32, 0, outside(), 32, {32}).fix.id, Id::index_fix_compare);
  EXPECT_EQ(described(kSteps, 32, 32, outside(), 32, {32}).fix.id, Id::index_fix_compare)
      << "one part alone";
  Finding of_another = outside();
  of_another.thread = {9, 0, 0};  // it never came there
  EXPECT_EQ(described(kSteps, 32, 8, of_another, 41, {32}).fix.id, Id::index_fix_compare);
}

TEST(StepWords, ALoopThatGoesPastTheLastRow) {
  const Finding found = described(kSteps, 32, 32, outside(), 32, {32}, 32);
  EXPECT_EQ(found.cause, Cause::out_of_bounds_past_last_row);
  EXPECT_EQ(found.fix.id, Id::step_fix_loop_limits);
  EXPECT_EQ(value_of(found, Id::step_rows_passed, "first"), 0);
  EXPECT_EQ(value_of(found, Id::step_rows_passed, "row"), 1);
  EXPECT_EQ(value_of(found, Id::step_rows, "last"), 0);
}

/// All threads of a block of 32 store side by side, and then 32 further.
constexpr const char* kTogether = R"(.loc 1 7 0
mad.lo.u32 %r2, %r9, 256, %r0;
mul.wide.u32 %d1, %r2, 4;
add.u64 %d2, %d0, %d1;
st.global.f32 [%d2], %f0;
st.global.f32 [%d2+128], %f0;
)";

TEST(StepWords, WhoWorksForOthersAsksAboutTheElement) {
  const Finding found = described(kTogether, 48, 8, outside(), 48, {32}, 6);
  EXPECT_EQ(found.cause, Cause::out_of_bounds_element_of_another_thread);
  EXPECT_EQ(found.fix.id, Id::step_fix_test_element);
  const words::Message wanted = {Id::step_for_another_thread,
                                 {{"line", words::SourceLine{"kernel.cu", 7}},
                                  {"thread", std::string("(1,0,0)")},
                                  {"other", std::string("(0,0,0)")}}};
  ASSERT_EQ(found.evidence.size(), 1u);
  EXPECT_EQ(found.evidence[0], wanted);
  EXPECT_EQ(described(kTogether, 48, 0, outside(), 48, {32}, 6).fix.id, Id::index_fix_compare);
}

TEST(StepWords, ABlockThatBeginsTooFarOn) {
  Finding second = outside();
  second.block = {1, 0, 0};
  const Finding found = described(kTogether, 80, 2, second, 256, {32}, 40, {2});
  EXPECT_EQ(found.cause, Cause::out_of_bounds_block_offset);
  EXPECT_EQ(found.fix.id, Id::step_fix_block_offset);
  EXPECT_EQ(value_of(found, Id::step_rows_of_block, "first"), 32);
  EXPECT_EQ(value_of(found, Id::step_rows_of_block, "last"), 63);
  EXPECT_EQ(value_of(found, Id::step_row_of_block, "row"), 128);
}

/// Threads of 16 x 2 store to 10 times their y plus their x.
constexpr const char* kRows = R"(.loc 1 7 0
mad.lo.u32 %r2, %r1, 10, %r0;
mul.wide.u32 %d1, %r2, 4;
add.u64 %d2, %d0, %d1;
st.global.f32 [%d2], %f0;
)";

Finding met() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.hazard = "WAW";
  finding.fix = {Id::index_fix_compare};
  finding.other = {"kernel.cu", 7};
  finding.thread = {2, 1, 0};
  finding.other_thread = {12, 0, 0};
  return finding;
}

TEST(StepWords, WhoIsPastTheEndOfARow) {
  const Finding found = described(kRows, 64, 10, met(), 12, {16, 2});
  EXPECT_EQ(found.cause, Cause::race_rows_overlap);
  EXPECT_EQ(found.fix.id, Id::step_fix_column);
  EXPECT_EQ(value_of(found, Id::index_rows_overlap, "column"), 12);
  EXPECT_EQ(value_of(found, Id::index_rows_overlap, "other_column"), 2);
  EXPECT_EQ(value_of(found, Id::step_past_row, "length"), 10);
  EXPECT_EQ(described(kRows, 64, 0, met(), 12, {16, 2}).fix.id, Id::index_fix_compare);
  EXPECT_EQ(described(kRows, 64, 32, met(), 12, {16, 2}).fix.id, Id::index_fix_compare)
      << "both are in one row";
}

}  // namespace
}  // namespace labkit::observe::test
