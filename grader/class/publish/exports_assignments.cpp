// Which labs one assignment of Gradescope is about.
//
// A student has one submission to an assignment, so labs that were handed in together are of one
// assignment: submission_metadata.yml says so, while the name of the download often says nothing.
#include <algorithm>
#include <map>
#include <set>

#include "class/publish/exports.h"

namespace labkit::course {

std::vector<GradescopeAssignment> gradescope_assignments(const Report& report,
                                                         const std::vector<Root>& roots,
                                                         const std::vector<lab::Manifest>& labs) {
  std::set<std::string> alone;  // the download is called after it
  for (const Root& root : roots)
    if (root.format == Format::gradescope && !root.lab.empty()) alone.insert(root.lab);
  std::map<std::string, std::set<std::string>> of_submission;  // Gradescope's number -> labs
  std::map<std::string, std::set<std::string>> submissions;    // lab -> Gradescope's numbers
  for (const Submission& one : report.submissions) {
    if (one.lms_id.empty()) continue;
    of_submission[one.lms_id].insert(one.lab);
    submissions[one.lab].insert(one.lms_id);
  }
  const auto together = [&](const std::string& a, const std::string& b) {
    if (alone.contains(a) || alone.contains(b)) return false;
    const auto both = static_cast<std::size_t>(std::count_if(
        of_submission.begin(), of_submission.end(),
        [&](const auto& one) { return one.second.contains(a) && one.second.contains(b); }));
    // One file too many in another lab's submission joins nothing.
    return both > 0 && 2 * both >= std::min(submissions[a].size(), submissions[b].size());
  };
  std::vector<GradescopeAssignment> assignments;
  for (const lab::Manifest& lab : labs) {
    if (!submissions.contains(lab.id)) continue;
    const auto found =
        std::find_if(assignments.begin(), assignments.end(), [&](const GradescopeAssignment& one) {
          return std::any_of(one.labs.begin(), one.labs.end(),
                             [&](const std::string& other) { return together(lab.id, other); });
        });
    if (found == assignments.end()) {
      assignments.push_back({lab.id, {lab.id}});
    } else {
      found->name += "+" + lab.id;
      found->labs.push_back(lab.id);
    }
  }
  return assignments;
}

}  // namespace labkit::course
