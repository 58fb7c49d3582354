#include "course/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "base/sha256.h"
#include "base/text.h"
#include "base/usage_error.h"
#include "course/archive.h"
#include "course/identity.h"
#include "course/lab_names.h"
#include "course/names.h"

namespace labkit::course {
namespace {

/// One file that may be what a student means for a lab.
struct Candidate {
  std::size_t found = 0, claim = 0;
  std::string lab, text, problem;
  std::string note;             ///< for the teacher, if it is chosen
  bool lab_by_kernels = false;  ///< no name says which lab it is for
  // What speaks for it, the stronger first.
  bool gradable = false, has_kernel = false, touched = false;
  std::uint64_t order = 0;    ///< the LMS's, larger is newer
  unsigned resubmission = 0;  ///< by its names
  unsigned exact = 0;         ///< how much its name is the one asked for
  auto rank() const {
    return std::tuple(gradable, has_kernel, touched, resubmission, order, exact);
  }
};

/// Kept in the kit's own solutions folder: nobody's submission, though it came with one.
bool is_of_the_kit(const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i + 3 < parts.size(); ++i)
    if (parts[i] == "solutions" && (parts[i + 2] == "correct" || parts[i + 2] == "wrong"))
      return true;
  return false;
}

/// Why bytes are no source text, or "".
std::string no_text(std::string_view bytes) {
  if (trim(bytes).empty()) return "it is empty";
  if (bytes.starts_with("PK\x03\x04")) return "it is a zip by another name";
  if (bytes.starts_with("%PDF")) return "it is a PDF by another name";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return {};
  if (bytes.find('\0') != std::string_view::npos) return "it is no text: it holds zero bytes";
  return {};
}

class Intaker {
 public:
  Intaker(const std::vector<lab::Manifest>& labs, const IntakeOptions& options,
          std::vector<RosterEntry> roster)
      : labs_(labs), options_(options), identities_(std::move(roster)) {}

  Intake run(const std::vector<std::filesystem::path>& inputs);

 private:
  void find(const std::filesystem::path& input, const std::string& prefix,
            const std::string& called);
  void claim_all();
  void sort_out(std::size_t i);
  Candidate candidate(std::size_t i, std::string& why_no_lab);
  std::vector<std::string> own_parts(const Found& found, const Claim& claim) const;
  void resolve_owners();
  void choose();
  void choose(std::size_t student, const std::string& lab, std::vector<Candidate>& all);
  HandIn hand_in_of(const Candidate& one) const;
  std::pair<std::size_t, std::string> delivery_of(const Candidate& one) const;
  bool is_as_good(const Candidate& one, const Candidate& best) const;
  void remark(Remark::Kind kind, std::size_t i, std::string text);

  LabNames labs_;
  IntakeOptions options_;
  Identities identities_;
  std::vector<Found> found_;
  std::vector<Root> roots_;
  std::vector<std::string> inputs_;                 ///< parallel to roots_: where it was found
  std::vector<std::string> keys_;                   ///< parallel to roots_: its download_key
  std::vector<std::size_t> root_of_;                ///< parallel to found_; roots_.size(): none
  std::vector<Claim> claims_;                       ///< parallel to found_
  std::vector<std::vector<std::size_t>> students_;  ///< parallel to found_: who handed it in
  std::vector<std::pair<Remark, std::size_t>> remarks_;  ///< with the Found they are about
  std::map<std::pair<std::size_t, std::string>, std::vector<Candidate>>
      candidates_;  ///< student, lab
  struct LeftAlone {
    std::size_t count = 0, first = 0;
  };
  std::map<std::size_t, LeftAlone> left_alone_;  ///< by student
  Intake intake_;
};

void Intaker::remark(Remark::Kind kind, std::size_t i, std::string text) {
  remarks_.push_back({{kind, found_[i].path(), {}, std::move(text)}, i});
}

void Intaker::claim_all() {
  std::vector<std::map<std::string, GradescopeSubmission>> metadata(roots_.size());
  root_of_.assign(found_.size(), roots_.size());
  claims_.resize(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    for (std::size_t r = 0; r < roots_.size(); ++r) {
      const auto& prefix = roots_[r].prefix;
      if (found.parts.size() < prefix.size() ||
          !std::equal(prefix.begin(), prefix.end(), found.parts.begin()))
        continue;
      root_of_[i] = r;
      if (roots_[r].format == Format::gradescope && found.kind == Found::Kind::metadata &&
          found.parts.size() == prefix.size() + 1) {
        try {
          metadata[r] = parse_gradescope_metadata(found.text);
        } catch (const std::runtime_error& error) {
          throw UsageError(fmt::format("{}: {}", found.path(), error.what()),
                           "Download the submissions from Gradescope again.");
        }
      }
    }
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    const std::size_t r = root_of_[i];
    if (r == roots_.size()) {
      if (found.kind != Found::Kind::folder)
        claims_[i].why = found.kind == Found::Kind::refused
                             ? found.why
                             : "it lies beside the downloads, not in one of them";
    } else if (found.parts.size() > roots_[r].prefix.size()) {
      claims_[i] = claim(found, roots_[r], metadata[r], labs_);
    } else {
      claims_[i].why = found.why;  // the root itself: a download that is broken
    }
    for (const Owner& owner : claims_[i].owners) identities_.note(owner, r);
  }
}

void Intaker::resolve_owners() {
  students_.resize(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Claim& claim = claims_[i];
    std::vector<std::size_t>& students = students_[i];
    if (claim.owners.size() == 1) students = identities_.group_members(claim.group);
    if (students.empty())
      for (const Owner& owner : claim.owners)
        students.push_back(identities_.resolve(owner, root_of_[i]));
    std::sort(students.begin(), students.end());
    students.erase(std::unique(students.begin(), students.end()), students.end());
  }
  identities_.finish();
}

/// The parts below the owner's name, by which the lab is found.
std::vector<std::string> Intaker::own_parts(const Found& found, const Claim& claim) const {
  std::vector<std::string> parts;
  if (!claim.first.empty()) parts.push_back(claim.first);
  parts.insert(parts.end(), found.parts.begin() + static_cast<std::ptrdiff_t>(claim.consumed),
               found.parts.end());
  return parts;
}

/// The nearest name decides: the file's own, then its folders', then the kernels in the source, then
/// the download's name. A download is the LMS's assignment, but a student may hand in all labs at one.
Candidate Intaker::candidate(std::size_t i, std::string& why_no_lab) {
  const Found& found = found_[i];
  Candidate candidate;
  candidate.found = candidate.claim = i;
  const std::vector<std::string> parts = own_parts(found, claims_[i]);
  const std::string& file = parts.back();
  for (std::size_t p = parts.size(); p-- > 0 && candidate.lab.empty();)
    candidate.lab = labs_.lab_of(parts[p]);
  const bool named = !candidate.lab.empty();
  candidate.problem = found.kind == Found::Kind::refused ? found.why : no_text(found.text);
  candidate.gradable = candidate.problem.empty();
  if (candidate.gradable) {
    candidate.text = found.text.starts_with("\xef\xbb\xbf") || found.text.starts_with("\xff\xfe") ||
                             found.text.starts_with("\xfe\xff")
                         ? decode_text(found.text)
                         : found.text;
    if (!named) candidate.lab = labs_.kernels_in(candidate.text).lab;
    candidate.lab_by_kernels = !named && !candidate.lab.empty();
  }
  if (candidate.lab.empty() && root_of_[i] < roots_.size()) candidate.lab = roots_[root_of_[i]].lab;
  if (candidate.lab.empty()) candidate.lab = options_.lab;
  if (candidate.lab.empty()) {
    why_no_lab = candidate.gradable ? "neither its name nor a kernel in it says which lab it is for"
                                    : candidate.problem;
    return candidate;
  }
  const LabNames::Holds holds = labs_.holds(candidate.text, candidate.lab);
  candidate.has_kernel = holds.found > 0;
  candidate.touched = holds.touched;
  if (candidate.gradable && !candidate.has_kernel) {
    const std::string other = labs_.kernels_in(candidate.text).lab;
    if (!other.empty())
      candidate.note =
          fmt::format("handed in for {}, but its kernels are those of {}", candidate.lab, other);
  }
  candidate.order = claims_[i].order;
  for (const std::string& part : parts)
    candidate.resubmission = std::max(candidate.resubmission, resubmission_number(part));
  const std::string stem = slug(file.substr(0, file.find('.', 1)));
  candidate.exact = (source_likeness(file) == 2 ? 2u : 0u) +
                    (stem == candidate.lab || stem == "kernel" ? 1u : 0u);
  // What is no .cu is a submission only if it holds a kernel that is asked for.
  if (source_likeness(file) < 2 && !candidate.has_kernel) {
    candidate.lab.clear();
    why_no_lab = candidate.problem.empty() ? "left" : candidate.problem;
  }
  return candidate;
}

void Intaker::sort_out(std::size_t i) {
  const Found& found = found_[i];
  const Claim& claim = claims_[i];
  if (found.kind == Found::Kind::folder) return;
  if (found.kind == Found::Kind::metadata && root_of_[i] < roots_.size() &&
      roots_[root_of_[i]].format == Format::gradescope)
    return;
  if (students_[i].empty()) {
    const bool refused = found.kind == Found::Kind::refused;
    if (refused || !claim.why.empty())
      remark(refused ? Remark::Kind::refused : Remark::Kind::nobody, i,
             refused ? found.why : claim.why);
    return;
  }
  if (!claim.why.empty()) {  // typed into the LMS
    remark(Remark::Kind::no_lab, i, claim.why);
    return;
  }
  const auto leave_alone = [&] {
    for (const std::size_t student : students_[i]) {
      LeftAlone& left = left_alone_[student];
      if (left.count++ == 0) left.first = i;
    }
  };
  const auto parts = own_parts(found, claim);
  if (found.kind == Found::Kind::other || parts.empty() || is_of_the_kit(found.parts)) {
    leave_alone();
    return;
  }
  if (found.kind == Found::Kind::refused) remark(Remark::Kind::refused, i, found.why);
  if (found.kind == Found::Kind::refused && source_likeness(parts.back()) < 2 &&
      !names_archive(parts.back()) && foreign_archive(parts.back()).empty())
    return;
  std::string why_no_lab;
  Candidate one = candidate(i, why_no_lab);
  if (found.kind == Found::Kind::refused && source_likeness(parts.back()) < 2 && one.lab.empty()) {
    // An archive that cannot be read hides what it is for: if its name says so, the lab is marked.
    for (std::size_t p = parts.size(); p-- > 0 && one.lab.empty();)
      one.lab = labs_.lab_of(parts[p]);
    if (one.lab.empty() && root_of_[i] < roots_.size()) one.lab = roots_[root_of_[i]].lab;
    if (one.lab.empty()) return;
  }
  if (one.lab.empty()) {
    if (why_no_lab == "left")
      leave_alone();
    else if (found.kind != Found::Kind::refused)
      remark(Remark::Kind::no_lab, i, why_no_lab);
    return;
  }
  // One file for all labs: only one of them is graded from it, which must not go unsaid.
  std::string others;
  if (one.lab_by_kernels)
    for (const std::string& lab : labs_.written_in(one.text))
      if (lab != one.lab) others += (others.empty() ? "" : ", ") + lab;
  if (!others.empty())
    remark(
        Remark::Kind::no_lab, i,
        fmt::format("it was taken for {}; it also holds kernels of {}: a file for each lab, named "
                    "after it, would be graded for each",
                    one.lab, others));
  for (const std::size_t student : students_[i]) candidates_[{student, one.lab}].push_back(one);
}

/// What came as one: a download, or Gradescope's single submission.
std::pair<std::size_t, std::string> Intaker::delivery_of(const Candidate& one) const {
  const Claim& claim = claims_[one.claim];
  return {root_of_[one.found], claim.submitted_at ? claim.lms_id : std::string()};
}

HandIn Intaker::hand_in_of(const Candidate& one) const {
  HandIn hand_in;
  const std::size_t root = root_of_[one.found];
  hand_in.source_sha256 = sha256_hex(one.text);
  hand_in.path = found_[one.found].path();
  hand_in.input = inputs_[root];
  hand_in.download_key = keys_[root];
  hand_in.submitted_at = claims_[one.claim].submitted_at;
  hand_in.attempt = one.order;
  hand_in.file_time = found_[one.found].modified_at;
  hand_in.readable = one.gradable;
  hand_in.untouched = one.has_kernel && !one.touched;
  return hand_in;
}

/// Whether a student may have meant either: nothing but names speaks for one of them.
bool Intaker::is_as_good(const Candidate& one, const Candidate& best) const {
  return delivery_of(one) == delivery_of(best) && one.gradable && one.has_kernel && one.touched &&
         best.touched && one.resubmission == best.resubmission && one.order == best.order;
}

void Intaker::choose() {
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
  std::vector<HandIn> hand_ins;  // in the order in which their downloads were named
  std::vector<std::size_t> candidate_of;
  for (const auto& [delivery, i] : best_of) {
    hand_ins.push_back(hand_in_of(all[i]));
    candidate_of.push_back(i);
  }
  const std::size_t newest = newest_of(hand_ins);
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(candidate_of[newest]),
              all.begin() + static_cast<std::ptrdiff_t>(candidate_of[newest]) + 1);

  const Candidate& best = all.front();
  const Found& found = found_[best.found];
  const Claim& claim = claims_[best.claim];
  Submission submission;
  submission.student = identities_.students()[student].id;
  submission.lab = lab;
  submission.path = found.path();
  submission.source = best.text;
  submission.source_sha256 = hand_ins[newest].source_sha256;
  submission.late = claim.late;
  submission.submitted_at = claim.submitted_at;
  submission.lms_id = claim.lms_id;
  submission.input = hand_ins[newest].input;
  submission.download_key = hand_ins[newest].download_key;
  submission.attempt = hand_ins[newest].attempt;
  submission.file_time = hand_ins[newest].file_time;
  submission.untouched = hand_ins[newest].untouched;
  for (const HandIn& one : hand_ins)
    if (one.source_sha256 != submission.source_sha256 && one.readable)
      submission.others.push_back(one);
  if (roots_.size() > 1) submission.copies = hand_ins;
  if (roots_.size() > 1) submission.download = roots_[root_of_[best.found]].label;
  submission.problem = best.problem;
  if (!best.note.empty()) submission.notes.push_back(best.note);
  if (students_[best.found].size() > 1)
    for (const std::size_t member : students_[best.found])
      submission.group.push_back(identities_.students()[member].id);
  std::sort(submission.group.begin(), submission.group.end());
  std::set<std::string> told;  // by the gradebook, which looks at them again
  for (const HandIn& one : rivals_of(hand_ins[newest], submission.others)) told.insert(one.path);
  std::vector<std::size_t> as_good;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string path = found_[all[i].found].path();
    const bool same = all[i].text == best.text && all[i].gradable;
    if (!same && all[i].gradable)
      submission.notes.push_back(fmt::format("{} was graded, not {}", found.path(), path));
    if (found_[all[i].found].kind == Found::Kind::refused) continue;  // that has its line
    if (told.contains(path)) continue;
    if (!same && is_as_good(all[i], best)) {
      as_good.push_back(i);
      continue;
    }
    remarks_.push_back({{Remark::Kind::not_chosen, path, submission.student,
                         fmt::format("for {}, {} was graded{}", lab, found.path(),
                                     same ? ", which is the same" : "")},
                        all[i].found});
  }
  if (!as_good.empty())
    remarks_.push_back(
        {{Remark::Kind::several, found_[all[as_good[0]].found].path(), submission.student,
          fmt::format(
              "{}: it{} the kernel as well; {} was graded", lab,
              as_good.size() == 1 ? " holds" : fmt::format(" and {} more hold", as_good.size() - 1),
              found.path())},
         all[as_good[0]].found});
  if (!best.problem.empty() && found.kind != Found::Kind::refused)
    remarks_.push_back(
        {{Remark::Kind::refused, found.path(), submission.student, best.problem}, best.found});
  intake_.submissions.push_back(std::move(submission));
}

/// What an input's file or folder is called.
std::string name_of(const std::filesystem::path& input) {
  std::string name = input.filename().string();
  if (name.empty() || name == "." || name == "..") {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(input, ignored);
    name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  }
  return clean_name(decode_name(name));
}

/// `prefix`: what the input's own name is to be before all its paths; "" for nothing. `called`: how the
/// teacher knows it.
void Intaker::find(const std::filesystem::path& input, const std::string& prefix,
                   const std::string& called) {
  std::vector<Found> found = collect(input, options_.limits);
  const std::string label = name_of(input);
  std::vector<Root> roots = find_roots(found, label, options_.format, labs_);
  for (const Root& root : roots) {
    // Gradescope's folder is called after its number of the assignment, whatever became of the zip.
    const bool numbered =
        root.format == Format::gradescope && root.label.starts_with("assignment_");
    std::string key =
        fmt::format("{} {}", format_name(root.format), download_key(numbered ? root.label : label));
    if (roots.size() > 1 && !numbered) key += "/" + download_key(root.label);
    keys_.push_back(key);
    inputs_.push_back(roots.size() > 1 ? called + "/" + root.label : called);
  }
  if (!prefix.empty()) {
    for (Found& one : found) {
      one.parts.insert(one.parts.begin(), prefix);
      one.outer_parts += 1;
    }
    for (Root& root : roots) root.prefix.insert(root.prefix.begin(), prefix);
  }
  std::move(found.begin(), found.end(), std::back_inserter(found_));
  std::move(roots.begin(), roots.end(), std::back_inserter(roots_));
}

Intake Intaker::run(const std::vector<std::filesystem::path>& inputs) {
  std::set<std::filesystem::path> seen;
  std::map<std::string, std::size_t> named;
  for (const std::filesystem::path& input : inputs) ++named[name_of(input)];
  for (const std::filesystem::path& input : inputs) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(input, unknown)).second) continue;
    const std::string name = name_of(input), whole = clean_name(decode_name(input.string()));
    find(input, inputs.size() > 1 ? whole : "", named[name] > 1 ? whole : name);
  }
  claim_all();
  resolve_owners();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    sort_out(i);
    std::string().swap(found_[i].text);  // what counts is a candidate now
  }
  choose();

  const std::vector<Student>& students = identities_.students();
  for (const auto& [student, left] : left_alone_)
    remark(Remark::Kind::left_alone, left.first,
           left.count == 1
               ? std::string("it is no source file, and was left alone")
               : fmt::format("this and {} more of {} are no source files, and were left alone",
                             left.count - 1, students[student].id));
  std::stable_sort(remarks_.begin(), remarks_.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  for (auto& [one, i] : remarks_) {
    if (one.student.empty() && !students_[i].empty())
      one.student = students[students_[i].front()].id;
    intake_.remarks.push_back(std::move(one));
  }
  for (const Remark& one : identities_.remarks()) intake_.remarks.push_back(one);

  std::vector<bool> has(students.size(), false);
  for (const auto& owners : students_)
    for (const std::size_t student : owners) has[student] = true;
  for (std::size_t i = 0; i < students.size(); ++i)
    if (!has[i]) intake_.missing.push_back(students[i].id);
  intake_.students = students;
  intake_.roots = roots_;
  std::sort(intake_.missing.begin(), intake_.missing.end());
  std::sort(intake_.students.begin(), intake_.students.end(),
            [](const Student& a, const Student& b) { return a.id < b.id; });
  std::sort(intake_.submissions.begin(), intake_.submissions.end(),
            [](const Submission& a, const Submission& b) {
              return std::tie(a.student, a.lab) < std::tie(b.student, b.lab);
            });
  return std::move(intake_);
}

/// "a.zip holds", "a.zip and b.zip hold"
std::string held_by(const std::vector<std::filesystem::path>& inputs) {
  std::string text;
  for (const std::filesystem::path& input : inputs)
    text += (text.empty() ? "" : " and ") + input.string();
  return text + (inputs.size() == 1 ? " holds" : " hold");
}

}  // namespace

HandIn hand_in_of(const Submission& one) {
  HandIn hand_in;
  hand_in.source_sha256 = one.source_sha256;
  hand_in.path = one.path;
  hand_in.input = one.input;
  hand_in.download_key = one.download_key;
  hand_in.submitted_at = one.submitted_at;
  hand_in.attempt = one.attempt;
  hand_in.file_time = one.file_time;
  hand_in.readable = one.problem.empty();
  hand_in.untouched = one.untouched;
  return hand_in;
}

const char* remark_name(Remark::Kind kind) {
  switch (kind) {
    case Remark::Kind::nobody:
      return "nobody's";
    case Remark::Kind::no_lab:
      return "no lab";
    case Remark::Kind::refused:
      return "refused";
    case Remark::Kind::not_chosen:
      return "not chosen";
    case Remark::Kind::left_alone:
      return "left alone";
    case Remark::Kind::roster:
      return "roster";
    case Remark::Kind::gone:
      return "gone";
    case Remark::Kind::rivals:
      return "two hand-ins";
    case Remark::Kind::several:
      return "several files";
  }
  return "";
}

Intake take_in(const std::vector<std::filesystem::path>& inputs,
               const std::vector<lab::Manifest>& labs, const IntakeOptions& options) {
  std::vector<RosterEntry> roster;
  if (!options.roster.empty())
    roster = as_usage([&] { return read_roster(options.roster); });
  else if (!options.roster_text.empty())
    roster = as_usage([&] { return parse_roster(options.roster_text, options.roster_name); });
  Intake intake = Intaker(labs, options, std::move(roster)).run(inputs);
  if (intake.submissions.empty() && intake.remarks.empty())
    throw UsageError(fmt::format("{} no submissions", held_by(inputs)),
                     "Name the folder or the archive that the students' files are in.");
  return intake;
}

}  // namespace labkit::course
