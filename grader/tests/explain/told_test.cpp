// What students are told of the kernels in told/*.cu, as `labkit profile --check` tells it: of both builds, in plain words and
// in the sanitizer's. Each stands for a class of mistakes: the cause that must be named, and the advice that would mislead.
//
// A file begins with comments of the form `// key: value`:
//   grid, block, dynamic_shared, arg, budget   the launch of its kernel `k`, as `labkit profile` takes it
//   finds      the kind of what is told first, with "warning" if it is one; or nothing
//   cause      the id of that finding's cause (launch/causes.def)
//   evidence   the name of a message among its evidence (words/english)
//   fix        the name of the message that says what to do
//   with       the name of a parameter of its evidence or its fix, and what it is; {1} and {2} stand for the marked lines
//   thread, block      of one of its two sides: (32,0,0)
//   place, last        the element that is touched, "a[7][32]", and the last that there is
//   inside     the line of a function of the kernel's own that it is in
//   unwritten_from     the first byte of the access that nobody has written
//   says       is in the text of that finding
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
#include "explain/finding_picture.h"
#include "explain/words.h"
#include "grade/profile.h"
#include "words/render.h"

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
  std::string finds, cause, fix, thread, block, place, last;
  std::uint32_t inside = 0, unwritten_from = 0;
  std::vector<std::string> evidence, with, says, never;
  std::set<std::uint32_t> lines;
};

/// The launch and what is to be told of it.
std::pair<grade::ProfileRequest, Expected> read(const fs::path& file) {
  grade::ProfileRequest request;
  Expected expected;
  request.file = file;
  launch::ParsedLaunch& launch = request.launches.emplace_back();
  launch.kernel = "k";
  request.check = true;
  std::ifstream in(file);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("// <--") != std::string::npos) expected.lines.insert(number);
    const auto colon = line.find(": ");
    if (!line.starts_with("// ") || colon == std::string::npos) continue;
    const std::string key = line.substr(3, colon - 3), value = line.substr(colon + 2);
    if (key == "grid") launch.grid = launch::parse_dim3(value).value();
    if (key == "block" && !value.starts_with("(")) launch.block = launch::parse_dim3(value).value();
    if (key == "dynamic_shared")
      launch.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "budget") request.thread_instruction_budget = std::stoull(value);
    if (key == "arg") launch.arguments.push_back(launch::parse_argument(value));
    if (key == "finds") expected.finds = value;
    if (key == "cause") expected.cause = value;
    if (key == "evidence") expected.evidence.push_back(value);
    if (key == "fix") expected.fix = value;
    if (key == "with") expected.with.push_back(value);
    if (key == "thread") expected.thread = value;
    if (key == "block" && value.starts_with("(")) expected.block = value;
    if (key == "place") expected.place = value;
    if (key == "last") expected.last = value;
    if (key == "inside") expected.inside = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "unwritten_from")
      expected.unwritten_from = static_cast<std::uint32_t>(std::stoul(value));
    if (key == "says") expected.says.push_back(value);
    if (key == "never") expected.never.push_back(value);
  }
  int place = 0;
  for (const auto marked : expected.lines) {
    const std::string mark = "{" + std::to_string(++place) + "}";
    for (auto& parameter : expected.with)
      if (const auto at = parameter.find(mark); at != std::string::npos)
        parameter.replace(at, mark.size(), std::to_string(marked));
  }
  return {std::move(request), std::move(expected)};
}

std::string text_of(const launch::Finding& finding, const launch::Dim3& block) {
  std::string text;
  for (const std::string& line : tell_finding(finding, block)) text += line + "\n";
  return text;
}

/// "above 12", "array tile": a parameter as the files have it.
std::string text_of(const words::Parameter& parameter) {
  std::string value;
  if (const auto* line = std::get_if<words::SourceLine>(&parameter.value))
    value = std::to_string(line->line);
  if (const auto* number = std::get_if<std::int64_t>(&parameter.value))
    value = std::to_string(*number);
  if (const auto* name = std::get_if<std::string>(&parameter.value)) value = *name;
  return parameter.name + " " + value;
}

/// All parameters of its evidence and of its fix.
std::set<std::string> parameters_of(const launch::Finding& finding) {
  std::set<std::string> all;
  const auto add = [&](const words::Message& message) {
    for (const words::Parameter& parameter : message.parameters) all.insert(text_of(parameter));
  };
  std::for_each(finding.evidence.begin(), finding.evidence.end(), add);
  add(finding.fix);
  return all;
}

void expect_places(const launch::Finding& finding, const Expected& expected,
                   const launch::Dim3& block) {
  const auto is_one_of = [](const launch::Dim3& a, const launch::Dim3& b, const std::string& text) {
    return text.empty() || launch::triple(a) == text || launch::triple(b) == text;
  };
  EXPECT_TRUE(is_one_of(finding.thread, finding.other_thread, expected.thread));
  EXPECT_TRUE(is_one_of(finding.block, finding.other_block, expected.block));
  if (expected.unwritten_from != 0) {
    EXPECT_EQ(finding.unwritten_from, expected.unwritten_from);
  }
  if (expected.inside != 0) {
    EXPECT_EQ(finding.where_inside.line, expected.inside);
  }
  const auto picture = picture_of(finding, block);
  if (!expected.place.empty()) {
    EXPECT_EQ(picture ? picture->place : "", expected.place);
  }
  if (!expected.last.empty()) {
    EXPECT_EQ(picture ? picture->last_element : "", expected.last);
  }
}

class ToldOf : public testing::TestWithParam<fs::path> {};

TEST_P(ToldOf, TheCauseAndNothingThatMisleads) {
  try {
    compile::find_nvrtc();
  } catch (const Error& error) {
    GTEST_SKIP() << "needs NVRTC: " << error.what();
  }
  const auto [request, expected] = read(GetParam());
  const launch::Dim3 block = request.launches.at(0).block;
  const auto result = grade::profile(device::make_devices("sim"), request).launches.at(0);
  ASSERT_EQ(result.refusal, "") << words::render(result.message) << result.compile_log;
  std::string all;
  for (const auto& finding : result.outcome.findings)
    all += std::string(launch::name_of(finding.kind)) +
           (finding.severity == launch::Severity::error ? "" : " warning") + "\n" +
           text_of(finding, block) + "\n";
  for (const auto& note : result.notes)  // both builds were checked
    EXPECT_NE(note.id, words::Id::unoptimised_unchecked);
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
  const std::string text = text_of(first, block);
  for (const auto& word : expected.says)
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n\n" << all;
  if (!expected.cause.empty()) {
    EXPECT_EQ(launch::id_of(first.cause), expected.cause) << all;
  }
  if (!expected.fix.empty()) {
    EXPECT_EQ(words::name_of(first.fix.id), expected.fix) << all;
  }
  const std::set<std::string> parameters = parameters_of(first);
  for (const auto& parameter : expected.with)
    EXPECT_TRUE(parameters.contains(parameter)) << parameter << "\n\n" << all;
  expect_places(first, expected, block);
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
