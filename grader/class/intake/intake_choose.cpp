// Which of a student's files for a lab is graded, and what is said of the others. A step of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "class/intake/intaker.h"

namespace labkit::course {

/// What came as one: a download, or Gradescope's single submission.
std::pair<std::size_t, std::string> Intaker::delivery_of(const Candidate& one) const {
  const Claim& claim = claims_[one.claim];
  return {root_of_[one.found], claim.submitted_at ? claim.lms_id : std::string()};
}

Attempt Intaker::attempt_of(const Candidate& one) const {
  Attempt attempt;
  const std::size_t root = root_of_[one.found];
  attempt.source_sha256 = sha256_hex(one.text);
  attempt.path = found_[one.found].path();
  attempt.input = inputs_[root];
  attempt.download_key = keys_[root];
  attempt.submitted_at = claims_[one.claim].submitted_at;
  attempt.lms_order = one.order;
  attempt.file_time = found_[one.found].modified_at;
  attempt.readable = one.gradable;
  attempt.untouched = one.has_kernel && !one.touched;
  return attempt;
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
  std::vector<Attempt> attempts;  // in the order in which their downloads were named
  std::vector<std::size_t> candidate_of;
  for (const auto& [delivery, i] : best_of) {
    attempts.push_back(attempt_of(all[i]));
    candidate_of.push_back(i);
  }
  const std::size_t newest = newest_of(attempts);
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(candidate_of[newest]),
              all.begin() + static_cast<std::ptrdiff_t>(candidate_of[newest]) + 1);

  const Candidate& best = all.front();
  const Found& found = found_[best.found];
  const Claim& claim = claims_[best.claim];
  Submission submission;
  submission.student = identities_.students()[student].id;
  submission.lab = lab;
  static_cast<Attempt&>(submission) = attempts[newest];
  submission.source = best.text;
  submission.late = claim.late;
  submission.lms_id = claim.lms_id;
  for (const Attempt& one : attempts)
    if (one.source_sha256 != submission.source_sha256) submission.others.push_back(one);
  if (roots_.size() > 1) submission.copies = attempts;
  submission.download = submission.input;
  submission.problem = best.problem;
  if (!best.note.empty()) submission.notes.push_back(best.note);
  if (students_[best.found].size() > 1)
    for (const std::size_t member : students_[best.found])
      submission.group.push_back(identities_.students()[member].id);
  std::sort(submission.group.begin(), submission.group.end());
  tell_others(all, attempts[newest], submission);
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

/// The first of `all` is `submission`; `counts` is the same as a submission.
void Intaker::tell_others(const std::vector<Candidate>& all, const Attempt& counts,
                          Submission& submission) {
  const Candidate& best = all.front();
  const auto tell = [&](Remark::Kind kind, const Candidate& one, std::string text) {
    remarks_.push_back(
        {{kind, found_[one.found].path(), submission.student, std::move(text)}, one.found});
  };
  std::set<std::string> told;  // by the gradebook, which looks at them again
  for (const Attempt& one : rivals_of(counts, submission.others)) told.insert(one.path);
  std::set<std::string> unread;  // may be the newer
  for (const Attempt& one : unread_after(counts, submission.others)) unread.insert(one.path);
  std::vector<const Candidate*> as_good;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Candidate& one = all[i];
    const std::string path = found_[one.found].path();
    const bool same = one.text == best.text && one.gradable;
    if (!same && one.gradable)
      submission.notes.push_back(fmt::format("{} was graded, not {}", submission.path, path));
    if (found_[one.found].kind == Found::Kind::refused) continue;  // that has its line
    if (told.contains(path)) continue;
    // Beside what was graded nothing tells which was meant, but an LMS's order and a number in its name.
    const bool is_unread =
        !one.gradable && best.gradable &&
        (delivery_of(one) == delivery_of(best)
             ? std::pair(one.order, one.resubmission) >= std::pair(best.order, best.resubmission)
             : unread.contains(path));
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
