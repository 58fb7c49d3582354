#include "attack.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compile.h"
#include "explain/words.h"
#include "report/json.h"

namespace labkit::attacks {

namespace fs = std::filesystem;

std::string Graded::message() const {
  if (json.is_null()) return {};
  std::string lines;
  for (const std::string& line : explain::tell_lab(report::read_lab_json(json.dump(), "its JSON")))
    lines += line + "\n";
  return lines;
}

std::string Graded::test(const std::string& name) const {
  if (json.is_null()) return "none";
  for (const auto& test : json["tests"])
    if (const std::string full = test["name"]; full.substr(full.find('.') + 1) == name)
      return test["verdict"];
  return "no such test";
}

void Attack::SetUp() {
  try {
    compile::find_nvrtc();
  } catch (const Error& error) {
    GTEST_SKIP() << "needs NVRTC: " << error.what();
  }
  std::string pattern = testing::TempDir() + "labkit-attack-XXXXXX";
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  fs::create_directories(folder_ / "alice");
  fs::create_directories(folder_ / "mallory");
  fs::copy_file(fs::path(LABKIT_TEST_DATA) / "alice.cu", folder_ / "alice/lab1.cu");
  fs::create_symlink("../alice/lab1.cu", folder_ / "mallory/link.h");
}

void Attack::TearDown() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

Graded Attack::grade(const std::string& name, const How& how,
                     const std::vector<std::pair<std::string, std::string>>& with) {
  std::string source = read_file(fs::path(LABKIT_TEST_DATA) / (name + ".cu"));
  source = replace_all(source, "@FOLDER@", folder_.string());
  source = replace_all(source, "@ROOT@", LABKIT_SOURCE_DIR);
  for (const auto& [word, value] : with) source = replace_all(source, word, value);
  write_file_atomically(folder_ / "mallory/lab1.cu", source);

  const fs::path json = folder_ / "result.json";
  fs::remove(json);
  process::Command command;
  command.argv = {(fs::path(process::own_executable()).parent_path() / "lab_check").string(),
                  "--lab",
                  how.lab,
                  "--file",
                  (folder_ / "mallory/lab1.cu").string(),
                  "--device",
                  how.device,
                  "--seed",
                  std::to_string(how.seed),
                  "--json",
                  json.string()};
  if (!how.tests.empty()) command.argv.push_back("--gtest_filter=" + how.tests);
  command.environment = process::inherited(
      {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
  command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
  command.environment.insert(command.environment.end(), how.environment.begin(),
                             how.environment.end());
  command.limits = {.wall_seconds = 280, .output_bytes = 64u << 20};
  Graded graded;
  graded.run = process::run(command);
  std::string text;
  if (fs::exists(json)) {
    text = read_file(json);
    graded.json = nlohmann::json::parse(text);
  }
  graded.all = graded.run.out + graded.run.err + text;
  return graded;
}

Graded Attack::expect(const std::string& name, const std::string& verdict, double points,
                      const How& how) {
  const Graded graded = grade(name, how);
  EXPECT_EQ(graded.verdict(), verdict) << graded.run.out << graded.run.err;
  EXPECT_EQ(graded.points(), points) << graded.run.out;
  EXPECT_EQ(graded.run.exit_code, verdict == "pass" ? kExitOk : kExitVerdict)
      << process::describe(graded.run, {});
  EXPECT_EQ(graded.run.err, "");
  expect_nothing_leaked(graded, folder_);
  return graded;
}

void expect_nothing_leaked(const Graded& graded, const fs::path& folder) {
  // A word of the other student's file, of /etc/passwd and of the reference solution.
  for (const char* secret :
       {"ALICE-WROTE-THIS", "root:x:", "/bin/bash", "The grid-stride loop: all"})
    EXPECT_EQ(graded.all.find(secret), std::string::npos) << secret << '\n' << graded.all;
  EXPECT_FALSE(fs::exists(folder / "ran"));
  EXPECT_NE(read_file(folder / "alice/lab1.cu").find("ALICE-WROTE-THIS"), std::string::npos);
}

}  // namespace labkit::attacks
