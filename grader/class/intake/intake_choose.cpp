// Which of a student's files for a lab is graded, and what is said of the others. A step of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/sha256.h"
#include "class/intake/intaker.h"

namespace labkit::course {

/// What came as one: a download, or Gradescope's single submission.
std::pair<std::size_t, std::string> Intaker::delivery_of(const Candidate& one) const {
  const Claim& claim = claims_[one.claim];
  return {root_of_[one.found], claim.submitted_at ? claim.lms_id : std::string()};
}

/// But for the student, the lab, and what is said of the others.
Submission Intaker::submission_of(const Candidate& one) const {
  const Claim& claim = claims_[one.claim];
  Submission submission;
  submission.path = found_[one.found].path();
  submission.source = one.text;
  submission.source_sha256 = sha256_hex(one.text);
  submission.submitted_at = claim.submitted_at;
  submission.lms_order = one.order;
  submission.late = claim.late;
  submission.lms_id = claim.lms_id;
  submission.download = inputs_[root_of_[one.found]];
  submission.problem = one.problem;
  if (!one.note.empty()) submission.notes.push_back(one.note);
  if (students_[one.found].size() > 1)
    for (const std::size_t member : students_[one.found])
      submission.group.push_back(identities_.students()[member].id);
  std::sort(submission.group.begin(), submission.group.end());
  return submission;
}

/// Whether a student may have meant either: nothing but names speaks for one of them.
bool Intaker::is_as_good(const Candidate& one, const Candidate& best) const {
  return delivery_of(one) == delivery_of(best) && one.gradable && one.has_kernel && one.touched &&
         best.touched && one.resubmission == best.resubmission && one.order == best.order;
}

void Intaker::choose() {
  take_wrong_forms();
  for (auto& [key, all] : candidates_) choose(key.first, key.second, all);
}

void Intaker::choose(std::size_t student, const std::string& lab, std::vector<Candidate>& all) {
  // Of two alike, the shorter path, then the earlier in the alphabet; an archive's later member of
  // the same path replaces the earlier, as unpacking would have it.
  const auto better = [&](const Candidate& a, const Candidate& b) {
    if (a.rank() != b.rank()) return a.rank() > b.rank();
    const Found &fa = found_[a.found], &fb = found_[b.found];
    if (fa.parts.size() != fb.parts.size()) return fa.parts.size() < fb.parts.size();
    if (fa.parts != fb.parts) return fa.parts < fb.parts;
    return a.found > b.found;
  };
  std::sort(all.begin(), all.end(), better);
  std::map<std::pair<std::size_t, std::string>, std::size_t> best_of;  // delivery -> its best
  for (std::size_t i = 0; i < all.size(); ++i) best_of.emplace(delivery_of(all[i]), i);
  // in the order in which their downloads were named
  std::optional<std::pair<Submission, std::size_t>> counts;
  for (const auto& [delivery, i] : best_of) {
    Submission one = submission_of(all[i]);
    if (!counts || replaces(one, counts->first)) counts.emplace(std::move(one), i);
  }
  const auto chosen = all.begin() + static_cast<std::ptrdiff_t>(counts->second);
  std::rotate(all.begin(), chosen, chosen + 1);

  const Candidate& best = all.front();
  const Found& found = found_[best.found];
  Submission submission = std::move(counts->first);
  submission.student = identities_.students()[student].id;
  submission.lab = lab;
  tell_others(all, submission);
  if (!best.problem.empty() && found.kind != Found::Kind::refused)
    remarks_.push_back(
        {{Remark::Kind::refused, found.path(), submission.student, best.problem}, best.found});
  if (best.in_kits_place)
    remarks_.push_back({{Remark::Kind::several, found.path(), submission.student,
                         fmt::format("{}: it lies where the kit keeps its own solutions, and is "
                                     "not the kit's; it was graded",
                                     lab)},
                        best.found});
  intake_.submissions.push_back(std::move(submission));
}

/// The first of `all` is `submission`.
void Intaker::tell_others(const std::vector<Candidate>& all, Submission& submission) {
  const Candidate& best = all.front();
  const auto tell = [&](Remark::Kind kind, const Candidate& one, std::string text) {
    remarks_.push_back(
        {{kind, found_[one.found].path(), submission.student, std::move(text)}, one.found});
  };
  std::vector<const Candidate*> as_good;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Candidate& one = all[i];
    const std::string path = found_[one.found].path();
    const bool same = one.text == best.text && one.gradable;
    constexpr std::size_t kMostNotes = 5;
    if (!same && one.gradable && submission.notes.size() < kMostNotes)
      submission.notes.push_back(fmt::format("{} was graded, not {}", submission.path, path));
    else if (!same && one.gradable && submission.notes.size() == kMostNotes)
      submission.notes.emplace_back("and others in the same submission");
    if (found_[one.found].kind == Found::Kind::refused) continue;  // that has its line
    // Beside what was graded nothing tells which was meant, but an LMS's order and a number in its name.
    const bool is_unread =
        !one.gradable && best.gradable &&
        std::pair(root_of_[one.found], std::pair(one.order, one.resubmission)) >=
            std::pair(root_of_[best.found], std::pair(best.order, best.resubmission));
    if (is_unread)
      tell(Remark::Kind::refused, one,
           fmt::format("{}; for {}, {} was graded", one.problem, submission.lab, submission.path));
    else if (!same && is_as_good(one, best))
      as_good.push_back(&one);
    else
      tell(Remark::Kind::not_chosen, one,
           fmt::format("for {}, {} was graded{}", submission.lab, submission.path,
                       same ? ", which is the same" : ""));
  }
  if (!as_good.empty())
    tell(Remark::Kind::several, *as_good.front(),
         fmt::format(
             "{}: it{} the kernel as well; {} was graded", submission.lab,
             as_good.size() == 1 ? " holds" : fmt::format(" and {} more hold", as_good.size() - 1),
             submission.path));
}

}  // namespace labkit::course
