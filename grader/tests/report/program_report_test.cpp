// What `labkit run` prints of launches that are alike, and of a fault that many have.
#include <gtest/gtest.h>

#include "report/program.h"
#include "words/language.h"

namespace labkit::report {
namespace {

program::Report faulty(std::uint64_t launches) {
  program::Report report;
  report.program = "prog.cu";
  for (std::uint64_t i = 1; i <= launches; ++i) {
    program::LaunchRow row;
    row.first = i;
    row.kernel = row.entry = "k";
    launch::Finding finding;
    finding.kind = launch::FindingKind::out_of_bounds;
    finding.kernel = "k";
    finding.where = {"prog.cu", 3};
    row.findings = {finding};
    report.launches.push_back(std::move(row));
  }
  report.launch_count = launches;
  return report;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(ProgramText, AFaultOfSeveralLaunchesIsToldOnce) {
  EXPECT_EQ(times(program_text(faulty(1), {}), "in launch 1, k"), 1u);
  const std::string two = program_text(faulty(2), {});
  EXPECT_EQ(times(two, "in launches 1, 2, k"), 1u) << two;
  const std::string many = program_text(faulty(12), {});
  EXPECT_EQ(times(many, "in launches 1, 2, 3, 4, 5, 6, 7, 8 and 4 more, k"), 1u) << many;
  program::Report other = faulty(2);
  other.launches[1].findings[0].where.line = 4;
  EXPECT_EQ(times(program_text(other, {}), "in launch "), 2u) << "another line is another fault";
}

program::LaunchRow timed(std::uint64_t first, const std::string& kernel, double time_us) {
  program::LaunchRow row;
  row.first = first;
  row.kernel = row.entry = kernel;
  row.time_us = time_us;
  row.completed = true;
  row.slow.emplace();
  return row;
}

TEST(ProgramText, TimeIsThatOfAKernelInAllItsRows) {
  program::Report report;
  report.program = "prog.cu";
  report.compiler = "nvcc 13.0";
  report.launches = {timed(1, "sum", 30), timed(2, "sum", 30), timed(3, "scale", 40)};
  report.launch_count = 3;
  report.kernel_time_us = 100;
  const std::string text = program_text(report, {});
  EXPECT_EQ(times(text, "60% of the kernels' time: sum, most of it in launch 1"), 1u) << text;
  EXPECT_EQ(times(text, "prog.cu (nvcc 13.0) on the simulator"), 1u) << text;
}

TEST(ProgramText, SpeaksChinese) {
  words::use_language(words::Language::chinese);
  const std::string text = program_text(faulty(1), {});
  words::use_language(words::Language::english);
  EXPECT_EQ(times(text, "launches"), 0u) << text;
  EXPECT_EQ(times(text, "simulat"), 0u) << text;
}

}  // namespace
}  // namespace labkit::report
