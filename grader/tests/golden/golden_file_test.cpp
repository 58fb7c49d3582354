// The format itself: what is accepted, what is refused and with which words, how words are compared
// and recorded.
#include "golden_file.h"

#include <gtest/gtest.h>

#include <cstring>

namespace labkit::golden {
namespace {

const std::string kKernel =
    ".version 7.8\n.target sm_75\n.visible .entry golden(.param .u64 o)\n{ ret; }\n";

std::string refusal(const std::string& header, const std::string& kernel = kKernel) {
  try {
    parse("folder/x.ptx", header + kernel);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

Outcome words(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> bytes(4 * values.size());
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return {bytes};
}

TEST(GoldenFile, ReadsEveryDirective) {
  const GoldenFile file = parse(
      "x.ptx",
      "// prose\n//! recorded NVIDIA X, driver 1.2, 2026-01-02\n"
      "//! launch grid 2x3 block 8x1x4 shared 64\n//! in v b16\n//!   0001 fffe\n"
      "//! arg n b32\n//!   00000007\n//! inout m b8 1\n//!   0a 0b\n//! row first\n//!   0c\n"
      "//! row second\n//!   0d\n//! out o f32 2\n"
      "//! row rcp.approx.f32 of it within 0x1p-3 abs or 2 ulp\n//!   3f800000 00000000\n" +
          kKernel);
  EXPECT_EQ(file.recorded, "NVIDIA X, driver 1.2, 2026-01-02");
  EXPECT_EQ(file.grid[1], 3u);
  EXPECT_EQ(file.grid[2], 1u);
  EXPECT_EQ(file.block[2], 4u);
  EXPECT_EQ(file.dynamic_shared_bytes, 64u);
  EXPECT_EQ(file.target, 75u);
  ASSERT_EQ(file.parameters.size(), 4u);
  EXPECT_EQ(file.parameters[0].initial, (std::vector<std::uint64_t>{1, 0xfffe}));
  EXPECT_EQ(file.parameters[1].role, Role::arg);
  EXPECT_EQ(file.parameters[2].initial, (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(file.parameters[2].rows[1].expected, (std::vector<std::uint64_t>{13}));
  const Row& row = file.parameters[3].rows[0];
  EXPECT_EQ(row.label, "rcp.approx.f32 of it");
  EXPECT_EQ(row.tolerance.ulp, 2u);
  EXPECT_EQ(row.tolerance.absolute, 0.125);
  EXPECT_EQ(file.parameters[3].initial_bytes(), std::vector<std::byte>(8, std::byte{0xa5}));
}

TEST(GoldenFile, RefusesByFileAndLine) {
  const std::string start = "//! launch grid 1 block 1\n";
  EXPECT_EQ(refusal("//! out o b32 1\n//! row r\n"), "x.ptx: there is no `//! launch`");
  EXPECT_EQ(refusal(start), "x.ptx: nothing is checked: there is no `//! out` and no `//! inout`");
  EXPECT_EQ(refusal(start + "//! output o b32 1\n"),
            "x.ptx:2: unknown directive 'output'; there are recorded, launch, in, arg, out, inout "
            "and row");
  EXPECT_EQ(refusal(start + "//! out o b33 1\n"),
            "x.ptx:2: unknown type 'b33'; there are b8 b16 b32 b64 f16 bf16 f32 f64");
  EXPECT_EQ(refusal(start + "//! in v b32\n//!   0000000\n"),
            "x.ptx:3: '0000000' is no hex word of 8 digits");
  EXPECT_EQ(refusal(start + "//! in v b32\n//!   0000000g\n"),
            "x.ptx:3: '0000000g' is no hex word of 8 digits");
  EXPECT_EQ(refusal(start + "//! in v b32\n//! out o b32 1\n//! row r\n"),
            "x.ptx:2: v has no words");
  EXPECT_EQ(refusal(start + "//! out o b32 1\n"), "x.ptx:2: o has no rows");
  EXPECT_EQ(refusal(start + "//! out o b32 1\n//!   00000000\n"),
            "x.ptx:3: expected a row before its words");
  EXPECT_EQ(refusal(start + "//! out o b32 2\n//! row r\n//!   00000000\n"),
            "x.ptx:3: row r has 1 words, not 2");
  EXPECT_EQ(refusal(start + "//! inout o b32 2\n//!   00000000\n//! row r\n"),
            "x.ptx:2: o starts with 1 words, its rows have 2");
  EXPECT_EQ(refusal(start + "//! out o b32 1\n//! row r within 2 ulp\n"),
            "x.ptx:3: a tolerance needs a floating-point type");
  for (const char* bad :
       {"2", "2 ulps", "0 ulp", "-1 abs", "x abs", "2 ulp or", "2 ulp and 1 abs", ""})
    EXPECT_EQ(refusal(start + "//! out o f32 1\n//! row r within " + bad + "\n"),
              "x.ptx:3: expected `within N ulp`, `within X abs` or both joined by `or`");
  EXPECT_EQ(refusal(start + start), "x.ptx:2: launched twice");
  EXPECT_EQ(refusal("//! launch grid 0 block 1\n"),
            "x.ptx:1: expected `launch grid X[xY[xZ]] block X[xY[xZ]] [shared BYTES]`");
  EXPECT_EQ(refusal(start + "//! in v b8\n//!   00\n//! in v b8\n"),
            "x.ptx:4: there are two parameters named v");
  EXPECT_EQ(refusal(start + "//! out o b32 1\n//! row r\n", kKernel + "//! row s\n"),
            "x.ptx:8: directives must come before .target");
  EXPECT_EQ(refusal(start + "//! out o b32 1\n//! row r\n", ".target sm_75\n.entry other()\n"),
            "x.ptx: there is no kernel named golden");
}

TEST(GoldenFile, ComparesBitsUnlessARowHasATolerance) {
  const auto with = [](const std::string& tolerance) {
    return parse("x.ptx", "//! launch grid 1 block 1\n//! out o f32 4\n//! row r" + tolerance +
                              "\n//!   3f800000 7fc00000 00000000 00800000\n" + kKernel);
  };
  const Outcome same = words({0x3f800000, 0x7fc00000, 0, 0x00800000});
  const Outcome near = words({0x3f800002, 0x7fffffff, 0, 0x007ffffe});
  EXPECT_TRUE(differences(with(""), same).empty());
  EXPECT_EQ(differences(with(""), near),
            (std::vector<std::string>{"o, row r, word 0: expected 3f800000, got 3f800002",
                                      "o, row r, word 1: expected 7fc00000, got 7fffffff",
                                      "o, row r, word 3: expected 00800000, got 007ffffe"}));
  EXPECT_TRUE(differences(with(" within 2 ulp"), near).empty());
  EXPECT_EQ(differences(with(" within 1 ulp"), near).size(), 2u);
  EXPECT_EQ(differences(with(" within 1e-9 abs"), near).size(), 1u);
  EXPECT_TRUE(differences(with(" within 3e-7 abs"), near).empty());
  // A tolerance never turns a NaN into a number, nor one zero into the other.
  EXPECT_EQ(
      differences(with(" within 9 ulp"), words({0x7fc00000, 0x3f800000, 0x80000000, 0x00800000}))
          .size(),
      3u);
  EXPECT_EQ(differences(with(""), near, 1),
            (std::vector<std::string>{"o, row r, word 0: expected 3f800000, got 3f800002",
                                      "and 2 more"}));
}

TEST(GoldenFile, ARowWithoutWordsIsADifference) {
  const GoldenFile file =
      parse("x.ptx", "//! launch grid 1 block 1\n//! out o b32 1\n//! row r\n" + kKernel);
  EXPECT_EQ(differences(file, words({1})),
            (std::vector<std::string>{
                "o, row r: no expected words; record them on a GPU with golden_record"}));
}

TEST(GoldenFile, RecordingFillsInAndReplacesWords) {
  const std::string head = "// prose\n",
                    launch = "//! launch grid 1 block 1\n//! out o b32 1\n//! row r\n";
  const GoldenFile file = parse("x.ptx", head + launch + "//! row s\n//!   00000001\n" + kKernel);
  const std::string text = with_expected(file, words({0xab, 0xcd}), "A, B, C");
  EXPECT_EQ(text, head + "//! recorded A, B, C\n" + launch +
                      "//!   000000ab\n//! row s\n//!   000000cd\n" + kKernel);
  EXPECT_EQ(with_expected(parse("x.ptx", text), words({0xab, 0xcd}), "A, B, C"), text);
}

}  // namespace
}  // namespace labkit::golden
