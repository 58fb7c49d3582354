// What `labkit run` prints of launches that are alike, and of a fault that many have.
#include <gtest/gtest.h>

#include "report/program.h"

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

}  // namespace
}  // namespace labkit::report
