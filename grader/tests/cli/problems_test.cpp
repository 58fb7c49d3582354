// What an editor reads: the regular expressions of .vscode/tasks.json against what the programs write.
#include "cli/problems.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/files.h"
#include "base/text.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
const fs::path kSource = LABKIT_SOURCE_DIR;

Json task(const std::string& label) {
  const Json tasks = Json::parse(read_file(kSource / ".vscode/tasks.json"));
  for (const Json& task : tasks.at("tasks"))
    if (task.at("label") == label) return task;
  ADD_FAILURE() << "no task " << label;
  return {};
}

struct Placed {
  std::string file, line, column, severity, text, id;
};
/// As VS Code does with each line.
std::vector<Placed> placed(const std::string& output, const Json& matcher) {
  const Json& pattern = matcher.at("pattern");
  const std::regex expression(pattern.at("regexp").get<std::string>());
  std::vector<Placed> found;
  for (const std::string_view line : split_lines(output)) {
    std::smatch match;
    const std::string text(line);
    if (!std::regex_search(text, match, expression)) continue;
    const auto part = [&](const char* name) { return match[pattern.at(name).get<int>()].str(); };
    found.push_back({part("file"), part("line"), part("column"), part("severity"), part("message"),
                     part("code")});
  }
  return found;
}

process::Result run_kit(std::vector<std::string> arguments) {
  process::Command command;
  command.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment =
      process::inherited({"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC",
                          "LABKIT_COMPILER", "ASAN_OPTIONS"});
  command.limits = {.wall_seconds = 120};
  return process::run(command);
}

TEST(Problems, LandOnTheirLines) {
  const fs::path folder = fs::temp_directory_path() / "labkit problems é";
  fs::create_directories(folder);
  const fs::path file = folder / "kernel.cu";
  std::string source = read_file(kSource / "solutions/lab0_copy_offset/correct/plain.cu");
  const Json matcher = task("labkit: grade the open lab").at("problemMatcher");
  const auto grade = [&](const std::string& text) {
    write_file_atomically(file, text);
    return run_kit(
        {"grade", "lab0", "--device", "sim", "--format", "problems", "--file", file.string()});
  };
  process::Result result = grade(source);
  if (result.exit_code == 3) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(result.out, "");

  result = grade(source + "\n  int broken = ;\n");
  EXPECT_EQ(result.exit_code, 1);
  std::vector<Placed> found = placed(result.out, matcher);
  ASSERT_FALSE(found.empty()) << result.out;
  EXPECT_EQ(found[0].file, file.string());
  EXPECT_EQ(found[0].line, std::to_string(std::ranges::count(source, '\n') + 2)) << result.out;
  EXPECT_EQ(found[0].column, "3");
  EXPECT_EQ(found[0].severity, "error");
  EXPECT_EQ(found[0].id, "compile_error");

  // The bound that keeps threads inside is gone.
  result = grade(std::regex_replace(source, std::regex("if \\(.*?\\)( |\n)"), "if (true) "));
  EXPECT_EQ(result.exit_code, 1) << result.out;
  found = placed(result.out, matcher);
  ASSERT_FALSE(found.empty()) << result.out;
  EXPECT_NE(found[0].text, "");
  EXPECT_NE(found[0].line, "0");
  EXPECT_EQ(placed(result.out, matcher).size(), split_lines(result.out).size())
      << "a line that no pattern reads: " << result.out;
  fs::remove_all(folder);
}

TEST(Problems, OfAWatchStandBetweenItsMarkers) {
  const Json matcher = task("labkit: watch all labs").at("problemMatcher");
  const Json& background = matcher.at("background");
  const std::regex begins(background.at("beginsPattern").get<std::string>()),
      ends(background.at("endsPattern").get<std::string>());
  const process::Result result =
      run_kit({"watch", "lab0", "--count", "1", "--device", "sim", "--format", "problems"});
  if (result.exit_code == 3) GTEST_SKIP() << result.err;
  const std::vector<std::string_view> lines = split_lines(result.out);
  ASSERT_GE(lines.size(), 2u) << result.out << result.err;
  EXPECT_TRUE(std::regex_search(std::string(lines.front()), begins)) << result.out;
  EXPECT_FALSE(std::regex_search(std::string(lines.front()), ends)) << result.out;
  EXPECT_TRUE(std::regex_search(std::string(lines.back()), ends)) << result.out;
  EXPECT_EQ(placed(result.out, matcher).size(), lines.size() - 2) << result.out;
}

TEST(Problems, AreOneLineEach) {
  grade::LabResult result;
  result.verdict.kind = "wrong_result";
  result.source = "a\n\tb\n";
  result.where = {"kernel.cu", 2};
  const std::string text = problems_text(result, "/x/kernel.cu");
  EXPECT_EQ(text.find("/x/kernel.cu:2:2: error: "), 0u) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST(VsCode, HasATaskForEachAndIsInAClone) {
  for (const char* label :
       {"labkit: watch all labs", "labkit: grade the open lab", "labkit: explain the open lab"})
    EXPECT_EQ(task(label).at("command"), "${workspaceFolder}/kit");
  EXPECT_FALSE(
      Json::parse(read_file(kSource / ".vscode/extensions.json")).at("recommendations").empty());
  EXPECT_EQ(read_file(kSource / ".gitignore").find(".vscode"), std::string::npos);
}

/// Every command's help, as wide as a terminal.
void expect_narrow(std::vector<std::string> command) {
  std::vector<std::string> asked = command;
  asked.emplace_back("--help");
  const process::Result help = run_kit(asked);
  EXPECT_EQ(help.exit_code, 0);
  bool in_commands = false;
  for (const std::string_view line : split_lines(help.out)) {
    EXPECT_LE(line.size(), 80u) << line;
    if (line.starts_with("Subcommands")) in_commands = true;
    if (!in_commands || line.size() < 3 || !line.starts_with("  ") || line[2] == ' ') continue;
    std::vector<std::string> below = command;
    below.emplace_back(line.substr(2, line.find(' ', 2) - 2));
    expect_narrow(below);
  }
}
TEST(Help, FitsATerminal) { expect_narrow({}); }

}  // namespace
}  // namespace labkit::cli
