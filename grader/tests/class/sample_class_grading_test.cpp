// docker/sample_class, graded as it comes from everywhere: each format gives docker/sample_class/expected.csv.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/csv.h"
#include "base/error.h"
#include "base/files.h"
#include "class_files.h"
#include "compile/compile.h"
#include "process/process.h"
#include "sample_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// student -> column -> cell, of the columns that `expected` has.
using Cells = std::map<std::string, std::map<std::string, std::string>>;

Cells cells_of(const fs::path& file, const std::vector<std::string>& columns) {
  const Csv csv = read_csv(read_file(file), file.filename().string());
  Cells cells;
  for (std::size_t row = 1; row < csv.rows.size(); ++row)
    for (const std::string& column : columns)
      cells[csv.cell(row, csv.column({"student"}))][column] = csv.cell(row, csv.column({column}));
  return cells;
}

process::Result grade(const fs::path& input, const fs::path& roster, const fs::path& out) {
  process::Command command;
  command.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string(),
                  "class",
                  "grade",
                  input.string(),
                  "--out",
                  out.string(),
                  "--roster",
                  roster.string(),
                  "--device",
                  "sim"};
  // Gradescope's downloads have a number for a name; those of the others say their lab
  if (input.filename() == "gradescope")
    for (const char* asked : {"*assignment_11*=lab1", "*assignment_13*=lab3"})
      command.argv.insert(command.argv.end(), {"--assignment", asked});
  command.environment = process::inherited(
      {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
  command.limits = {.wall_seconds = 280};
  return process::run(command);
}

/// The LMS's own upload is made for the input that it came from, and for no other.
std::vector<std::string> uploads_of(const std::string& format) {
  if (format == "canvas") return {"canvas.csv"};
  if (format == "moodle") return {"moodle-lab1.csv", "moodle-lab3.csv"};
  if (format == "gradescope")
    return {"gradescope/lab1/agarcia/results.json", "gradescope/lab3/hstone/results.json"};
  return {};
}

// Graded once; what comes in the next format is the same to the byte, so nothing of it is graded again.
TEST(SampleClassGrading, EveryFormatGivesTheExpectedGradebook) {
  try {
    compile::find_nvrtc();
  } catch (const compile::NoNvrtc&) {
    GTEST_SKIP() << "skipped: there is no NVRTC";
  }
  const fs::path root = LABKIT_SOURCE_DIR;
  const std::vector<std::string> columns = {"lab1", "lab1 verdict", "lab3", "lab3 verdict"};
  const Cells expected = cells_of(root / "docker/sample_class/expected.csv", columns);
  ASSERT_EQ(expected.size(), 12u);

  const TemporaryFolder folder;
  const fs::path out = folder.path() / "grades";
  const std::vector<PackedClass> formats = pack_sample_class(root, folder.path() / "class");
  ASSERT_EQ(formats.size(), 6u);
  for (const auto& [format, input] : formats) {
    SCOPED_TRACE(format);
    const process::Result graded = grade(input, folder.path() / "class/roster.csv", out);
    ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
    EXPECT_EQ(cells_of(out / "grades.csv", columns), expected);
    EXPECT_EQ(graded.out.find("Nothing to grade") != std::string::npos, format != "plain")
        << graded.out;
    for (const PackedClass& other : formats)
      for (const std::string& upload : uploads_of(other.format))
        EXPECT_EQ(fs::exists(out / upload), other.format == format) << upload;
  }
}

}  // namespace
}  // namespace labkit::course
