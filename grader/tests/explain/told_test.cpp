// What students are told of the kernels in told/*.cu, as `labkit profile --check` tells it: of both builds, in plain words and
// in the sanitizer's. Each stands for a class of mistakes: the cause that must be named, and the advice that would mislead.
//
// A file begins with comments of the form `// key: value`:
//   grid, block, dynamic_shared, arg, budget   the launch of its kernel `k`, as `labkit profile` takes it
//   finds      the kind of what is told first, with "warning" if it is one; or nothing
//   cause      the id of that finding's cause (launch/causes.def)
//   evidence   the name of a message among its evidence (words/english)
//   fix        the name of the message that says what to do
//   says       is in the text of that finding; {1} and {2} stand for the numbers of the marked lines
//   never      is in no finding's text
// Lines with `// <--` are the one or two that the first finding names.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "compile/compile.h"
#include "explain/words.h"
#include "grade/profile.h"

namespace labkit::explain {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry :
       fs::directory_iterator(fs::path(LABKIT_SOURCE_DIR) / "grader/tests/explain/told"))
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

struct Expected {
  std::string finds, cause, fix;
  std::vector<std::string> evidence, says, never;
  std::set<std::uint32_t> lines;
};

/// The launch and what is to be told of it.
std::pair<lab::ProfileRequest, Expected> read(const fs::path& file) {
  lab::ProfileRequest request;
  Expected expected;
  request.file = file;
  request.kernel = "k";
  request.check = true;
  std::ifstream in(file);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("// <--") != std::string::npos) expected.lines.insert(number);
    const auto colon = line.find(": ");
    if (!line.starts_with("// ") || colon == std::string::npos) continue;
    const std::string key = line.substr(3, colon - 3), value = line.substr(colon + 2);
    if (key == "grid") request.grid = launch::parse_dim3(value).value();
    if (key == "block") request.block = launch::parse_dim3(value).value();
    if (key == "dynamic_shared")
      request.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "budget") request.thread_instruction_budget = std::stoull(value);
    if (key == "arg") request.arguments.push_back(launch::parse_argument(value));
    if (key == "finds") expected.finds = value;
    if (key == "cause") expected.cause = value;
    if (key == "evidence") expected.evidence.push_back(value);
    if (key == "fix") expected.fix = value;
    if (key == "says") expected.says.push_back(value);
    if (key == "never") expected.never.push_back(value);
  }
  int place = 0;
  for (const auto marked : expected.lines) {
    const std::string mark = "{" + std::to_string(++place) + "}";
    for (auto& words : expected.says)
      for (auto at = words.find(mark); at != std::string::npos; at = words.find(mark))
        words.replace(at, mark.size(), std::to_string(marked));
  }
  return {std::move(request), std::move(expected)};
}

std::string text_of(const launch::Finding& finding, const launch::Dim3& block) {
  std::string text;
  for (const std::string& line : tell_finding(finding, block)) text += line + "\n";
  return text;
}

class ToldOf : public testing::TestWithParam<fs::path> {};

TEST_P(ToldOf, TheCauseAndNothingThatMisleads) {
  try {
    compile::find_nvrtc();
  } catch (const Error& error) {
    GTEST_SKIP() << "needs NVRTC: " << error.what();
  }
  const auto [request, expected] = read(GetParam());
  const auto result = lab::profile(device::make_devices("sim"), request);
  ASSERT_EQ(result.refusal, "") << result.message << result.compile_log;
  std::string all;
  for (const auto& finding : result.outcome.findings)
    all += std::string(launch::name_of(finding.kind)) +
           (finding.severity == launch::Severity::error ? "" : " warning") + "\n" +
           text_of(finding, request.block) + "\n";
  for (const auto& note : result.notes)  // both builds were checked
    EXPECT_EQ(note.find("could not be checked"), std::string::npos) << note;
  for (const auto& word : expected.never)
    EXPECT_EQ(all.find(word), std::string::npos) << word << "\n\n" << all;
  ASSERT_FALSE(expected.finds.empty()) << "no `// finds: ` in the file";
  if (expected.finds == "nothing") {
    EXPECT_EQ(all, "");
    return;
  }
  ASSERT_FALSE(result.outcome.findings.empty());
  const auto& first = result.outcome.findings.front();
  EXPECT_TRUE(all.starts_with(expected.finds + "\n")) << all;
  const std::string text = text_of(first, request.block);
  for (const auto& word : expected.says)
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n\n" << all;
  if (!expected.cause.empty()) {
    EXPECT_EQ(launch::id_of(first.cause), expected.cause) << all;
  }
  if (!expected.fix.empty()) {
    EXPECT_EQ(words::name_of(first.fix.id), expected.fix) << all;
  }
  for (const auto& name : expected.evidence) {
    const auto id = words::id_from_name(name);
    EXPECT_TRUE(id && launch::has_evidence(first, *id)) << name << "\n\n" << all;
  }
  std::set<std::uint32_t> lines = {first.where.line, first.other.line};
  lines.erase(0);
  EXPECT_EQ(lines, expected.lines) << all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, ToldOf, testing::ValuesIn(files()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace labkit::explain
