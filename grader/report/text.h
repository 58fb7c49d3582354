// Results as text for people.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "grade/calibration.h"
#include "grade/manifest.h"
#include "grade/profile.h"
#include "grade/result.h"
#include "report/style.h"

namespace labkit::report {

/// One test of `result`: a line if it passed, else why it failed, the lines of the source, what to do, and the limit missed.
std::string test_text(const grade::LabResult& result, const grade::TestResult& test,
                      const Style& style);
/// A verdict reached before any test (untouched, compile_error), or that the file is ready.
std::string ready_text(const grade::LabResult& result, const Style& style);
/// The figures of all graded launches side by side; empty if there are fewer than `at_least`.
std::string figures_text(const std::vector<grade::TestResult>& tests, const Style& style,
                         std::size_t at_least = 1);

/// The table of `labkit grade`: a line a lab or solution, and under it a line for each failure.
struct GradedFile {
  std::string label;  ///< "lab3", or "lab3 correct/tile.cu"
  grade::LabResult result;
  std::string file = {};  ///< as `--file` wants it; empty: the lab's own
};
std::string grade_text(const std::vector<GradedFile>& files, const Style& style);
/// What it says of one of them below the table: what failed, warnings, what the kernel printed; pictures if it is `alone`.
std::string details_text(const GradedFile& file, const Style& style, bool alone = true);
/// What it says of the first failure alone, or of the verdict before any test.
std::string first_failure_text(const grade::LabResult& result, const Style& style);
/// The same below its test's name, with a picture of three lines at most, for a screen; and what the kernel printed.
std::string pictured_failure_text(const grade::LabResult& result, const Style& style,
                                  bool with_picture = true);
/// Of tests that passed, and the compiler's about the file, three at most.
std::string warnings_text(const grade::LabResult& result, const Style& style);
/// And last: what was graded on.
std::string devices_text(const grade::LabResult& result, const Style& style);

/// `lanes`: the source line whose accesses are pictured; 0: the worst of all.
std::string profile_text(const grade::Profile& profile, const Style& style,
                         std::uint32_t lanes = 0);

/// What a GPU measured of every solution, as a page of Markdown: the record behind its limits.
struct CalibratedLab {
  grade::Manifest lab;
  std::vector<grade::SolutionRuns> solutions;
  grade::GpuGates gates;
};

/// The page says the GPU, its driver, the date and the command at its top. A row is a graded launch
/// of a solution, of the run whose ratio is the median.
std::string measured_markdown(const std::vector<CalibratedLab>& labs);

}  // namespace labkit::report
