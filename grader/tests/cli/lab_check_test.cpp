// The rules of `labkit lab check`, on results and folders made for them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/prove_labs.h"

namespace labkit::cli {
namespace {

std::string joined(const std::vector<std::string>& complaints) {
  std::string text;
  for (const std::string& complaint : complaints) text += complaint + "\n";
  return text;
}

grade::GateResult gate(const std::string& name, double threshold, double value) {
  grade::GateResult made;
  made.name = name;
  made.figure = "ratio";
  made.threshold = threshold;
  made.value = value;
  made.passed = value >= threshold;
  return made;
}

grade::LabResult result(const std::string& verdict, std::vector<grade::GateResult> gates = {}) {
  grade::LabResult made;
  grade::TestResult test;
  test.name = "A.B";
  test.verdict = grade::verdict_from_text(verdict);
  test.gates = std::move(gates);
  made.tests = {test};
  made.verdict = test.verdict;
  return made;
}

TEST(JudgeCorrect, WantsAPassWithMargin) {
  EXPECT_EQ(joined(judge_correct(result("pass", {gate("ratio", 0.5, 0.56)}))), "");
  EXPECT_NE(joined(judge_correct(result("pass", {gate("ratio", 0.5, 0.54)}))).find("margin 8.0%"),
            std::string::npos);
  EXPECT_NE(joined(judge_correct(result("wrong_result"))).find("must pass, but is wrong_result"),
            std::string::npos);
}

TEST(JudgeWrong, WantsExactlyTheDeclaredVerdict) {
  EXPECT_EQ(joined(judge_wrong(result("wrong_result"), "// verdict: wrong_result\n")), "");
  EXPECT_NE(joined(judge_wrong(result("out_of_bounds"), "// verdict: wrong_result\n"))
                .find("declares wrong_result, gets out_of_bounds"),
            std::string::npos);
  EXPECT_NE(joined(judge_wrong(result("pass"), "// verdict: wrong_result\n")).find("gets pass"),
            std::string::npos);
  EXPECT_NE(joined(judge_wrong(result("gate b"), "// verdict: gate a\n")).find("gets gate b"),
            std::string::npos);
}

TEST(JudgeWrong, WantsADeclarationThatMeansSomething) {
  EXPECT_NE(joined(judge_wrong(result("wrong_result"), "int x;")).find("declares no"),
            std::string::npos);
  for (const char* source : {"// verdict: pass", "// verdict: slow", "// verdict: not_run",
                             "// verdict: gate", "// verdict:"})
    EXPECT_NE(
        joined(judge_wrong(result("wrong_result"), source)).find("no verdict of a wrong answer"),
        std::string::npos)
        << source;
}

TEST(JudgeReason, WantsAHintAndTheDeclaredDefectAtTheMarkedLines) {
  explain::Hints hints;
  hints.common = explain::parse_hints(
      "[[hint]]\ndefect = \"uninitialized\"\ntiers = [\"a\", \"b\", \"c\"]\n", "hints.toml");
  grade::LabResult made = result("uninitialized");
  launch::Finding finding;
  finding.kind = launch::FindingKind::uninitialized;
  finding.cause = launch::Cause::uninitialized_shared;
  finding.space = "shared";
  finding.where = {"kernel.cu", 3};
  finding.other = {"kernel.cu", 4};
  made.tests[0].findings = {finding};
  const std::string head = "// verdict: uninitialized\n// defect: uninitialized.shared\n";
  EXPECT_EQ(joined(judge_reason(made, head + "a;  // <--\nb;  // <--\n", hints)), "");
  EXPECT_EQ(joined(judge_reason(made, "// verdict: uninitialized\n", hints)), "");
  EXPECT_NE(joined(judge_reason(made, head + "a;  // <--\nb;\n", hints))
                .find("names line 3 and 4, but `// <--` stands at line 3"),
            std::string::npos);
  const std::string of_clang = head + "// clang lines: 3 4\na;  // <--\nb;\n";
  EXPECT_NE(joined(judge_reason(made, of_clang, hints)), "");
  made.compiler = "clang 14.0.6";
  EXPECT_EQ(joined(judge_reason(made, of_clang, hints)), "");
  EXPECT_NE(joined(judge_reason(made, "// defect: uninitialized.output\n", hints))
                .find("declares defect uninitialized.output, is taken for uninitialized.shared"),
            std::string::npos);
  EXPECT_NE(joined(judge_reason(made, head, {})).find("no hint for uninitialized.shared"),
            std::string::npos);
}

TEST(JudgeWrong, ASlowAnswerMissesByAMargin) {
  EXPECT_EQ(joined(judge_wrong(result("gate ratio", {gate("ratio", 0.5, 0.44)}),
                               "// verdict: gate ratio")),
            "");
  EXPECT_NE(joined(judge_wrong(result("gate ratio", {gate("ratio", 0.5, 0.46)}),
                               "// verdict: gate ratio"))
                .find("missed by only 8.0%"),
            std::string::npos);
}

TEST(LabCheck, ALimitStandsLow) {
  grade::Gate limit;
  limit.name = "ratio";
  limit.threshold = 0.54;
  EXPECT_EQ(judge_limit(limit, {0.9, 0.95}, {}), "") << "six tenths of the slowest";
  EXPECT_NE(judge_limit(limit, {0.9, 0.8}, {}).find("0.48 would do"), std::string::npos);
  EXPECT_EQ(judge_limit(limit, {0.9, 0.8}, {0.48}), "") << "what it must stop comes near";
  EXPECT_EQ(judge_limit(limit, {}, {}), "");
}

TEST(LabCheck, ABonusCountsForASolution) {
  grade::LabResult made = result("pass");
  made.tests.push_back(made.tests.front());
  made.tests.back().bonus = true;
  made.tests.back().verdict = grade::verdict_from_text("gate more");
  EXPECT_EQ(verdict_with_bonus(made).text(), "gate more");
  EXPECT_NE(joined(judge_correct(made)), "");
  EXPECT_EQ(joined(judge_wrong(made, "// verdict: gate more\n")), "");
}

constexpr const char* kToml = R"(
title = "T"
idea = "I"
reference = "correct/a.cu"
[[kernel]]
expressions = ["k"]
parameters = ["float* out"]
[[test]]
name = "A.B"
about = "a"
block = "32"
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  points = 1
  min = 0.5
  reason = "r"
  next = "n"
)";

class Files : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() /
            ("labkit_lab_check_test_" + std::to_string(getpid()));
    setenv("LABKIT_ROOT", root_.c_str(), 1);
    setenv("LABKIT_CACHE", (root_ / "cache").c_str(), 1);
    write("labs/lab1_x/lab.toml", kToml);
    write("labs/lab1_x/check.cpp", "");
    write("labs/lab1_x/README.md", std::string(300, 'x'));
    write("labs/lab1_x/kernel.cu", "__global__ void k(float* out) {\n  // TODO\n}\n");
    write("labs/lab1_x/.stub", "__global__ void k(float* out) {\n  // TODO\n}\n");
    write("solutions/lab1_x/correct/a.cu", "");
    for (const char* name : {"b", "c", "d", "e", "f"})
      write(std::string("solutions/lab1_x/wrong/") + name + ".cu", "");
  }
  void TearDown() override {
    unsetenv("LABKIT_ROOT");
    unsetenv("LABKIT_CACHE");
    std::filesystem::remove_all(root_);
  }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void erase(const std::string& path) { std::filesystem::remove(root_ / path); }
  std::string complaints() { return joined(judge_files(select_labs({}).at(0))); }
  std::filesystem::path root_;
};

TEST_F(Files, ThatAreAsTheyMustBe) { EXPECT_EQ(complaints(), ""); }

TEST_F(Files, ASolvedStubIsNamedUnlessItMayBeSolved) {
  EXPECT_TRUE(is_stub(select_labs({}).at(0)));
  write("labs/lab1_x/kernel.cu", "__global__ void k(float* out) {\n  *out = 1;\n}\n");
  EXPECT_FALSE(is_stub(select_labs({}).at(0)));
  EXPECT_NE(complaints().find("is not a stub"), std::string::npos) << complaints();
  EXPECT_TRUE(judge_files(select_labs({}).at(0), false).empty());
}

TEST_F(Files, WhatResetPutsBackIsTheStub) {
  write("labs/lab1_x/.stub", "__global__ void k(float* out) {\n  // TODO: more\n}\n");
  EXPECT_NE(complaints().find("is not what labs/lab1_x/.stub says"), std::string::npos);
  erase("labs/lab1_x/.stub");
  EXPECT_NE(complaints().find("cp kernel.cu .stub"), std::string::npos) << complaints();
}

TEST_F(Files, EachLackIsNamed) {
  erase("labs/lab1_x/README.md");
  erase("labs/lab1_x/check.cpp");
  erase("solutions/lab1_x/correct/a.cu");
  erase("solutions/lab1_x/wrong/f.cu");
  const std::string text = complaints();
  EXPECT_NE(text.find("README.md"), std::string::npos) << text;
  EXPECT_NE(text.find("check.cpp"), std::string::npos) << text;
  EXPECT_NE(text.find("the reference correct/a.cu is not among"), std::string::npos) << text;
  EXPECT_NE(text.find("there are 4 wrong solutions"), std::string::npos) << text;
}

TEST_F(Files, NamesAreUnique) {
  write("solutions/lab1_x/wrong/a.cu", "");
  EXPECT_NE(complaints().find("two solutions are called a"), std::string::npos);
}

TEST_F(Files, AStubIsEmptyCompilesAndHasATodo) {
  write("labs/lab1_x/kernel.cu", "__global__ void k(float* out) {\n}\n");
  EXPECT_NE(complaints().find("k has no TODO"), std::string::npos);
  write("labs/lab1_x/kernel.cu", "__global__ void k(float* out) { out[0] = 1; /* TODO */ }\n");
  EXPECT_NE(complaints().find("is not a stub"), std::string::npos);
  write("labs/lab1_x/kernel.cu", "int x = ;\n__global__ void k(float* out) { /* TODO */ }\n");
  EXPECT_NE(complaints().find("compile_error"), std::string::npos);
  write("labs/lab1_x/kernel.cu", "__global__ void k(float* out, int n) { /* TODO */ }\n");
  EXPECT_NE(complaints().find("signature"), std::string::npos);
  write("labs/lab1_x/kernel.cu", "__global__ void other(float* out) { /* TODO */ }\n");
  EXPECT_NE(complaints().find("does not define k"), std::string::npos);
  erase("labs/lab1_x/kernel.cu");
  EXPECT_NE(complaints().find("there is no kernel.cu"), std::string::npos);
}

TEST_F(Files, ALabHasAMinimumRatio) {
  std::string toml = kToml;
  toml.replace(toml.find("min = 0.5"), 9, "max = 0.5");
  write("labs/lab1_x/lab.toml", toml);
  EXPECT_NE(complaints().find("minimum ratio"), std::string::npos);
}

TEST_F(Files, LabsAreNamedInMoreThanOneWay) {
  for (const char* name : {"lab1", "1", "lab1_x"}) EXPECT_EQ(select_labs({name}).at(0).id, "lab1");
  EXPECT_THROW(select_labs({"lab2"}), std::invalid_argument);
  EXPECT_EQ(solution_files(select_labs({})[0], "wrong").size(), 5u);
  EXPECT_TRUE(solution_files(select_labs({})[0], "nothing").empty());
}

}  // namespace
}  // namespace labkit::cli
