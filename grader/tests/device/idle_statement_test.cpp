// Statements that NVRTC found to do nothing. The logs are those of CUDA 13, with carets, and of 12, without.
#include <gtest/gtest.h>

#include "device/source_findings.h"
#include "words/render.h"

namespace labkit::device {
namespace {

using words::Id;
using words::Message;

const char* const kIdleSource =
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
  const std::string number = text == "expression has no effect" ? "174" : "1813";
  return "kernel.cu(" + std::to_string(line) + "): warning #" + number + "-D: " + text + "\n    " +
         source + "\n    " + std::string(source.find(at), ' ') + "^\n\n";
}
std::string idle(int line, const std::string& source, const std::string& at = "") {
  return shown(line, "expression has no effect", source, at);
}
std::string without_caret(int line) {
  return "kernel.cu(" + std::to_string(line) + "): warning #174-D: expression has no effect\n\n";
}

std::vector<IdleStatement> found(const std::string& log, const std::string& kernel = "one") {
  return idle_statements(log, kIdleSource, kernel);
}
IdleStatement only(const std::string& log, const std::string& kernel = "one") {
  const auto all = found(log, kernel);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? IdleStatement{} : all.front();
}

TEST(IdleStatement, ACallWithoutItsParentheses) {
  for (const std::string& log : {idle(3, "__syncthreads;"), without_caret(3)}) {
    const IdleStatement found = only(log);
    EXPECT_EQ(found.line, 3u);
    EXPECT_EQ(found.what, (Message{Id::idle_call, {{"statement", "__syncthreads"}}}));
    EXPECT_EQ(found.fix, (Message{Id::idle_fix_call, {{"function", "__syncthreads"}}}));
    EXPECT_EQ(words::render(found.fix), "Write `__syncthreads();`.");
  }
  EXPECT_EQ(only(idle(4, "helper;")).fix, (Message{Id::idle_fix_call, {{"function", "helper"}}}));
  EXPECT_TRUE(found(idle(5, "n;")).empty());  // no function: it quiets another warning
}

TEST(IdleStatement, AComparisonInPlaceOfAnAssignment) {
  for (const std::string& log : {idle(6, "out[n] == 5;"), without_caret(6)}) {
    EXPECT_EQ(only(log).what, (Message{Id::idle_comparison, {{"statement", "out[n] == 5"}}}));
    EXPECT_EQ(only(log).fix.id, Id::idle_fix_comparison);
  }
  // what is compared inside brackets is not what the statement does
  EXPECT_EQ(only(idle(6, "out[n == 5];")).what,
            (Message{Id::idle_value, {{"statement", "out[n == 5]"}}}));
}

TEST(IdleStatement, TwoIndicesWithACommaBetweenThem) {
  for (const std::string& log : {idle(9, "float* p = tile[n, 2];", "n,"), without_caret(9)}) {
    EXPECT_EQ(only(log).what,
              (Message{Id::idle_index_comma, {{"written", "tile[n, 2]"}, {"meaning", "tile[2]"}}}));
    EXPECT_EQ(only(log).fix, (Message{Id::idle_fix_index_comma, {{"meant", "tile[n][2]"}}}));
  }
}

TEST(IdleStatement, AnIfThatEndsAtItsSemicolon) {
  const IdleStatement found =
      only(shown(8, "empty dependent statement in if-statement", "if (n > 3);", ";"));
  EXPECT_EQ(found.line, 8u);
  EXPECT_EQ(found.what.id, Id::idle_if);
}

TEST(IdleStatement, OthersInGeneralWords) {
  EXPECT_EQ(only(idle(7, "n + 1;")).what, (Message{Id::idle_value, {{"statement", "n + 1"}}}));
  // of a loop's head the statement does not end at the semicolon that comes next
  EXPECT_EQ(only(idle(10, "for (; n < 5; n + 1) { out[n] = 1; }", "n + 1")).what.id,
            Id::idle_some_value);
  // two on a line: the caret says which
  EXPECT_EQ(only(idle(13, "n - 1; out[n] == 2;", "out"), "two").what,
            (Message{Id::idle_comparison, {{"statement", "out[n] == 2"}}}));
  EXPECT_EQ(only(without_caret(13), "two").what.id, Id::idle_some_value);
}

/// NVRTC's words may change, its numbers do not; where it prints none, the words are all there is.
TEST(IdleStatement, AreKnownByTheNumberOfTheWarning) {
  EXPECT_EQ(found("kernel.cu(7): warning #174-D: this does nothing\n").size(), 1u);
  EXPECT_EQ(found("kernel.cu(7): warning: expression has no effect\n").size(), 1u);
  EXPECT_TRUE(found("kernel.cu(7): warning #177-D: expression has no effect\n").empty());
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
