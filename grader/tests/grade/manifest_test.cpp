#include "grade/manifest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace labkit::grade {
namespace {

constexpr const char* kGood = R"(
title = "A lab"
idea = "An idea."
reference = "correct/a.cu"
[[kernel]]
expressions = ["turn<float>", "turn<double>"]
parameters = ["const T* in", "T *out", "int rows", "double scale", "unsigned long long n"]
[[kernel]]
expressions = ["bonus"]
parameters = ["float* out"]
optional = true
[[test]]
name = "Turn.Right"
kernel = "turn"
points = 40
about = "Right."
[[test]]
name = "Turn.Fast"
kernel = "turn"
about = "Fast."
block = "32x8"
elements_a_thread = 4
element = "f64"
size = { rows = 2048, cols = 1024 }
copy_bytes = 33554432
budget = 1000
  [[test.gate]]
  name = "sectors"
  figure = "memory_l2_theoretical_sectors_global"
  points = 35
  max = 10
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  points = 25
  min = 0.5
  reason = "Because."
  next = "Try."
[[test]]
name = "Turn.Bonus"
kernel = "bonus"
points = 5
bonus = true
about = "More."
)";

Manifest parse(const std::string& text) {
  return parse_manifest(text, "/x/lab9_turning", "lab.toml");
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGood;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Manifest, ReadsEveryKey) {
  const Manifest m = parse(kGood);
  EXPECT_EQ(m.id, "lab9");
  EXPECT_EQ(m.folder, "lab9_turning");
  EXPECT_EQ(m.title, "A lab");
  EXPECT_EQ(m.reference, "correct/a.cu");
  ASSERT_EQ(m.kernels.size(), 2u);
  EXPECT_EQ(m.kernels[0].name, "turn");
  EXPECT_EQ(m.kernels[0].expressions.size(), 2u);
  ASSERT_EQ(m.kernels[0].parameters.size(), 5u);
  EXPECT_EQ(m.kernels[0].parameters[0].size_bytes, 8u);
  EXPECT_EQ(m.kernels[0].parameters[1].name, "out");
  EXPECT_EQ(m.kernels[0].parameters[1].size_bytes, 8u);
  EXPECT_EQ(m.kernels[0].parameters[2].size_bytes, 4u);
  EXPECT_EQ(m.kernels[0].parameters[2].name, "rows");
  EXPECT_EQ(m.kernels[0].parameters[3].size_bytes, 8u);
  EXPECT_EQ(m.kernels[0].parameters[4].size_bytes, 8u);
  EXPECT_TRUE(m.kernels[1].optional);
  ASSERT_EQ(m.tests.size(), 3u);
  EXPECT_FALSE(m.tests[0].is_graded);
  const labkit::grade::Test& fast = m.tests[1];
  EXPECT_TRUE(fast.is_graded);
  EXPECT_EQ(fast.block, (launch::Dim3{32, 8, 1}));
  EXPECT_EQ(fast.elements_a_thread, 4u);
  EXPECT_EQ(fast.element, launch::Element::f64);
  EXPECT_EQ(fast.size.at("cols"), 1024);
  EXPECT_EQ(fast.copy_bytes, 33554432u);
  EXPECT_EQ(fast.budget, 1000u);
  ASSERT_EQ(fast.gates.size(), 2u);
  EXPECT_FALSE(fast.gates[0].is_minimum);
  EXPECT_TRUE(fast.gates[1].is_minimum);
  EXPECT_EQ(fast.gates[1].threshold, 0.5);
  EXPECT_EQ(fast.points, 60) << "its gates' together";
  EXPECT_EQ(m.max_points(), 100);
  EXPECT_EQ(m.bonus_points(), 5);
}

TEST(Manifest, FindsKernelsByNameAndExpression) {
  const Manifest m = parse(kGood);
  EXPECT_EQ(m.kernel_of("turn<double>"), &m.kernels[0]);
  EXPECT_EQ(m.kernel_of("turn<int>"), nullptr);
  EXPECT_EQ(m.find_kernel("bonus"), &m.kernels[1]);
  EXPECT_EQ(m.find_test("Turn.Fast"), &m.tests[1]);
  EXPECT_EQ(m.find_test("Turn.Slow"), nullptr);
}

TEST(Manifest, RefusalsNameFileLineAndKey) {
  EXPECT_NE(refusal("title = \n").find("lab.toml:1: not TOML"), std::string::npos);
  EXPECT_NE(refusal(with("title = \"A lab\"\n", "")).find("`title` is missing"), std::string::npos);
  EXPECT_NE(refusal(with("title = \"A lab\"", "title = \"A lab\"\ntitel = 1"))
                .find("lab.toml:3: lab.toml: unknown key `titel`"),
            std::string::npos);
  EXPECT_NE(refusal(with("title = \"A lab\"", "title = 3")).find("`title` must be a string"),
            std::string::npos);
  EXPECT_NE(refusal(with("\"An idea.\"", "\"  \"")).find("`idea` is empty"), std::string::npos);
  EXPECT_NE(refusal(with("points = 40", "points = \"40\"")).find("`points` must be a number"),
            std::string::npos);
  EXPECT_NE(refusal(with("points = 40", "points = 0")).find("over 0"), std::string::npos);
  EXPECT_NE(refusal(with("points = 40", "points = nan")).find("over 0"), std::string::npos);
  EXPECT_NE(refusal(with("\"Turn.Right\"", "\"TurnRight\"")).find("Suite.Name"), std::string::npos);
  EXPECT_NE(
      refusal(with("\"Turn.Right\"", "\"Turn.Fast\"")).find("two tests are called `Turn.Fast`"),
      std::string::npos);
  EXPECT_NE(refusal(with("kernel = \"turn\"", "kernel = \"trun\""))
                .find("no [[kernel]] is called `trun`"),
            std::string::npos);
  EXPECT_NE(refusal(with("kernel = \"turn\"\n", "")).find("`kernel` is missing"),
            std::string::npos);
  EXPECT_NE(refusal(with("bonus = true\n", "")).find("bonus = true"), std::string::npos);
  EXPECT_NE(refusal(with("\"int rows\"", "\"rows\"")).find("parameter `rows`"), std::string::npos);
  EXPECT_NE(
      refusal(with("\"int rows\"", "\"matrix rows\"")).find("neither a pointer nor a known scalar"),
      std::string::npos);
  EXPECT_NE(refusal(with("\"turn<double>\"", "\"trun<double>\"")).find("two kernels"),
            std::string::npos);
}

TEST(Manifest, RefusesGatesThatHoldNothing) {
  EXPECT_NE(refusal(with("min = 0.5", "")).find("exactly one of `min` and `max`"),
            std::string::npos);
  EXPECT_NE(refusal(with("min = 0.5", "min = 0.5\n  max = 1")).find("exactly one"),
            std::string::npos);
  EXPECT_NE(refusal(with("min = 0.5", "min = 0")).find("holds nothing back"), std::string::npos);
  EXPECT_NE(refusal(with("min = 0.5", "min = -1")).find("negative"), std::string::npos);
  EXPECT_NE(refusal(with("min = 0.5", "min = nan")).find("negative"), std::string::npos);
  EXPECT_NE(
      refusal(with("figure = \"ratio\"", "figure = \"speed\"")).find("unknown figure `speed`"),
      std::string::npos);
  EXPECT_NE(
      refusal(with("name = \"sectors\"", "name = \"ratio\"")).find("two gates are called `ratio`"),
      std::string::npos);
  EXPECT_NE(refusal(with("reason = \"Because.\"\n", "")).find("`reason` is missing"),
            std::string::npos);
  EXPECT_NE(refusal(with("name = \"sectors\"", "name = \"my sectors\"")).find("blanks"),
            std::string::npos);
}

TEST(Manifest, RefusesBadGradedShapes) {
  EXPECT_NE(refusal(with("block = \"32x8\"", "block = \"32y8\"")).find("`block` must be"),
            std::string::npos);
  EXPECT_NE(refusal(with("block = \"32x8\"", "block = \"64x64\"")).find("1024 threads"),
            std::string::npos);
  EXPECT_NE(refusal(with("block = \"32x8\"", "")).find("needs `block`"), std::string::npos);
  EXPECT_NE(refusal(with("elements_a_thread = 4", "elements_a_thread = 0")).find("1 to 64"),
            std::string::npos);
  EXPECT_NE(refusal(with("element = \"f64\"", "element = \"f16\"")).find("f32"), std::string::npos);
  EXPECT_NE(refusal(with("rows = 2048", "rows = 2.5")).find("size `rows`"), std::string::npos);
  EXPECT_NE(refusal(with("rows = 2048", "rows = -1")).find("size `rows`"), std::string::npos);
}

TEST(Labs, OfTheProjectAreFoundInOrder) {
  const std::vector<Manifest> labs = find_labs(LABKIT_SOURCE_DIR);
  ASSERT_GT(labs.size(), 1u);
  EXPECT_EQ(labs[0].id, "puzzles");
  for (std::size_t i = 0; i < labs.size(); ++i) {
    if (i > 0) {
      EXPECT_EQ(labs[i].id, "lab" + std::to_string(i - 1));
    }
    for (const grade::Test& test : labs[i].tests)  // of a lab only where an answer is known
      EXPECT_EQ(test.next.empty(), i > 0 && test.answer.empty()) << test.name;
    EXPECT_EQ(labs[i].max_points(), 100) << labs[i].id;
  }
}

class LabFolders : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() /
            ("labkit_manifest_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(root_ / "labs");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void add(const std::string& folder) {
    std::filesystem::create_directories(root_ / "labs" / folder);
    std::ofstream(root_ / "labs" / folder / "lab.toml") << kGood;
  }
  std::filesystem::path root_;
};

TEST_F(LabFolders, NumbersSortAsNumbers) {
  for (const char* folder : {"lab10_a", "lab9_b", "warming", "lab1_c"}) add(folder);
  std::filesystem::create_directories(root_ / "labs" / "no_lab");
  const auto labs = find_labs(root_);
  ASSERT_EQ(labs.size(), 4u);
  EXPECT_EQ(labs[0].id, "warming");
  EXPECT_EQ(labs[1].id, "lab1");
  EXPECT_EQ(labs[2].id, "lab9");
  EXPECT_EQ(labs[3].id, "lab10");
}

TEST_F(LabFolders, TwoOfOneIdAreRefused) {
  add("lab1_a");
  add("lab1_b");
  EXPECT_THROW(find_labs(root_), Error);
}

TEST_F(LabFolders, NoneIsAnErrorWithAMend) {
  try {
    find_labs(root_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no labs"), std::string::npos);
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(Manifest, AMissingFileIsAnError) { EXPECT_THROW(load_manifest("/nowhere/lab1_x"), Error); }

TEST(Manifest, APredictionIsOfACountedFigureOfAGradedTest) {
  const std::string good = std::string(kGood) + R"(
[[predict]]
constant = "kSectors"
test = "Turn.Fast"
figure = "load_sectors_per_request"
why = "Because."
)";
  const Manifest lab = parse_manifest(good, "/x/lab9_y", "lab.toml");
  ASSERT_EQ(lab.predictions.size(), 1u);
  EXPECT_EQ(lab.predictions[0].constant, "kSectors");
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.rfind(from), from.size(), to);
    EXPECT_THROW(parse_manifest(text, "/x/lab9_y", "lab.toml"), Error) << to;
  };
  refused("Turn.Fast", "Turn.Right");
  refused("load_sectors_per_request", "ratio");
  refused("why", "when");
}

}  // namespace
}  // namespace labkit::grade
