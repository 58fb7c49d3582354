#include "class/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/intaker.h"
#include "class/intake/lab_names.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

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

/// "a.zip holds", "a.zip and b.zip hold"
std::string held_by(const std::vector<std::filesystem::path>& inputs) {
  return joined(inputs, " and ") + (inputs.size() == 1 ? " holds" : " hold");
}

}  // namespace

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
                             : "it is beside the downloads, not in one of them";
    } else if (found.parts.size() > roots_[r].prefix.size()) {
      begin_file(found);
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

/// `prefix`: what the input's own name is to be before all its paths; "" for nothing. `called`: how the
/// teacher knows it.
void Intaker::find(const std::filesystem::path& input, const std::string& prefix,
                   const std::string& called) {
  std::vector<Found> found = collect(input, options_.limits);
  const std::string label = name_of(input);
  std::vector<Root> roots = find_roots(found, label, options_.format, labs_);
  for (Root& root : roots) {
    inputs_.push_back(roots.size() > 1 ? called + "/" + root.label : called);
    root.called = inputs_.back();
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

/// In a student's folder: "labs/lab3_corner_turning/kernel.cu".
bool Intaker::is_whole_kit(const Found& found) const {
  for (std::size_t i = 0; i + 2 < found.parts.size(); ++i)
    if (found.parts[i] == "labs" && !labs_.lab_of(found.parts[i + 1]).empty()) return true;
  return false;
}

/// Which labs each download is for: what the teacher says of it, else what its name says. A plain folder may leave that to its
/// files, unless whole kits are in it, which hold all labs whichever was set.
void Intaker::assign_labs() {
  std::set<std::size_t> whole_kits;
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (is_whole_kit(found_[i])) whole_kits.insert(root_of_[i]);
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    Root& root = roots_[r];
    const auto fits = [&](const Assignment& one) {
      return std::any_of(
          one.downloads.begin(), one.downloads.end(), [&](const std::string& pattern) {
            return fits_pattern(root.label, pattern) || fits_pattern(inputs_[r], pattern);
          });
    };
    const auto asked = std::find_if(options_.assignments.begin(), options_.assignments.end(), fits);
    if (asked != options_.assignments.end())
      root.labs = asked->labs;
    else if (root.labs.empty())
      root.labs = labs_.labs_of(without_archive_ending(inputs_[r]));
    if (root.labs.empty() && (root.format != Format::plain || whole_kits.contains(r)))
      intake_.unassigned.push_back(inputs_[r]);
  }
}

/// A line for each download, and one for each student of whom it holds nothing else.
void Intaker::tell_also_contained() {
  for (const auto& [r, labs] : also_) {
    std::map<std::size_t, std::set<std::string>> of_student;
    std::string text;
    for (const auto& [lab, students] : labs) {
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", lab, students.size());
      for (const std::size_t student : students) of_student[student].insert(lab);
    }
    intake_.remarks.push_back({Remark::Kind::also, inputs_[r], {}, text, inputs_[r]});
    for (const auto& [student, held] : of_student) {
      const bool has_any =
          std::any_of(roots_[r].labs.begin(), roots_[r].labs.end(), [&](const std::string& lab) {
            return submitted_.contains({student, lab});
          });
      if (!has_any)
        intake_.remarks.push_back(
            {Remark::Kind::no_lab, inputs_[r], identities_.students()[student].id,
             fmt::format("{} holds only {}, not what was set for it ({})",
                         identities_.students()[student].id, joined(held), joined(roots_[r].labs)),
             inputs_[r]});
    }
  }
}

void Intaker::begin_file(const Found& found) const {
  if (!options_.begin_file) return;
  options_.begin_file(found.kind == Found::Kind::refused ? std::string() : found.path());
}

void Intaker::refuse_too_slow() {
  for (Found& found : found_) {
    if (!options_.too_slow.contains(found.path())) continue;
    found.kind = Found::Kind::refused;
    found.why = "looking at it takes longer than any kernel does";
    std::string().swap(found.text);
  }
}

Intake Intaker::run(const std::vector<std::filesystem::path>& inputs) {
  std::set<std::filesystem::path> seen;
  std::map<std::string, std::size_t> named;
  std::set<std::string> prefixes;
  for (const std::filesystem::path& input : inputs) ++named[name_of(input)];
  for (const std::filesystem::path& input : inputs) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(input, unknown)).second) continue;
    const std::string name = name_of(input);
    std::string whole = clean_name(decode_name(input.string()));
    if (!prefixes.insert(whole).second) prefixes.insert(whole = spelt_out(input.string()));
    find(input, inputs.size() > 1 ? whole : "", named[name] > 1 ? whole : name);
  }
  refuse_too_slow();
  claim_all();
  assign_labs();
  if (!intake_.unassigned.empty()) {
    intake_.roots = roots_;
    return std::move(intake_);
  }
  resolve_owners();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    begin_file(found_[i]);
    sort_out(i);
    std::string().swap(found_[i].text);  // what counts is a candidate now
  }
  if (options_.begin_file) options_.begin_file({});
  choose();

  const std::vector<Student>& students = identities_.students();
  for (const auto& [student, left] : left_alone_)
    remark(Remark::Kind::left_alone, left.first,
           left.count == 1
               ? std::string("it is not a source file and was ignored")
               : fmt::format("this and {} more of {} are not source files and were ignored",
                             left.count - 1, students[student].id));
  std::stable_sort(remarks_.begin(), remarks_.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  // What one student's archive says is no more than a few lines, however much is in it.
  constexpr std::size_t kMostOfOne = 10;
  struct Told {
    std::size_t count = 0, last = 0;
  };
  std::map<std::tuple<std::size_t, std::string, Remark::Kind>, Told> told;
  for (auto& [one, i] : remarks_) {
    if (one.student.empty() && !students_[i].empty())
      one.student = students[students_[i].front()].id;
    const std::size_t r = root_of_[i], at = r < roots_.size() ? roots_[r].prefix.size() : 0;
    Told& of = told[{r, found_[i].parts.at(std::min(at, found_[i].parts.size() - 1)), one.kind}];
    if (++of.count > kMostOfOne) continue;
    of.last = intake_.remarks.size();
    if (r < roots_.size()) one.download = inputs_[r];
    intake_.remarks.push_back(std::move(one));
  }
  for (const auto& [key, of] : told)
    if (of.count > kMostOfOne)
      intake_.remarks[of.last].text +=
          fmt::format("; and {} more in {}", of.count - kMostOfOne, std::get<1>(key));
  for (const Remark& one : identities_.remarks()) intake_.remarks.push_back(one);
  tell_also_contained();

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

bool replaces(const Submission& one, const Submission& counts) {
  if (one.problem.empty() != counts.problem.empty()) return one.problem.empty();
  if (one.submitted_at && counts.submitted_at) return *one.submitted_at >= *counts.submitted_at;
  if (one.lms_order && counts.lms_order) return one.lms_order >= counts.lms_order;
  return true;
}

const char* remark_name(Remark::Kind kind) {
  // In the order of Remark::Kind.
  static constexpr const char* kNames[] = {
      "no student", "no lab",        "refused",  "not chosen",     "left alone",
      "roster",     "several files", "not read", "also contained", "unchanged stub"};
  return kNames[static_cast<std::size_t>(kind)];
}

Intake import_inputs(const std::vector<std::filesystem::path>& inputs,
                     const std::vector<grade::Manifest>& labs, const IntakeOptions& options) {
  std::vector<RosterEntry> roster;
  if (!options.roster.empty())
    roster = as_usage([&] { return read_roster(options.roster); });
  else if (!options.roster_text.empty())
    roster = as_usage([&] { return parse_roster(options.roster_text, options.roster_name); });
  IntakeOptions known = options;
  if (!known.kit_files) known.kit_files = kit_file_hashes(labs);
  Intake intake = Intaker(labs, known, std::move(roster)).run(inputs);
  if (intake.submissions.empty() && intake.remarks.empty() && intake.unassigned.empty())
    throw UsageError(fmt::format("{} no submissions", held_by(inputs)),
                     "Name the folder or the archive that the students' files are in.");
  return intake;
}

}  // namespace labkit::course
