// Kernels with one mistake of a beginner (repaired/*.cu): `lab_check` finds a change that makes them right, or none.
//
// A file begins with comments: `// lab: lab5`, and `// change: TEXT` for each line of the change, as it must become; or
// `// change: none`. `// example: A, 0; A + 1, 1` asks for an example with both expressions and their values.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "grade/manifest.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path folder() { return fs::path(LABKIT_SOURCE_DIR) / "grader/tests/cli/repaired"; }

/// One in so many of them, or the others: those are for the label `long`.
constexpr std::size_t kOneIn = 61;
std::vector<std::string> names(bool of_every_day) {
  std::vector<std::string> all, found;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".cu") all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i % kOneIn == 0) == of_every_day) found.push_back(all[i]);
  return found;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const std::string_view part : split_lines(text))
    line += (line.empty() ? "" : " ") + std::string(trim(part));
  return line;
}

std::string text_of(const Json& message, const char* parameter) {
  return message.at(parameter).get<std::string>();
}

/// What `lab_check --json` has to say of it.
Json graded(const std::string& lab, const fs::path& file) {
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
  Json result = Json::parse(read_file(json.string(), 1 << 26));
  fs::remove(json);
  fs::remove_all(json.string() + ".cache");
  return result;
}

class Repaired : public testing::TestWithParam<std::string> {};

TEST_P(Repaired, ByThatChange) {
  const fs::path file = folder() / (GetParam() + ".cu");
  std::string lab, example;
  std::vector<std::string> wanted;
  const std::string source = read_file(file.string(), 1 << 20);
  for (const std::string_view line : split_lines(source)) {
    if (line.starts_with("// lab: ")) lab = line.substr(8);
    if (line.starts_with("// change:")) wanted.emplace_back(trim(line.substr(10)));
    if (line.starts_with("// example:")) example = trim(line.substr(11));
  }
  const Json result = graded(lab, file);
  std::vector<std::string> changed;
  std::string told;
  for (const Json& test : result.at("tests")) {
    if (!test.contains("repair") || !changed.empty()) continue;
    for (const Json& line : test["repair"].at("lines"))
      changed.push_back(in_one_line(line.at("after").get<std::string>()));
    for (const Json& why : test["repair"].at("why"))
      if (why.at("id") == "change_example")
        told = fmt::format("{}, {}; {}, {}", text_of(why, "before"), text_of(why, "was"),
                           text_of(why, "after"), text_of(why, "is"));
  }
  if (changed.empty()) changed = {"none"};
  EXPECT_EQ(changed, wanted);
  if (!example.empty()) {
    EXPECT_EQ(told, example);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Repaired, testing::ValuesIn(names(true)),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(DISABLED_Others, Repaired, testing::ValuesIn(names(false)),
                         [](const auto& one) { return one.param; });

TEST(Quotient, ThatIsZeroIsToldWhereNothingWasWritten) {
  const fs::path file = fs::temp_directory_path() / fmt::format("quotient_{}.cu", getpid());
  write_file_atomically(file,
                        "template <typename T>\n"
                        "__global__ void vecadd(const T* a, const T* b, T* c, int n) {\n"
                        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "  int share = n / (gridDim.x * blockDim.x);\n"
                        "  for (int k = 0; k < share; k++) c[i + k] = a[i + k] + b[i + k];\n"
                        "}\n");
  const Json example = graded("lab1", file).at("tests").at(0).at("example");
  EXPECT_EQ(example.at("id"), "rounding_example");
  EXPECT_EQ(example.at("line"), 4);
  EXPECT_EQ(text_of(example, "before"), "n / (gridDim.x * blockDim.x)");
  fs::remove(file);
}

/// The optimiser takes the loads out of the loop, and gives them the line where the index is made.
TEST(MovedLoad, IsToldAtTheLineThatHasIt) {
  const fs::path file = fs::temp_directory_path() / fmt::format("moved_{}.cu", getpid());
  write_file_atomically(
      file,
      "__global__ void copy(const float* in, float* out, int n, int offset, int stride) {}\n"
      "__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {\n"
      "  int c = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int count = 1;\n"
      "  for (int i = 1; i < 32; i++) {\n"
      "    int k = offset[c] + i * stride[c];\n"
      "    if (k % 8 == 0) count++;\n"
      "  }\n"
      "  sectors[c] = count;\n"
      "}\n");
  bool is_found = false;
  const Json result = graded("lab0", file);
  for (const Json& test : result.at("tests")) {
    if (test.at("name") != "Predict.Sectors") continue;
    for (const Json& finding : test.at("findings")) {
      if (finding.at("kind") != "out_of_bounds") continue;
      is_found = true;
      EXPECT_EQ(finding.at("where").at("line"), 6);
    }
  }
  EXPECT_TRUE(is_found);
  fs::remove(file);
}

/// The puzzles with the first `____` of each kernel replaced by what is given, in their order.
std::string puzzles_with(const std::vector<std::string>& lines) {
  const fs::path stub = fs::path(LABKIT_SOURCE_DIR) / "labs/puzzles/.stub";
  const std::string text = read_file(stub.string(), 1 << 20);
  std::string source;
  std::size_t next = 0;
  for (const std::string_view line : split_lines(text)) {
    const bool is_blank = line.find("____") != line.npos && line.find("TODO") != line.npos;
    source += is_blank ? lines.at(next++) : std::string(line);
    source += "\n";
  }
  EXPECT_EQ(next, lines.size());
  return source;
}

TEST(Puzzles, TheirAnswersPassAndAWrongOneIsToldItsValueAndTheRightOne) {
  const fs::path file = fs::temp_directory_path() / fmt::format("puzzles_{}.cu", getpid());
  std::vector<std::string> lines;
  for (const grade::Test& test :
       grade::load_manifest(fs::path(LABKIT_SOURCE_DIR) / "labs/puzzles").tests)
    lines.push_back(test.answer.empty() ? "__syncthreads();" : test.answer);
  write_file_atomically(file, puzzles_with(lines));
  EXPECT_EQ(graded("puzzles", file).at("points"), 100.0);
  lines[1] = "int i = threadIdx.x;";
  lines[2] = "if (n) {";
  write_file_atomically(file, puzzles_with(lines));
  const Json result = graded("puzzles", file);
  const Json& block = result.at("tests").at(1).at("example");
  EXPECT_EQ(block.at("id"), "answer_example");
  EXPECT_EQ(text_of(block, "before"), "threadIdx.x");
  EXPECT_EQ(text_of(block, "block"), "(1,0,0)");
  EXPECT_EQ(text_of(block, "was"), "0");
  EXPECT_EQ(text_of(block, "is"), "32");
  const Json& guard = result.at("tests").at(2).at("example");
  EXPECT_EQ(text_of(guard, "was"), "true");
  EXPECT_EQ(text_of(guard, "is"), "false");
  EXPECT_FALSE(result.at("tests").at(3).contains("example"));
  fs::remove(file);
}

}  // namespace
}  // namespace labkit::cli
