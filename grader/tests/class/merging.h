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

inline void submit_again(Submission& one, const std::string& source) {
  one.source = source;
  one.source_sha256 = sha256_hex(source);
}

/// s0's lab1 of one week; the LMS's time in hours.
inline Intake week_of(const std::string& name, const std::string& source,
                      std::optional<std::int64_t> hours = std::nullopt) {
  Intake intake = made_class(1, {"lab1"});
  Submission& one = submission_of(intake, "s0");
  submit_again(one, source);
  one.path = name + "/lab1.cu";
  one.download = name + ".zip";
  intake.roots.emplace_back().label = one.download;
  if (hours) one.submitted_at = 1'790'000'000 + *hours * 3600;
  return intake;
}

/// As an archive that is cut short.
inline Intake unreadable(Intake intake) {
  for (Submission& one : intake.submissions) {
    one.source.clear();
    one.source_sha256 = sha256_hex("");
    one.problem = "the archive is cut short";
  }
  return intake;
}

class Merging : public testing::Test {
 protected:
  /// Applied at once.
  Imported import_inputs(const Intake& intake) {
    Imported imported = book_.put_class(intake);
    to_do_ = book_.plan(made_conditions());
    return imported;
  }
  void grade(const Intake& intake) {
    import_inputs(intake);
    grade_all(book_);
  }
  Entry entry(const std::string& student, const std::string& lab = "lab1",
              View view = View::applied) {
    for (const Entry& one : book_.entries(view))
      if (one.student == student && one.lab == lab) return one;
    return {};
  }
  /// Of what counts.
  std::string source(const std::string& student, const std::string& lab = "lab1",
                     View view = View::applied) {
    return book_.source(entry(student, lab, view).submission.source_sha256).value_or("");
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
