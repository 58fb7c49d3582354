// Attacks on and through the compiler.
#include <filesystem>

#include "attack.h"
#include "base/error.h"
#include "base/files.h"

namespace labkit::attacks {
namespace {

class CompileAttack : public Attack {
 protected:
  /// A source that names a file which is not its own: a verdict that names the include, and no more.
  void expect_no_include(const std::string& name) {
    const Graded graded = expect(name, "compile_error", 0);
    EXPECT_NE(graded.message().find("which is not available here"), std::string::npos)
        << graded.message();
  }
  void expect_limit(const std::string& name, const std::string& limit) {
    const Graded graded = expect(name, "compile_limit", 0);
    EXPECT_NE(graded.message().find(limit), std::string::npos) << graded.message();
  }
  /// By the compiler or, where its version has the device runtime declared, by the simulator.
  void expect_refused(const std::string& name) {
    const Graded graded = grade(name);
    EXPECT_TRUE(graded.verdict() == "compile_error" || graded.verdict() == "unsupported")
        << graded.verdict() << graded.run.err;
    EXPECT_EQ(graded.points(), 0);
    EXPECT_EQ(graded.run.exit_code, kExitVerdict);
  }
  /// Out of bounds in that line of the file that was handed in, and no other file is named.
  void expect_place(const std::string& name, int line) {
    const Graded graded = expect(name, "out_of_bounds", 0);
    const nlohmann::json place = {{"file", "lab1.cu"}, {"line", line}};
    for (const auto& test : graded.json["tests"])
      for (const auto& finding : test["findings"]) EXPECT_EQ(finding["where"], place);
    EXPECT_NE(graded.json["tests"][0]["findings"].size(), 0u);
    EXPECT_EQ(graded.all.find("/etc/passwd"), std::string::npos) << graded.all;
  }
  void expect_unsupported(const std::string& name, const std::string& word) {
    const Graded graded = expect(name, "unsupported", 0);
    EXPECT_NE(graded.message().find(word), std::string::npos) << graded.message();
    EXPECT_NE(graded.message().find("line "), std::string::npos) << graded.message();
  }
};

TEST_F(CompileAttack, IncludeEtcPasswd) { expect_no_include("include_passwd"); }
TEST_F(CompileAttack, IncludeTheSolution) { expect_no_include("include_solution"); }
TEST_F(CompileAttack, IncludeAnotherStudentsFile) { expect_no_include("include_other_student"); }
TEST_F(CompileAttack, IncludeALink) { expect_no_include("include_symlink"); }
TEST_F(CompileAttack, IncludeNext) { expect_no_include("include_next"); }
TEST_F(CompileAttack, IncludeByMacro) { expect_no_include("include_by_macro"); }
TEST_F(CompileAttack, IncludeItself) { expect("self_include", "compile_error", 0); }

TEST_F(CompileAttack, HasIncludeAsAnOracle) {
  // Right, and with an #error wherever one of the files exists: it passes because none does.
  expect("has_include", "pass", 100);
}

TEST_F(CompileAttack, EmbedAFile) { expect("embed", "compile_error", 0); }
TEST_F(CompileAttack, IncbinAFile) { expect_unsupported("incbin", ".incbin"); }

TEST_F(CompileAttack, LineLies) {
  // The report of the fault would quote the line of the file that #line names.
  expect_place("line_lies", 6);
  expect_place("line_lies_hidden", 11);
}

TEST_F(CompileAttack, TheTimeOfDay) { expect("clock", "pass", 100); }

TEST_F(CompileAttack, Pragmas) { expect("pragma", "pass", 100); }

TEST_F(CompileAttack, FileMacroIsTheSameForEveryFile) {
  const Graded graded = expect("file_macro", "pass", 100);
  EXPECT_NE(graded.all.find("<kernel.cu|"), std::string::npos) << graded.run.out;
}

TEST_F(CompileAttack, HostCodeNeverRuns) { expect("host_code", "compile_error", 0); }
TEST_F(CompileAttack, AnUnclosedEnd) { expect("unclosed", "compile_error", 0); }
TEST_F(CompileAttack, AKernelRenamedByMacro) { expect("renamed", "pass", 100); }

TEST_F(CompileAttack, TemplateBomb) { expect_limit("template_bomb", "needed more than 320 MiB"); }
TEST_F(CompileAttack, MacroBomb) { expect_limit("macro_bomb", "needed more than 320 MiB"); }
TEST_F(CompileAttack, TableBomb) { expect_limit("table_bomb", "needed more than 320 MiB"); }
TEST_F(CompileAttack, ArrayBomb) { expect_unsupported("array_bomb", "bytes of variables"); }

TEST_F(CompileAttack, ModuleVariablesThatEatMemory) {
  expect_unsupported("module_variables", "bytes of variables");
  const Graded graded = grade("module_variables");
  EXPECT_NE(graded.message().find("`pile`"), std::string::npos) << graded.message();
  EXPECT_NE(graded.message().find("first used at line 6"), std::string::npos) << graded.message();
}

TEST_F(CompileAttack, ConstexprBomb) {
  // NVRTC gives up by itself, at its own number of steps, or meets the limit: as fast as the machine
  // is.
  const Graded graded = grade("constexpr_bomb");
  EXPECT_TRUE(graded.verdict() == "compile_error" || graded.verdict() == "compile_limit")
      << graded.verdict() << graded.run.err;
  EXPECT_EQ(graded.points(), 0);
  EXPECT_EQ(graded.run.exit_code, kExitVerdict);
}

TEST_F(CompileAttack, AsmGarbage) { expect_unsupported("asm_garbage", "is not an instruction"); }
TEST_F(CompileAttack, AsmWithAnEntryOfItsOwn) {
  expect_unsupported("asm_new_entry", "not declared");
}
TEST_F(CompileAttack, AsmWithTwoBillionRegisters) {
  expect_unsupported("asm_registers", "register");
}
TEST_F(CompileAttack, AsmThatTheSimulatorDoesNotKnow) {
  expect_unsupported("asm_unknown", "wgmma.fence.sync.aligned");
}

TEST_F(CompileAttack, LaunchFromTheDevice) { expect_refused("device_launch"); }
TEST_F(CompileAttack, LaunchByTheDeviceRuntime) { expect_refused("device_runtime"); }
TEST_F(CompileAttack, HeapOfTheDevice) { expect_unsupported("device_heap", "malloc"); }
/// Only functions of the module can be called by their address.
TEST_F(CompileAttack, CallOfAnAddress) { expect("wild_call", "trap", 0); }

TEST_F(CompileAttack, NothingIsLeftBehind) {
  // The compiler's files, had it any, would lie in the folder for temporary ones.
  const std::filesystem::path temporary = folder_ / "tmp";
  std::filesystem::create_directory(temporary);
  grade("include_passwd", {.environment = {"TMPDIR=" + temporary.string()}});
  grade("pragma", {.environment = {"TMPDIR=" + temporary.string()}});
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

// The two below were scanned in quadratic and cubic time, outside of any limit. That this is over is counted in tests/scan.
TEST_F(CompileAttack, BracketsThatNothingCloses) {
  for (const std::string before : {"__global__ void copy(", "int main("}) {
    std::string brackets = before;
    const std::string piece = before.substr(before.rfind(' ') + 1);
    while (brackets.size() + piece.size() < (1u << 20) - 1000) brackets += piece;
    const Graded graded = grade("brackets", {}, {{"@BRACKETS@", brackets}});
    // some versions of NVRTC crash on it, which is a verdict, too
    EXPECT_TRUE(graded.verdict() == "compile_error" || graded.verdict() == "compile_limit")
        << graded.verdict() << graded.run.err;
    EXPECT_EQ(graded.run.exit_code, kExitVerdict);
  }
}

TEST_F(CompileAttack, FunctionsThatCallOneAnother) {
  constexpr int kCount = 3000;
  std::string functions;
  const auto name = [](int i) { return "f" + std::to_string(i % kCount); };
  for (int i = 0; i < kCount; ++i) functions += "__device__ int " + name(i) + "(int);\n";
  for (int i = 0; i < kCount; ++i)
    functions += "__device__ __noinline__ int " + name(i) +
                 "(int n) { return n > 9 ? n : " + name(i + 1) + "(n + 1) + " + name(7 * i + 3) +
                 "(n + 2); }\n";
  const Graded graded = grade("functions", {}, {{"@FUNCTIONS@", functions}});
  // decoded soon, and then refused: so many functions hold more arguments than a block gets
  EXPECT_EQ(graded.verdict(), "launch") << graded.message() << graded.run.err;
  EXPECT_EQ(graded.run.exit_code, kExitVerdict);
}

}  // namespace
}  // namespace labkit::attacks
