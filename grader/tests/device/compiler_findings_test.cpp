// Warnings of NVRTC that are findings: variables that are used before they are set.
#include <gtest/gtest.h>

#include "device/source_findings.h"

namespace labkit::device {
namespace {

const char* const kReportedSource =
    "__device__ float helper() {\n"
    "  float h; return h;\n"
    "}\n"
    "__global__ void one(float* out) {\n"
    "  float x; out[0] = x;\n"
    "}\n"
    "template <typename T>\n"
    "__global__ void two(T* out) {\n"
    "  T y; out[0] = y;\n"
    "}\n";

std::string warning(int line, const std::string& name) {
  return "kernel.cu(" + std::to_string(line) + "): warning #549-D: variable \"" + name +
         "\" is used before its value is set\n    out[0] = x;\n             ^\n\n";
}

std::vector<std::uint32_t> lines(const std::string& log, const std::string& kernel,
                                 std::vector<launch::Finding> findings = {}) {
  add_compiler_findings(findings, log, kReportedSource, kernel);
  std::vector<std::uint32_t> found;
  for (const auto& finding : findings) {
    EXPECT_EQ(finding.kind, launch::FindingKind::uninitialized);
    found.push_back(finding.where.line);
  }
  return found;
}

TEST(CompilerFindings, AreOfTheKernelOrOfWhatItMayCall) {
  const std::string log = warning(2, "h") + warning(5, "x") + warning(9, "y");
  EXPECT_EQ(lines(log, "one"), (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(lines(log, "two<float>"), (std::vector<std::uint32_t>{2, 9}));
}

TEST(CompilerFindings, AreWarningsWithTheLineAndAFix) {
  std::vector<launch::Finding> findings;
  add_compiler_findings(findings, warning(5, "x"), kReportedSource, "one");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, launch::Severity::warning);
  EXPECT_EQ(findings[0].where.file, "kernel.cu");
  EXPECT_EQ(findings[0].cause, launch::Cause::uninitialized_variable);
  const words::Message named = {words::Id::undefined_variable_named,
                                {{"variable", std::string("x")}}};
  ASSERT_EQ(findings[0].evidence.size(), 1u);
  EXPECT_EQ(findings[0].evidence[0], named);
  EXPECT_EQ(findings[0].fix.id, words::Id::undefined_fix_declared);
}

TEST(CompilerFindings, AreNotToldTwiceNorAreOtherWarnings) {
  launch::Finding seen;
  seen.kind = launch::FindingKind::uninitialized;
  seen.where.line = 4;
  seen.other.line = 5;
  EXPECT_EQ(lines(warning(5, "x"), "one", {seen}).size(), 1u);
  EXPECT_TRUE(lines("kernel.cu(5): warning #177-D: variable \"x\" was declared but never "
                    "referenced\n",
                    "one")
                  .empty());
  EXPECT_TRUE(lines("kernel.cu(5): error: variable \"x\" is used before its value is set\n", "one")
                  .empty());
}

}  // namespace
}  // namespace labkit::device
