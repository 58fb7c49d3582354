// Which of a student's files for a lab is graded, and what is said of the others. A step of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/sha256.h"
#include "class/intake/intaker.h"

namespace labkit::course {

/// But for the student, the lab, and what is said of the others.
Submission Intaker::submission_of(const Candidate& one) const {
  const Claim& claim = one.file->claim;
  Submission submission;
  submission.path = one.file->found.path();
  submission.source = one.text;
  submission.source_sha256 = sha256_hex(one.text);
  submission.submitted_at = claim.submitted_at;
  submission.lms_order = one.order;
  submission.late = claim.late;
  submission.lms_id = claim.lms_id;
  submission.download = one.file->root->called;
  submission.problem = one.problem;
  if (!one.note.empty()) submission.notes.push_back(one.note);
  if (one.file->students.size() > 1)
    for (const std::size_t member : one.file->students)
      submission.group.push_back(student(member).id);
  std::ranges::sort(submission.group);
  return submission;
}

void Intaker::choose(std::size_t student, const std::string& lab, std::vector<Candidate>& all) {
  // Of two alike, the shorter path, then the earlier in the alphabet; an archive's later member of
  // the same path replaces the earlier, as unpacking would have it.
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    if (a.rank() != b.rank()) return a.rank() > b.rank();
    const std::vector<std::string>&pa = a.file->found.parts, &pb = b.file->found.parts;
    if (pa.size() != pb.size()) return pa.size() < pb.size();
    return pa != pb ? pa < pb : a.file > b.file;
  });
  std::map<decltype(Candidate().delivery()), std::size_t> best_of;
  for (std::size_t i = 0; i < all.size(); ++i) best_of.emplace(all[i].delivery(), i);
  // in the order in which their downloads were named
  std::optional<Submission> counts;
  std::size_t chosen = 0;
  for (const auto& [delivery, i] : best_of) {
    Submission one = submission_of(all[i]);
    if (counts && !replaces(one, *counts)) continue;
    counts = std::move(one);
    chosen = i;
  }
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(chosen);
  std::rotate(all.begin(), at, at + 1);

  const Candidate& best = all.front();
  counts->student = this->student(student).id;
  counts->lab = lab;
  tell_others(all, *counts);
  if (!best.problem.empty() && !best.file->is_refused())
    remark(Remark::Kind::refused, *best.file, best.problem, counts->student);
  if (best.in_kits_place)
    remark(
        Remark::Kind::several, *best.file,
        fmt::format("{}: it lies where the kit keeps its own solutions, and is not the kit's; it "
                    "was graded",
                    lab),
        counts->student);
  intake_.submissions.push_back(std::move(*counts));
}

/// The first of `all` is `submission`.
void Intaker::tell_others(const std::vector<Candidate>& all, Submission& submission) {
  constexpr std::size_t kMostNotes = 5;
  const Candidate& best = all.front();
  const auto when = [](const Candidate& one) {
    return std::tuple(one.file->root, one.order, one.resubmission);
  };
  std::vector<const File*> as_good;
  for (const Candidate& one : all) {
    if (&one == &best) continue;
    const bool same = one.text == best.text && one.gradable;
    if (!same && one.gradable && submission.notes.size() <= kMostNotes)
      submission.notes.push_back(
          submission.notes.size() == kMostNotes
              ? "and others in the same submission"
              : fmt::format("{} was graded, not {}", submission.path, one.file->found.path()));
    if (one.file->is_refused()) continue;  // that has its line
    // Beside what was graded nothing tells which was meant, but an LMS's order and a number in its name.
    if (!one.gradable && best.gradable && when(one) >= when(best))
      remark(Remark::Kind::refused, *one.file,
             fmt::format("{}; for {}, {} was graded", one.problem, submission.lab, submission.path),
             submission.student);
    else if (!same && one.delivery() == best.delivery() && one.gradable && one.has_kernel &&
             one.touched && best.touched && one.resubmission == best.resubmission &&
             one.order == best.order)
      as_good.push_back(one.file);
    else
      remark(Remark::Kind::not_chosen, *one.file,
             fmt::format("for {}, {} was graded{}", submission.lab, submission.path,
                         same ? ", which is the same" : ""),
             submission.student);
  }
  if (!as_good.empty())
    remark(Remark::Kind::several, *as_good.front(),
           fmt::format("{}: it{} the kernel as well; {} was graded", submission.lab,
                       as_good.size() == 1 ? " holds"
                                           : fmt::format(" and {} more hold", as_good.size() - 1),
                       submission.path),
           submission.student);
}

}  // namespace labkit::course
