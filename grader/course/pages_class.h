// Gathers the class page while the students' pages are made, so that each result is read once.
// Private to course/.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "course/exports.h"
#include "report/class_html.h"
#include "report/student_html.h"

namespace labkit::course {

/// "2026-11-21 10:42 UTC"
std::string utc(std::int64_t seconds_since_1970);

/// How a grade stands, and the word for it.
report::html::Standing standing_of_grade(const Grade& grade);
std::string verdict_of_grade(const Grade& grade);

class ClassPageMaker {
 public:
  ClassPageMaker(const Gradebook& book, const Report& report);

  void add_lab(const lab::Manifest& lab, const std::map<std::string, double>& reference);
  /// One student's lab `index`, in the order of add_lab().
  report::ClassCell add(std::size_t index, const report::ClassStudent& student,
                        const report::StudentLab& lab, const Entry& entry, const Grade& grade);
  void add_student(report::ClassStudent student) { page_.students.push_back(std::move(student)); }
  void add_pair(report::ClassPair pair) { page_.similar.push_back(std::move(pair)); }
  void add_remark(const Remark& remark, const std::string& student, const report::html::Link& page);
  /// What it was graded with.
  void saw(const lab::LabResult& result, const Job& job);

  /// What all results so far were graded with; the seed only where students do not see it.
  std::string graded_with(bool with_seed) const;
  const report::ClassPage& page();

 private:
  void look(const report::ReviewItem::Who& who, const std::string& lab, const std::string& what,
            const std::string& why);
  void add_ratios(std::size_t index, const lab::LabResult& result);

  const Report& report_;
  report::ClassPage page_;
  std::set<std::string> kits_, devices_, seeds_;
  std::vector<std::map<std::string, double>> references_;
};

}  // namespace labkit::course
