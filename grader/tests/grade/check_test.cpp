// `labkit profile --check` on what is right: two correct solutions of every kernel, at a small, odd size, optimised and not.
// (lab_check.* runs all of them, under the same checks.)
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "compile/compile.h"
#include "grade/profile.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

struct CheckedLaunch {
  const char *lab, *kernel;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  std::vector<const char*> arguments;
};

std::vector<CheckedLaunch> launches() {
  const std::vector<const char*> vectors = {"f32[1003]:random", "f32[1003]:random",
                                            "f32[1003]:poison", "i32:1003"};
  const std::vector<const char*> matrix = {"f32[2675]:random", "f32[2675]:poison", "i32:25",
                                           "i32:107"};
  const std::vector<const char*> product = {
      "f32[1850]:random", "f32[1517]:random", "f32[2050]:poison", "i32:50", "i32:37", "i32:41"};
  const std::vector<const char*> powers = {"f32[300]:random", "f32[9600]:poison", "i32:300"};
  return {
      {"lab1_vecadd_coalescing", "vecadd<float>", {5, 1, 1}, {96, 1, 1}, 0, vectors},
      {"lab2_naive_transpose", "transpose_coalesced_read<float>", {7, 4, 1}, {16, 8, 1}, 0, matrix},
      {"lab2_naive_transpose",
       "transpose_coalesced_write<float>",
       {2, 14, 1},
       {16, 8, 1},
       0,
       matrix},
      {"lab3_corner_turning", "corner_turn<float>", {4, 1, 1}, {32, 32, 1}, 0, matrix},
      {"lab4_bank_conflict_padding", "transpose_static", {4, 1, 1}, {32, 32, 1}, 0, matrix},
      {"lab4_bank_conflict_padding",
       "transpose_dynamic",
       {4, 1, 1},
       {32, 32, 1},
       32 * 33 * 4,
       matrix},
      {"lab4_bank_conflict_padding",
       "transpose_dynamic",
       {7, 2, 1},
       {16, 16, 1},
       16 * 17 * 4,
       matrix},
      {"lab5_tiled_matmul", "matmul", {2, 2, 1}, {32, 32, 1}, 0, product},
      {"lab6_consecutive_powers", "powers", {3, 1, 1}, {128, 1, 1}, 0, powers},
  };
}

Profile checked(const std::filesystem::path& file, const CheckedLaunch& launch) {
  ProfileRequest request;
  request.file = file;
  launch::ParsedLaunch& parsed = request.launches.emplace_back();
  parsed.kernel = launch.kernel;
  parsed.grid = launch.grid;
  parsed.block = launch.block;
  parsed.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  for (const char* argument : launch.arguments)
    parsed.arguments.push_back(launch::parse_argument(argument));
  request.check = true;
  return profile(device::make_devices("sim"), request).launches.at(0);
}

void need_nvrtc() {
  try {
    compile::find_nvrtc();
  } catch (const Error& error) {
    GTEST_SKIP() << "needs NVRTC: " << error.what();
  }
}

class Check : public testing::TestWithParam<CheckedLaunch> {
 protected:
  void SetUp() override { need_nvrtc(); }
};
class CheckOne : public testing::Test {
 protected:
  void SetUp() override { need_nvrtc(); }
};

TEST_P(Check, FindsNothingInCorrectSolutions) {
  const auto& launch = GetParam();
  const auto folder =
      std::filesystem::path(LABKIT_SOURCE_DIR) / "solutions" / launch.lab / "correct";
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".cu") files.insert(entry.path());
  int solutions = 0;
  for (const std::filesystem::path& file : files) {
    if (solutions == 2) break;
    SCOPED_TRACE(file.filename().string());
    const auto result = checked(file, launch);
    if (result.refusal == "missing_kernel") continue;  // not every solution has every kernel
    EXPECT_EQ(result.refusal, "") << words::render(result.message);
    EXPECT_TRUE(result.outcome.completed);
    for (const auto& finding : result.outcome.findings)
      ADD_FAILURE() << words::render(finding.evidence);
    ASSERT_FALSE(result.notes.empty());
    EXPECT_EQ(result.notes.back().id, words::Id::profile_nothing_found);
    for (const auto& note : result.notes) EXPECT_NE(note.id, words::Id::unoptimised_unchecked);
    ++solutions;
  }
  EXPECT_EQ(solutions, 2);
}

TEST_F(CheckOne, FailsWhereThereIsAnError) {
  const auto file =
      std::filesystem::path(LABKIT_SOURCE_DIR) / "grader/tests/observe/data/faulty_kernels.cu";
  const auto uninitialised = checked(file, {"",
                                            "smem_uninit",
                                            {1, 1, 1},
                                            {256, 1, 1},
                                            0,
                                            {"f32[256]:random", "f32[256]:poison", "i32:256"}});
  EXPECT_TRUE(uninitialised.failed());
  ASSERT_EQ(uninitialised.outcome.findings.size(), 1u);  // both builds have it: told once
  EXPECT_EQ(uninitialised.outcome.findings[0].kind, launch::FindingKind::uninitialized);
  const auto race = checked(file, {"",
                                   "race_intra_warp",
                                   {1, 1, 1},
                                   {32, 1, 1},
                                   0,
                                   {"f32[32]:random", "f32[32]:poison", "i32:32"}});
  EXPECT_TRUE(race.failed());
  ASSERT_EQ(race.outcome.findings.size(), 1u);
  EXPECT_EQ(race.outcome.findings[0].kind, launch::FindingKind::race);
  EXPECT_TRUE(race.outcome.counters.has_value());  // the counters are there all the same
}

INSTANTIATE_TEST_SUITE_P(Labs, Check, testing::ValuesIn(launches()), [](const auto& info) {
  return std::string(info.param.lab).substr(0, 4) + "_" + std::to_string(info.index);
});

}  // namespace
}  // namespace labkit::grade
