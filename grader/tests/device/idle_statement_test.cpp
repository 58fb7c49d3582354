// Statements that NVRTC found to do nothing. The logs are those of CUDA 13, with carets, and of 12, without.
#include "device/idle_statement.h"

#include <gtest/gtest.h>

namespace labkit::device {
namespace {

const char* const kSource =
    "__device__ void helper() {}\n"
    "__global__ void one(float* out, int n) {\n"
    "  __syncthreads;\n"
    "  helper;\n"
    "  n;\n"
    "  out[n] == 5;\n"
    "  n + 1;\n"
    "  if (n > 3);\n"
    "  float* p = tile[n, 2];\n"
    "  for (; n < 5; n + 1) { out[n] = 1; }\n"
    "}\n"
    "__global__ void two(float* out, int n) {\n"
    "  n - 1; out[n] == 2;\n"
    "}\n";

std::string shown(int line, const std::string& text, const std::string& source,
                  const std::string& at) {
  return "kernel.cu(" + std::to_string(line) + "): warning #1-D: " + text + "\n    " + source +
         "\n    " + std::string(source.find(at), ' ') + "^\n\n";
}
std::string idle(int line, const std::string& source, const std::string& at = "") {
  return shown(line, "expression has no effect", source, at);
}
std::string without_caret(int line) {
  return "kernel.cu(" + std::to_string(line) + "): warning #174-D: expression has no effect\n\n";
}

std::vector<IdleStatement> found(const std::string& log, const std::string& kernel = "one") {
  return idle_statements(log, kSource, kernel);
}
IdleStatement only(const std::string& log, const std::string& kernel = "one") {
  const auto all = found(log, kernel);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? IdleStatement{} : all.front();
}

TEST(IdleStatement, ACallWithoutItsParentheses) {
  for (const std::string& log : {idle(3, "__syncthreads;"), without_caret(3)}) {
    const IdleStatement told = only(log);
    EXPECT_EQ(told.line, 3u);
    EXPECT_EQ(told.what,
              "`__syncthreads;` does nothing: a function's name without ( ) behind it is no call.");
    EXPECT_EQ(told.fix, "write `__syncthreads();`.");
  }
  EXPECT_EQ(only(idle(4, "helper;")).fix, "write `helper();`.");
  EXPECT_TRUE(found(idle(5, "n;")).empty());  // no function: it quiets another warning
}

TEST(IdleStatement, AComparisonInPlaceOfAnAssignment) {
  for (const std::string& log : {idle(6, "out[n] == 5;"), without_caret(6)}) {
    EXPECT_EQ(only(log).what, "`out[n] == 5;` compares two values, and stores nothing.");
    EXPECT_NE(only(log).fix.find("a single `=`"), std::string::npos);
  }
  // what is compared inside brackets is not what the statement does
  EXPECT_EQ(only(idle(6, "out[n == 5];")).what,
            "`out[n == 5];` works something out, and keeps it nowhere.");
}

TEST(IdleStatement, TwoIndicesWithACommaBetweenThem) {
  for (const std::string& log : {idle(9, "float* p = tile[n, 2];", "n,"), without_caret(9)}) {
    EXPECT_EQ(only(log).what,
              "`tile[n, 2]` is `tile[2]`: of two values with a comma between them C++ takes the "
              "last.");
    EXPECT_EQ(only(log).fix, "give each index brackets of its own: `tile[n][2]`.");
  }
}

TEST(IdleStatement, AnIfThatEndsAtItsSemicolon) {
  const IdleStatement told =
      only(shown(8, "empty dependent statement in if-statement", "if (n > 3);", ";"));
  EXPECT_EQ(told.line, 8u);
  EXPECT_NE(told.what.find("The `if` ends at its semicolon"), std::string::npos);
}

TEST(IdleStatement, OthersInGeneralWords) {
  EXPECT_EQ(only(idle(7, "n + 1;")).what, "`n + 1;` works something out, and keeps it nowhere.");
  // of a loop's head the statement does not end at the semicolon that comes next
  EXPECT_EQ(only(idle(10, "for (; n < 5; n + 1) { out[n] = 1; }", "n + 1")).what,
            "A statement works something out, and keeps it nowhere.");
  // two on a line: the caret says which
  EXPECT_EQ(only(idle(13, "n - 1; out[n] == 2;", "out"), "two").what,
            "`out[n] == 2;` compares two values, and stores nothing.");
  EXPECT_EQ(only(without_caret(13), "two").what,
            "A statement works something out, and keeps it nowhere.");
}

TEST(IdleStatement, OfTheKernelAloneAndEachOnce) {
  const std::string log = idle(3, "__syncthreads;") + idle(3, "__syncthreads;");
  EXPECT_EQ(found(log).size(), 1u);
  EXPECT_TRUE(found(log, "two").empty());
  EXPECT_TRUE(found("kernel.cu(3): warning #177-D: variable \"n\" was declared but never "
                    "referenced\n")
                  .empty());
  EXPECT_TRUE(found("kernel.cu(3): error: expression has no effect\n").empty());
}

}  // namespace
}  // namespace labkit::device
