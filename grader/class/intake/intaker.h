// From what was found to what was submitted. Private to intake: intake.cpp says whose each file is, identity.cpp who is who,
// intake_sort.cpp which lab it is for and which one is graded.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "class/intake/intake.h"
#include "class/intake/lab_names.h"

namespace labkit::course {

struct IntakeFile {
  Found found;
  const Root* root = nullptr;  ///< null: beside the downloads
  Claim claim = {};
  std::vector<std::size_t> students = {};  ///< who submitted it: places in Intake::students

  const std::string& name() const { return found.parts.back(); }
  bool is_refused() const { return found.kind == Found::Kind::refused; }
  /// Where its path goes on below the download.
  std::size_t place() const { return root ? root->prefix.size() : 0; }
  /// There: a student's folder or archive.
  const std::string& top() const {
    return found.parts.at(std::min(place(), found.parts.size() - 1));
  }
};

/// Which labs the files are for, which of them are graded, and what is said of the others: submissions and remarks are
/// added to `intake`, which has the students. The files' texts are gone afterwards.
void choose_files(std::vector<IntakeFile>& files, const LabNames& labs,
                  const IntakeOptions& options, Intake& intake);

/// Where a whole kit begins, as in "alice/labs/lab3_corner_turning/kernel.cu": the place of "labs"; nullopt if it is none.
std::optional<std::size_t> kit_at(const Found& found, const LabNames& labs);

/// IntakeFile::students of each file, by its claim. Students are added to `intake`, who submitted something and all on the
/// roster; so are remarks and who is the same.
void identify(std::vector<IntakeFile>& files, std::vector<Student> roster,
              const std::vector<Student>& known, Intake& intake);

}  // namespace labkit::course
