// An intake as lines of text, to be compared.
#pragma once
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "class/intake/intake.h"
#include "class_files.h"

namespace labkit::course {

using Lines = std::vector<std::string>;
/// "student lab path", with what is special about it.
inline Lines submissions(const Intake& intake) {
  Lines lines;
  for (const Submission& one : intake.submissions)
    lines.push_back(one.student + " " + one.lab + " " + one.path + (one.late ? " late" : "") +
                    (one.problem.empty() ? "" : " (" + one.problem + ")"));
  return lines;
}
inline Lines students(const Intake& intake) {
  Lines lines;
  for (const Student& student : intake.students) lines.push_back(student.id + ": " + student.name);
  return lines;
}
inline Lines remarks(const Intake& intake) {
  Lines lines;
  for (const Remark& one : intake.remarks)
    lines.push_back(std::string(name_in(kRemarks, one.kind)) + " " + one.path + " [" + one.student +
                    "] " + text_of(one));
  return lines;
}
/// All labs were set for every download.
inline IntakeOptions all_labs(IntakeOptions options = {}) {
  Assignment all;
  all.downloads = {"*"};
  for (const grade::Manifest& lab : kit_labs()) all.labs.push_back(lab.id);
  options.assignments.push_back(all);
  return options;
}
inline Intake take_packed(const std::vector<Packed>& entries, const std::string& name = "class.zip",
                          const IntakeOptions& options = all_labs()) {
  const TemporaryFolder folder;
  return import_inputs({folder.write(name, pack(entries))}, kit_labs(), options);
}

inline const std::string kL1 = kernel_of("lab1"), kL3 = kernel_of("lab3"), kL5 = kernel_of("lab5");

}  // namespace labkit::course
