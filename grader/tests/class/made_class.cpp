#include "made_class.h"

#include <fmt/format.h>

#include "base/sha256.h"

namespace labkit::course {

Intake made_class(std::size_t students, const std::vector<std::string>& labs) {
  Intake intake;
  for (std::size_t i = 0; i < students; ++i) {
    Student student;
    student.id = student.name = fmt::format("s{}", i);
    for (const std::string& lab : labs) {
      Submission one;
      one.student = student.id;
      one.lab = lab;
      one.path = fmt::format("{}/{}.cu", student.id, lab);
      one.source = fmt::format("// {} {}", student.id, lab);
      one.source_sha256 = sha256_hex(one.source);
      one.input = "made.zip";
      one.download_key = "plain made";
      intake.submissions.push_back(one);
    }
    intake.students.push_back(student);
  }
  return intake;
}

Conditions made_conditions() {
  Conditions conditions;
  conditions.kit = "0.1.0";
  conditions.device = "sim";
  for (int lab = 1; lab <= 6; ++lab) {
    const std::string id = fmt::format("lab{}", lab);
    conditions.labs[id] = "hash of " + id;
  }
  return conditions;
}

Outcome made_outcome(const Job& job) {
  const bool good = (job.student.back() - '0') % 2 == 0;
  const std::string json = fmt::format(
      R"({{"format":1,"lab":"{}","verdict":"{}","points":{},"max_points":100,"bonus":0,"max_bonus":20,)"
      R"("tests":[],"compile_log":"{}"}})",
      job.lab, good ? "pass" : "gate ratio", good ? 100 : 60, std::string(4000, 'l'));
  return {json, fmt::format(R"({{"source":"{}"}})", job.source_sha256)};
}

std::size_t grade_all(Gradebook& book) {
  std::size_t count = 0;
  for (; const auto job = book.begin_next(); ++count) book.finish(job->id, made_outcome(*job));
  return count;
}

}  // namespace labkit::course
