#include "class/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "base/enum_names.h"
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

bool begins_with(const std::vector<std::string>& parts, const std::vector<std::string>& prefix) {
  return parts.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), parts.begin());
}

/// In a student's folder: "labs/lab3_corner_turning/kernel.cu".
bool is_whole_kit(const Found& found, const LabNames& labs) {
  for (std::size_t i = 0; i + 2 < found.parts.size(); ++i)
    if (found.parts[i] == "labs" && !labs.lab_of(found.parts[i + 1]).empty()) return true;
  return false;
}

}  // namespace

/// `prefix`: what the input's own name is to be before all its paths; "" for nothing. `called`: how the
/// teacher knows it.
void Intaker::find(const std::filesystem::path& input, const std::string& prefix,
                   const std::string& called) {
  std::vector<Found> found = collect(input, options_.limits);
  std::vector<Root> roots = find_roots(found, name_of(input), options_.format, labs_);
  for (Root& root : roots) {
    root.called = roots.size() > 1 ? called + "/" + root.label : called;
    if (!prefix.empty()) root.prefix.insert(root.prefix.begin(), prefix);
  }
  roots_.insert(roots_.end(), roots.begin(), roots.end());
  for (Found& one : found) {
    if (!prefix.empty()) {
      one.parts.insert(one.parts.begin(), prefix);
      if (!one.raw.empty()) one.raw.insert(one.raw.begin(), prefix);
      one.outer_parts += 1;
    }
    files_.push_back({std::move(one)});
  }
}

void Intaker::refuse_too_slow() {
  for (File& file : files_) {
    if (!options_.too_slow.contains(file.found.path())) continue;
    file.found.kind = Found::Kind::refused;
    file.found.why = "looking at it takes longer than any kernel does";
    std::string().swap(file.found.text);
  }
}

void Intaker::find_roots_of_files() {
  std::map<std::pair<const Root*, std::string>, std::set<std::string>> spellings;
  const auto owner_at = [](const File& file) { return file.root ? file.root->prefix.size() : 0; };
  for (File& file : files_) {
    for (const Root& root : roots_)
      if (begins_with(file.found.parts, root.prefix)) file.root = &root;
    const std::size_t at = owner_at(file);
    if (file.root && at < file.found.parts.size())
      spellings[{file.root, file.found.parts[at]}].insert(
          file.found.raw.empty() ? file.found.parts[at] : file.found.raw.at(at));
  }
  // " lead" and "lead", or one accent in two forms: which is whose is for the teacher to say.
  for (File& file : files_) {
    const std::size_t at = owner_at(file);
    if (!file.root || at >= file.found.parts.size() ||
        spellings[{file.root, file.found.parts[at]}].size() < 2)
      continue;
    file.found.kind = Found::Kind::refused;
    file.found.why = fmt::format(
        "two are called \"{}\", and only blanks, accents or unseen "
        "characters tell them apart: rename one",
        file.found.parts[at]);
  }
}

void Intaker::claim_all() {
  std::map<const Root*, std::map<std::string, GradescopeSubmission>> metadata;
  for (const File& file : files_) {
    const Found& found = file.found;
    if (!file.root || file.root->format != Format::gradescope ||
        found.kind != Found::Kind::metadata || found.parts.size() != file.root->prefix.size() + 1)
      continue;
    try {
      metadata[file.root] = parse_gradescope_metadata(found.text);
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("{}: {}", found.path(), error.what()),
                       "Download the submissions from Gradescope again.");
    }
  }
  for (File& file : files_) {
    if (!file.root) {
      if (file.found.kind != Found::Kind::folder)
        file.claim.why =
            file.is_refused() ? file.found.why : "it is beside the downloads, not in one of them";
    } else if (file.found.parts.size() > file.root->prefix.size()) {
      begin_file(file);
      file.claim = claim(file.found, *file.root, metadata[file.root], labs_);
    } else {
      file.claim.why = file.found.why;  // the root itself: a download that is broken
    }
    for (const Owner& owner : file.claim.owners) identities_.note(owner, file.root);
  }
}

/// Which labs each download is for: what the teacher says of it, else what its name says. A plain folder may leave that to its
/// files, unless whole kits are in it, which hold all labs whichever was set.
void Intaker::assign_labs() {
  std::set<const Root*> whole_kits;
  for (const File& file : files_)
    if (is_whole_kit(file.found, labs_)) whole_kits.insert(file.root);
  for (Root& root : roots_) {
    const auto asked = std::ranges::find_if(options_.assignments, [&](const Assignment& one) {
      return std::ranges::any_of(one.downloads, [&](const std::string& pattern) {
        return fits_pattern(root.label, pattern) || fits_pattern(root.called, pattern);
      });
    });
    if (asked != options_.assignments.end())
      root.labs = asked->labs;
    else if (root.labs.empty())
      root.labs = labs_.labs_of(without_archive_ending(root.called));
    if (root.labs.empty() && (root.format != Format::plain || whole_kits.contains(&root)))
      intake_.unassigned.push_back(root.called);
  }
}

void Intaker::resolve_owners() {
  identities_.compare_claims();
  for (File& file : files_) {
    std::set<std::size_t> students;
    if (file.claim.owners.size() == 1) students = identities_.group_members(file.claim.group);
    if (students.empty())
      for (const Owner& owner : file.claim.owners)
        students.insert(identities_.resolve(owner, file.root));
    file.students.assign(students.begin(), students.end());
  }
  identities_.finish();
}

void Intaker::begin_file(const File& file) const {
  if (options_.begin_file)
    options_.begin_file(file.is_refused() ? std::string() : file.found.path());
}

void Intaker::take_remarks() {
  for (const auto& [at, left] : left_alone_)
    remark(Remark::Kind::left_alone, *left.first,
           left.count == 1
               ? std::string("it is not a source file and was ignored")
               : fmt::format("this and {} more of {} are not source files and were ignored",
                             left.count - 1, student(at).id));
  std::ranges::stable_sort(remarks_, {}, [](const auto& one) { return one.second; });
  // What one student's archive says is no more than a few lines, however much is in it.
  constexpr std::size_t kMostOfOne = 10;
  struct Told {
    std::size_t count = 0, last = 0;
  };
  std::map<std::tuple<const Root*, std::string, Remark::Kind>, Told> told;
  for (auto& [one, file] : remarks_) {
    if (one.student.empty() && !file->students.empty())
      one.student = student(file->students.front()).id;
    if (file->root) one.download = file->root->called;
    const std::size_t at = file->root ? file->root->prefix.size() : 0;
    const std::vector<std::string>& parts = file->found.parts;
    Told& of = told[{file->root, parts.at(std::min(at, parts.size() - 1)), one.kind}];
    if (++of.count > kMostOfOne) continue;
    of.last = intake_.remarks.size();
    intake_.remarks.push_back(std::move(one));
  }
  for (const auto& [key, of] : told)
    if (of.count > kMostOfOne)
      intake_.remarks[of.last].text +=
          fmt::format("; and {} more in {}", of.count - kMostOfOne, std::get<1>(key));
  intake_.remarks.insert(intake_.remarks.end(), identities_.remarks().begin(),
                         identities_.remarks().end());
}

/// A line for each download, and one for each student of whom it holds nothing else.
void Intaker::tell_also_contained() {
  for (const auto& [root, labs] : also_) {
    std::map<std::size_t, std::set<std::string>> of_student;
    std::vector<std::string> counts;
    for (const auto& [lab, students] : labs) {
      counts.push_back(fmt::format("{} ({})", lab, students.size()));
      for (const std::size_t one : students) of_student[one].insert(lab);
    }
    intake_.remarks.push_back({Remark::Kind::also, root->called, {}, joined(counts), root->called});
    for (const auto& [at, held] : of_student)
      if (std::ranges::none_of(root->labs, [&, at = at](const std::string& lab) {
            return submitted_.contains({at, lab});
          }))
        intake_.remarks.push_back({Remark::Kind::no_lab, root->called, student(at).id,
                                   fmt::format("{} holds only {}, not what was set for it ({})",
                                               student(at).id, joined(held), joined(root->labs)),
                                   root->called});
  }
}

Intake Intaker::run(const std::vector<std::filesystem::path>& inputs) {
  std::set<std::filesystem::path> seen;
  std::set<std::string> prefixes;
  std::map<std::string, std::size_t> named;
  for (const std::filesystem::path& input : inputs) ++named[name_of(input)];
  for (const std::filesystem::path& input : inputs) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(input, unknown)).second) continue;
    const std::string name = name_of(input);
    std::string whole = clean_name(decode_name(input.string()));
    while (!prefixes.insert(whole).second) whole += " (again)";
    find(input, inputs.size() > 1 ? whole : "", named[name] > 1 ? whole : name);
  }
  refuse_too_slow();
  find_roots_of_files();
  claim_all();
  assign_labs();
  intake_.roots = roots_;
  if (!intake_.unassigned.empty()) return std::move(intake_);
  resolve_owners();
  for (File& file : files_) {
    begin_file(file);
    sort_out(file);
    std::string().swap(file.found.text);  // what counts is a candidate now
  }
  if (options_.begin_file) options_.begin_file({});
  take_wrong_forms();
  for (auto& [key, all] : candidates_) choose(key.first, key.second, all);
  take_remarks();
  tell_also_contained();

  intake_.students = identities_.students();
  std::set<std::size_t> present;
  for (const File& file : files_) present.insert(file.students.begin(), file.students.end());
  for (std::size_t i = 0; i < intake_.students.size(); ++i)
    if (!present.contains(i)) intake_.missing.push_back(intake_.students[i].id);
  sort_intake(intake_);
  return std::move(intake_);
}

void sort_intake(Intake& intake) {
  std::ranges::sort(intake.missing);
  std::ranges::sort(intake.students, {}, &Student::id);
  std::ranges::sort(intake.submissions, {},
                    [](const Submission& one) { return std::tie(one.student, one.lab); });
}

bool replaces(const Submission& one, const Submission& counts) {
  if (one.problem.empty() != counts.problem.empty()) return one.problem.empty();
  if (one.submitted_at && counts.submitted_at) return *one.submitted_at >= *counts.submitted_at;
  if (one.lms_order && counts.lms_order) return one.lms_order >= counts.lms_order;
  return true;
}

const char* remark_name(Remark::Kind kind) {
  // In the order of Remark::Kind.
  static constexpr std::string_view kNames[] = {
      "no student", "no lab",        "refused",  "not chosen",     "left alone",
      "roster",     "several files", "not read", "also contained", "unchanged stub"};
  return name_in(kNames, kind).data();
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
    throw UsageError(fmt::format("{} {} no submissions", joined(inputs, " and "),
                                 inputs.size() == 1 ? "holds" : "hold"),
                     "Name the folder or the archive that the students' files are in.");
  return intake;
}

}  // namespace labkit::course
