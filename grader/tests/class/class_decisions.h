// A class that was graded, and the commands on it as they are typed.
#pragma once
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/csv.h"
#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "class/policy/rescore.h"
#include "class_files.h"
#include "grade/result.h"
#include "process/process.h"
#include "report/json.h"

namespace labkit::course {

namespace fs = std::filesystem;

/// Ana and Bo submitted lab 3, which is right but for a gate in Bo's case; Cy submitted nothing.
class ClassDecisions : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("labkit class decisions " + std::to_string(getpid()));
    fs::create_directories(folder_);
    labs_ = kit_labs();
    Gradebook book(out() / "gradebook.sqlite");
    Intake intake;
    for (const auto& [id, name] :
         {std::pair{"ana", "García, Ana"}, {"bo", "Li, Bo"}, {"cy", "Cy"}}) {
      Student student;
      student.id = id;
      student.name = name;
      student.keys["email"] = std::string(id) + "@x.edu";
      intake.students.push_back(student);
      if (student.id == "cy") continue;
      Submission one;
      one.student = id;
      one.lab = "lab3";
      one.path = std::string(id) + "/lab3.cu";
      one.late = student.id == "bo";
      one.source = read_file(fs::path(LABKIT_SOURCE_DIR) /
                             "solutions/lab3_corner_turning/correct/flat_tile.cu");
      if (student.id == "bo") one.source = replace_all(one.source, "tile", "my_square");
      one.source_sha256 = sha256_hex(one.source);
      intake.submissions.push_back(one);
    }
    book.put_class(intake);
    Conditions conditions;
    conditions.kit = "0";
    conditions.device = "sim";
    conditions.labs["lab3"] = measurement_hash(lab3());
    book.plan(conditions);
    for (const Job& job : book.to_do())
      book.finish(job.id, {report::lab_json(result(job.student == "ana")), "{}"});
  }
  void TearDown() override { fs::remove_all(folder_); }

  const grade::Manifest& lab3() const { return labs_.at(3); }

  /// Right everywhere, with figures that hold or miss every gate.
  grade::LabResult result(bool holds) const {
    grade::LabResult result;
    result.lab = lab3().id;
    result.folder = lab3().folder;
    result.title = lab3().title;
    result.values["corner_turn"] = "a1:8 a2:9 a3:10 a4:11 a5:12 a6:13 a7:14 a8:15 a9:16 aa:17";
    result.file = "kernel.cu";
    result.device = "sim";
    for (const grade::Test& test : lab3().tests) {
      grade::TestResult one;
      one.name = test.name;
      one.about = test.about;
      one.kernel = test.kernel;
      one.bonus = test.bonus;
      one.max_points = test.points;
      one.verdict.kind = "pass";
      for (const grade::Gate& gate : test.gates) {
        grade::GateResult held;
        held.name = gate.name;
        held.figure = gate.figure;
        held.is_minimum = gate.is_minimum;
        held.threshold = gate.threshold;
        held.max_points = gate.points;
        held.passed = holds;
        held.value = holds             ? gate.threshold
                     : gate.is_minimum ? gate.threshold / 2
                                       : gate.threshold + 1;
        one.figures[gate.figure] = held.value;
        one.gates.push_back(held);
      }
      if (one.gates.empty())
        one.points = one.max_points;
      else
        grade::award_gates(one);
      result.tests.push_back(one);
    }
    grade::sum_up(result);
    return result;
  }

  fs::path out() const { return folder_ / "grades"; }
  process::Result run(const std::string& command, const std::vector<std::string>& arguments = {},
                      const fs::path& root = LABKIT_SOURCE_DIR) const {
    std::vector<std::string> words = {"class", command, out().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return type(words, root);
  }
  process::Result type(const std::vector<std::string>& words,
                       const fs::path& root = LABKIT_SOURCE_DIR) const {
    process::Command line;
    line.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string()};
    line.argv.insert(line.argv.end(), words.begin(), words.end());
    line.environment =
        process::inherited({"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS"});
    line.environment.push_back("LABKIT_ROOT=" + root.string());
    line.environment.push_back("TZ=UTC");
    line.limits = {.wall_seconds = 120};
    return process::run(line);
  }
  /// "3 cases" of "To review:  .../index.html#review (3 cases)"; "none" without such a line.
  static std::string fmt_row(const std::string& out, const std::string& title) {
    const std::size_t at = out.find(title);
    if (at == std::string::npos) return "none";
    const std::size_t open = out.find('(', at), close = out.find(')', open);
    return out.substr(open + 1, close - open - 1);
  }
  /// A cell of grades.csv.
  std::string cell(const std::string& student, const std::string& column) const {
    const Csv csv = read_csv(read_file(out() / "grades.csv"), "grades.csv");
    for (std::size_t row = 1; row < csv.rows.size(); ++row)
      if (csv.cell(row, 0) == student) return csv.cell(row, csv.column({column}));
    return "no such student";
  }

  fs::path folder_;
  std::vector<grade::Manifest> labs_;
};

}  // namespace labkit::course
