#include "made_class.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "report/json.h"

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
      one.download = "made.zip";
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
  grade::LabResult result;
  result.lab = job.lab;
  result.verdict = grade::verdict_from_text(good ? "pass" : "gate ratio");
  result.points = good ? 100 : 60;
  result.max_points = 100;
  result.max_bonus = 20;
  result.compile_log = std::string(4000, 'l');
  const std::string json = report::lab_json(result);
  return {json, fmt::format(R"({{"source":"{}"}})", job.source_sha256)};
}

std::string source_of(const Gradebook& book, const std::string& student, const std::string& lab) {
  for (const Entry& one : book.entries())
    if (one.student == student && one.lab == lab)
      return book.source(one.submission.source_sha256).value_or("");
  return {};
}

std::size_t grade_all(Gradebook& book) {
  const std::vector<Job> jobs = book.to_do();
  for (const Job& job : jobs) book.finish(job.id, made_outcome(job));
  return jobs.size();
}

}  // namespace labkit::course
