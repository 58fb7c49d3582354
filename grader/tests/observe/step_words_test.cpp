// What a thread's steps at a line say of it: of arrays in parts, and of rows that are run over. Turns and blocks are told of in
// grader/tests/explain/told/.
#include "observe/step_words.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace labkit::observe::test {
namespace {

using launch::Finding;
using launch::FindingKind;

constexpr std::uint64_t kFloat = 4;

struct Told {
  std::string text;
  bool says(const std::string& what) const { return text.find(what) != std::string::npos; }
};

/// The finding's words after a run of `body`; %d0: an array of `count` floats that lies in rows of `row`, 0: not known. The
/// finding's address is that of `element`. The launch is given `number` beside the array.
Told tell(const std::string& body, std::uint64_t count, std::uint64_t row, Finding finding,
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
  EXPECT_TRUE(decoded.program) << (decoded.refused.empty() ? "" : decoded.refused[0].text);
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
  tell_steps(findings, *decoded.program, launch, std::as_bytes(std::span(&begin, 1)), memory, {},
             rows);
  return {findings.front().text};
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
  finding.text = "Invalid __global__ write of size 4 bytes\nFix: ask.";
  return finding;
}

TEST(StepWords, APartIsAsLongAsTheLaunchSays) {
  const Told told = tell(kSteps, 32, 8, outside(), 32, {32}, 8);
  EXPECT_TRUE(
      told.says("Fix: step by the length of a part of w, not by 32 (the number of a block's "
                "threads): at line 7 thread (0,0,0)'s next element lies 32 further, but w has "
                "4 parts of 8 here"))
      << told.text;
  EXPECT_FALSE(told.says("Fix: ask.")) << told.text;
  // rows of a fixed length, one for each of the launch's numbers, are no such parts
  EXPECT_FALSE(tell(kSteps, 32, 8, outside(), 32, {32}, 4).says("step by the length"));
}

TEST(StepWords, NothingIsSaidWhereNoPartsAreKnownOrTheStepIsTheirLength) {
  EXPECT_TRUE(tell(kSteps, 32, 0, outside(), 32, {32}).says("Fix: ask."));
  EXPECT_TRUE(tell(kSteps, 32, 32, outside(), 32, {32}).says("Fix: ask.")) << "one part alone";
  Finding of_another = outside();
  of_another.thread = {9, 0, 0};  // it never came there
  EXPECT_TRUE(tell(kSteps, 32, 8, of_another, 41, {32}).says("Fix: ask."));
}

TEST(StepWords, ALoopThatGoesPastTheLastRow) {
  const Told told = tell(kSteps, 32, 32, outside(), 32, {32}, 32);
  EXPECT_TRUE(told.says(std::string("Fix: ") + kLoopOverRows)) << told.text;
  EXPECT_TRUE(
      told.says("goes from row 0 to row 1 of w (of 32 elements each), which has rows 0 to "
                "0 here"))
      << told.text;
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
  const Told told = tell(kTogether, 48, 8, outside(), 48, {32}, 6);
  EXPECT_TRUE(told.says(kForOthers)) << told.text;
  EXPECT_TRUE(told.says("thread (1,0,0) comes to what belongs to thread (0,0,0)")) << told.text;
  EXPECT_TRUE(tell(kTogether, 48, 0, outside(), 48, {32}, 6).says("Fix: ask."));
}

TEST(StepWords, ABlockThatBeginsTooFarOn) {
  Finding second = outside();
  second.block = {1, 0, 0};
  const Told told = tell(kTogether, 80, 2, second, 256, {32}, 40, {2});
  EXPECT_TRUE(told.says(std::string("Fix: ") + kBlockPart)) << told.text;
  EXPECT_TRUE(told.says("block (1,0,0) has those from 32 to 63, and at line 7 it comes to row 128"))
      << told.text;
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
  finding.text = "Potential WAW hazard detected\nFix: part them.";
  finding.other = {"kernel.cu", 7};
  finding.thread = {2, 1, 0};
  finding.other_thread = {12, 0, 0};
  return finding;
}

TEST(StepWords, WhoIsPastTheEndOfARow) {
  const Told told = tell(kRows, 64, 10, met(), 12, {16, 2});
  EXPECT_TRUE(told.says("Here row 0, column 12 and row 1, column 2 are one place by rows of 10."))
      << told.text;
  EXPECT_TRUE(
      told.says("Fix: ask for the column by itself, before line 7: a row of w has 10 "
                "elements here, and thread (12,0,0) is past its end."))
      << told.text;
  EXPECT_TRUE(tell(kRows, 64, 0, met(), 12, {16, 2}).says("Fix: part them."));
  EXPECT_TRUE(tell(kRows, 64, 32, met(), 12, {16, 2}).says("Fix: part them."))
      << "both are in one row";
}

}  // namespace
}  // namespace labkit::observe::test
