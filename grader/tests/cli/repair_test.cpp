// Kernels with one mistake of a beginner (repaired/*.cu): `lab_check` finds a change that makes them right, or none.
//
// A file begins with comments: `// lab: lab5`, and `// change: TEXT` for each line of the change, as it must become; or
// `// change: none`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path folder() { return fs::path(LABKIT_SOURCE_DIR) / "grader/tests/cli/repaired"; }

/// Every thirtieth of them, or the others: those are for the label `long`.
std::vector<std::string> names(bool every_thirtieth) {
  std::vector<std::string> all, found;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".cu") all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i % 30 == 0) == every_thirtieth) found.push_back(all[i]);
  return found;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const std::string_view part : split_lines(text))
    line += (line.empty() ? "" : " ") + std::string(trim(part));
  return line;
}

class Repaired : public testing::TestWithParam<std::string> {};

TEST_P(Repaired, ByThatChange) {
  const fs::path file = folder() / (GetParam() + ".cu");
  std::string lab;
  std::vector<std::string> wanted;
  const std::string source = read_file(file.string(), 1 << 20);
  for (const std::string_view line : split_lines(source)) {
    if (line.starts_with("// lab: ")) lab = line.substr(8);
    if (line.starts_with("// change:")) wanted.emplace_back(trim(line.substr(10)));
  }
  const fs::path json = fs::temp_directory_path() / ("labkit_repaired_" + std::to_string(getpid()));
  process::Command command;
  command.argv = {(fs::path(process::own_executable()).parent_path() / "lab_check").string(),
                  "--lab",
                  lab,
                  "--file",
                  file.string(),
                  "--device",
                  "sim",
                  "--details",
                  "--json",
                  json.string()};
  command.environment = process::inherited(
      {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
  command.environment.push_back("LABKIT_CACHE=" + json.string() + ".cache");
  command.limits = {.wall_seconds = 250};
  const process::Result ran = process::run(command);
  EXPECT_LE(ran.exit_code, 1) << ran.out << ran.err;  // 0: only a bonus is missed
  const Json result = Json::parse(read_file(json.string(), 1 << 26));
  std::vector<std::string> changed;
  for (const Json& test : result.at("tests"))
    if (test.contains("repair") && changed.empty())
      for (const Json& line : test["repair"].at("lines"))
        changed.push_back(in_one_line(line.at("after").get<std::string>()));
  if (changed.empty()) changed = {"none"};
  EXPECT_EQ(changed, wanted);
  fs::remove(json);
  fs::remove_all(json.string() + ".cache");
}

INSTANTIATE_TEST_SUITE_P(Kernels, Repaired, testing::ValuesIn(names(true)),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(DISABLED_Others, Repaired, testing::ValuesIn(names(false)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace labkit::cli
