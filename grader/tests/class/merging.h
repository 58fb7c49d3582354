// A gradebook into which a class is imported bit by bit.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "class/gradebook/gradebook.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {

using Lines = std::vector<std::string>;

/// Of a class that was made, those numbered so.
inline Intake some_of(std::size_t first, std::size_t end, const std::vector<std::string>& labs) {
  Intake intake = made_class(end, labs);
  const auto before = [&](const std::string& id) { return std::stoul(id.substr(1)) < first; };
  std::erase_if(intake.students, [&](const Student& s) { return before(s.id); });
  std::erase_if(intake.submissions, [&](const Submission& s) { return before(s.student); });
  return intake;
}

inline Submission& submission_of(Intake& intake, const std::string& student) {
  return *std::find_if(intake.submissions.begin(), intake.submissions.end(),
                       [&](const Submission& one) { return one.student == student; });
}

/// As another download.
inline Intake called(const std::string& name, Intake intake) {
  for (Submission& one : intake.submissions) {
    one.input = name + ".zip";
    one.download_key = name;
  }
  return intake;
}

/// s0's lab1 of one week, the file's time in hours.
inline Intake week_of(const std::string& name, const std::string& source,
                      std::optional<std::int64_t> hours) {
  Intake intake = called(name, made_class(1, {"lab1"}));
  Submission& one = submission_of(intake, "s0");
  one.source = source;
  one.source_sha256 = sha256_hex(source);
  one.path = name + "/lab1.cu";
  if (hours) one.file_time = 1'790'000'000 + *hours * 3600;
  return intake;
}

inline void submit_again(Submission& one, const std::string& source) {
  one.source = source;
  one.source_sha256 = sha256_hex(source);
}

class Merging : public testing::Test {
 protected:
  Merged import_inputs(const Intake& intake) {
    Merged merged = book_.put_class(intake);
    to_do_ = book_.plan(made_conditions()).to_do;
    return merged;
  }
  void grade(const Intake& intake) {
    import_inputs(intake);
    grade_all(book_);
  }
  Entry entry(const std::string& student, const std::string& lab = "lab1") {
    for (const Entry& one : book_.entries())
      if (one.student == student && one.lab == lab) return one;
    return {};
  }
  static Lines told(const std::vector<Merged::Item>& items) {
    Lines lines;
    for (const Merged::Item& item : items) lines.push_back(item.student + " " + item.lab);
    return lines;
  }
  /// "student lab verdict", for what was submitted.
  Lines graded() {
    Lines all;
    for (const Entry& one : book_.entries())
      if (one.submitted) all.push_back(one.student + " " + one.lab + " " + one.verdict);
    return all;
  }

  TemporaryFolder folder_;
  Gradebook book_{folder_.path() / "gradebook.sqlite"};
  std::size_t to_do_ = 0;
};

}  // namespace labkit::course
