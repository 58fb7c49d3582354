// Gathers the class page while the students' pages are made, so that each result is read once.
// Private to course/.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "class/pages/class_html.h"
#include "class/pages/student_html.h"
#include "class/policy/tally.h"
#include "class/publish/exports.h"
#include "class/publish/review.h"

namespace labkit::course {

/// "2026-11-21 10:42 UTC"
std::string utc(std::int64_t seconds_since_1970);

/// How a grade stands; the word for it is its verdict.
report::html::Standing standing_of_grade(const Grade& grade);

class ClassPageMaker {
 public:
  ClassPageMaker(const Gradebook& book, const Report& report);

  void add_lab(const grade::Manifest& lab, const std::map<std::string, double>& reference);
  /// One student's lab `index`, in the order of add_lab().
  ClassCell add(std::size_t index, const StudentLab& lab, const Grade& grade);
  void add_student(ClassStudent student) { page_.students.push_back(std::move(student)); }
  void add_pair(ClassPair pair) { page_.similar.push_back(std::move(pair)); }
  void add_group(ClassGroup group) { page_.groups.push_back(std::move(group)); }
  void add_decision(ClassDecision one) { page_.decided.push_back(std::move(one)); }
  /// After all students. `who`: the student; without one, the file.
  void add_case(const ReviewCase& one, const ReviewItem::Who& who);
  /// A file that was not graded and need not be looked at.
  void add_file(const Remark& remark, const std::string& student);
  /// What it was graded with.
  void saw(const grade::LabResult& result, const Job& job);

  /// What all results so far were graded with; the seed only where students do not see it.
  std::string graded_with(bool with_seed) const;
  const ClassPage& page();

 private:
  void add_ratios(std::size_t index, const grade::LabResult& result);

  using Key = std::pair<std::string, std::string>;  // student, lab
  std::set<Key> to_look_at_;
  std::map<Key, std::string> reasons_;  ///< of those to look at
  std::map<std::string, Tally> tally_;
  ClassPage page_;
  /// Lab, what and why -> its place in page_.review: one student's archive may make thousands of cases.
  std::map<std::array<std::string, 3>, std::size_t> cases_;
  std::set<std::string> kits_, devices_, seeds_;
  std::vector<std::map<std::string, double>> references_;
};

}  // namespace labkit::course
