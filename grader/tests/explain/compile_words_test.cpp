// The compiler's first error as a student's slip. The logs are NVRTC's, of CUDA 12.
#include "explain/compile_words.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "explain/words.h"

namespace labkit::explain {
namespace {

lab::LabResult refused(const std::string& log, std::uint32_t line = 0) {
  lab::LabResult result;
  result.verdict.kind = "compile_error";
  result.message = "kernel.cu does not compile.";
  result.compile_log = log;
  result.where = {"kernel.cu", line};
  return result;
}

bool slips(const std::string& log, const std::string& what, std::uint32_t line = 0) {
  return compile_slip(refused(log, line)).find(what) != std::string::npos;
}

TEST(CompileSlip, ASemicolonIsMissedALineLater) {
  const std::string log =
      "kernel.cu(5): error: expected a \";\"\n    if (i < n) c[i] = a[i];\n    ^\n";
  EXPECT_EQ(compile_slip(refused(log, 3)),
            "A semicolon is missing at the end of line 3; the compiler notices it only in line 5.");
  EXPECT_TRUE(slips(log, "A semicolon is missing in line 5, before the place that ^ marks.", 5));
}

TEST(CompileSlip, OtherBrackets) {
  EXPECT_TRUE(slips("k.cu(4): error: expected a \")\"\n", "parenthesis ) is missing in line 4"));
  EXPECT_TRUE(slips("k.cu(4): error: expected a \"]\"\n", "bracket ] is missing in line 4"));
  EXPECT_TRUE(slips("k.cu(2): error: closing brace of template definition not found\n",
                    "closing brace } is missing"));
}

TEST(CompileSlip, ABracketThatMakesAnAssignmentOfTheIndex) {
  const std::string line = "    w[k * n + i = z[k * n + i] * f;\n      ^\n";
  const std::string log = "k.cu(20): error: expression must be a modifiable lvalue\n" + line +
                          "k.cu(20): error: expected a \"]\"\n" + line;
  EXPECT_TRUE(slips(log, "A closing bracket ] is missing in line 20"));
  EXPECT_FALSE(is_slip_of_meaning(refused(log, 20)));
}

TEST(CompileSlip, AnIndexWithoutItsPart) {
  const std::string log =
      "k.cu(3): error: no operator \"+\" matches these operands\n            operand types are: "
      "unsigned int + const uint3\n    int i = blockIdx.x * blockDim.x + threadIdx;\n      ^\n";
  EXPECT_EQ(compile_slip(refused(log)),
            "Line 3: `threadIdx` has three parts; say which one: `threadIdx.x`, `threadIdx.y` or "
            "`threadIdx.z`.");
  EXPECT_TRUE(
      slips("k.cu(3): error: no suitable conversion function from \"const dim3\" to \"int\" "
            "exists\n    int n = my_blockDim + blockDim;\n",
            "`blockDim` has three parts"));
}

TEST(CompileSlip, WhatIsOfTheHost) {
  EXPECT_TRUE(slips("k.cu(5): error: namespace \"std\" has no member \"cout\"\n", "printf"));
  EXPECT_TRUE(slips("k.cu(5): error: identifier \"cout\" is undefined\n", "printf"));
  EXPECT_TRUE(
      slips("k.cu(5): error: namespace \"std\" has no member \"vector\"\n", "plain arrays"));
  EXPECT_TRUE(slips("k.cu(3): error: identifier \"cudaMalloc\" is undefined\n",
                    "`cudaMalloc` is a function of the host"));
  EXPECT_TRUE(slips("k.cu(1): catastrophic error: cannot open source file \"helper_math.h\"\n",
                    "Line 1: there is no \"helper_math.h\" here. Take the #include out"));
}

TEST(CompileSlip, NamesThatAreNearlyRight) {
  EXPECT_TRUE(
      slips("k.cu(3): error: identifier \"blockldx\" is undefined\n", "Is `blockIdx` meant?"));
  EXPECT_TRUE(
      slips("k.cu(3): error: identifier \"threadidx\" is undefined\n", "Is `threadIdx` meant?"));
  EXPECT_TRUE(slips("k.cu(3): error: identifier \"__synchthreads\" is undefined\n",
                    "Is `__syncthreads` meant?"));
  EXPECT_TRUE(
      slips("k.cu(3): error: identifier \"row\" is undefined\n", "`row` is not known there"));
}

TEST(CompileSlip, TwoIndicesInOnePairOfBrackets) {
  EXPECT_EQ(compile_slip(refused("k.cu(6): error: expression must be a modifiable lvalue\n"
                                 "    tile[y + 1, x] = a[i];\n    ^\n")),
            "Line 6: `tile[y + 1, x]` is `tile[x]` to C++, for a comma takes the last of its two "
            "sides. Give each index brackets of its own: `tile[y + 1][x]`.");
  EXPECT_TRUE(
      slips("k.cu(6): error: a value of type \"float *\" cannot be assigned to an entity "
            "of type \"float\"\n    c[f(i, 2)] = tile[x, y];\n    ^\n",
            "`tile[x][y]`"));
  EXPECT_TRUE(slips("k.cu(6): error: expression must be a modifiable lvalue\n    a[f(i, 2)] = 1;\n",
                    "stores to something that is const"));
}

TEST(CompileSlip, TwoSizesInOnePairOfBrackets) {
  EXPECT_EQ(
      compile_slip(refused("k.cu(4): error: expected a \"]\"\n"
                           "    __shared__ T tile[kTile, kTile];\n                           ^\n")),
      "Line 4: where an array is declared, each of its sizes has brackets of its own, too: "
      "`tile[kTile][kTile]`, not `tile[kTile, kTile]`.");
}

TEST(CompileSlip, WhatMeansNothingThere) {
  const struct {
    const char *log, *what;
  } slips_of_meaning[] = {
      {"k.cu(5): error: expression must have pointer-to-object type but it has type \"float\"\n"
       "    out[c][r] = in[r][c];\n    ^\n",
       "Line 5: a pair of brackets too many"},
      {"k.cu(9): error: expression must have class type but it has type \"const Quad *\"\n",
       "Line 9: `.` asks for a part of one structure"},
      {"k.cu(4): error: attribute \"__shared__\" does not apply here\n",
       "Line 4: the type of the elements is missing"}};
  for (const auto& [log, what] : slips_of_meaning) {
    EXPECT_TRUE(slips(log, what)) << compile_slip(refused(log));
    EXPECT_TRUE(is_slip_of_meaning(refused(log)));
  }
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: expected a \")\"\n")));
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: identifier \"row\" is undefined\n")));
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: nobody knows\n")));
}

TEST(CompileSlip, AParameterThatTheHeadHasLost) {
  lab::LabResult result = refused("k.cu(7): error: identifier \"cols\" is undefined\n");
  result.message =
      "k.cu:7: identifier \"cols\" is undefined, a parameter of the kernel as it was "
      "given (`__global__ void k(int rows, int cols)`)";
  EXPECT_EQ(compile_slip(result),
            "Line 7: `cols` is one of the kernel's parameters as they were given, and its head "
            "does not have it any more: put it back there, in its place.");
}

TEST(CompileSlip, AnArrayWithoutASize) {
  EXPECT_TRUE(
      slips("k.cu(2): error: incomplete type \"float []\" is not allowed\n"
            "    __shared__ float tile[];\n                     ^\n",
            "Line 2: this array has no size. An array that is as large as the launch says "
            "is declared with `extern`"));
}

TEST(CompileSlip, WhatIsNoneOfThemIsLeftToTheCompiler) {
  EXPECT_EQ(compile_slip(refused("k.cu(3): error: a class has no such member\n")), "");
  EXPECT_EQ(compile_slip(refused("")), "");
  // what stands in the brackets is no number of a line, or none that there is
  EXPECT_EQ(compile_slip(refused("k(new).cu(): error: identifier \"row\" is undefined\n")), "");
  EXPECT_EQ(compile_slip(refused("k.cu(a): error: expected a \";\"\n")), "");
  EXPECT_EQ(compile_slip(refused("k.cu(99999999999): error: expected a \";\"\n")), "");
  lab::LabResult limit = refused("k.cu(3): error: expected a \";\"\n");
  limit.verdict.kind = "compile_limit";
  EXPECT_EQ(compile_slip(limit), "");
}

TEST(CompileSlip, StandsBeforeTheCompilersOwnWordsWithoutTheCandidates) {
  const auto lines = tell_lab(refused(
      "k.cu(3): error: no operator \"+\" matches these operands\n            operand types are: "
      "unsigned int + const uint3\n    int i = threadIdx;\n            ^\nk.cu(3): note #3328-D: "
      "built-in operator+ does not match\n    int i = threadIdx;\n            ^\n"));
  ASSERT_GE(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("Line 3: `threadIdx` has three parts"));
  EXPECT_EQ(lines[1], "kernel.cu does not compile.");
  EXPECT_TRUE(lines[2].starts_with("  k.cu(3): error: no operator"));
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find("note"), std::string::npos) << line;
    EXPECT_EQ(line.find("Mend the first error"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace labkit::explain
